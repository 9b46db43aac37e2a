# Figure 5: a point a model, M1 filled and M4 open.
set xrange [0:4]
set xtics 0, 1, 4 format "%g"
set yrange [* < -0.05:0.05 < *]
set ytics format "%.2f"
set xlabel "mean stopping depth" offset 0,0.5 font ",11"
set ylabel "L4 minus B0's L4" offset 1.5,0 font ",11"
set xzeroaxis linetype 1 linewidth 1 linecolor rgb "#404040"
set offsets graph 0.02, graph 0.05, graph 0.06, graph 0.06
set lmargin at screen 0.15
set rmargin at screen 0.97
set bmargin at screen 0.15
set tmargin at screen 0.93
set key at graph 0.98,1.0 right top Left reverse samplen 0.5 font ",9"

do for [form in forms] {
  eval begin(form)
  plot data index 2 using 1:2:($3 - $1):($4 - $2) with vectors nohead dashtype 3 \
      linecolor rgb "#9A9A9A" notitle, \
    data index 0 using 1:4:2:3:5:6 with xyerrorbars pointtype 7 pointsize 1 \
      linewidth 1 linecolor rgb open_colour title "M1", \
    "" index 1 using 1:4:2:3:5:6 with xyerrorbars pointtype 6 pointsize 1 \
      linewidth 1 linecolor rgb "#D55E00" title voted > 0 ? "M4" : "", \
    "" index 2 using ($6 == 0 ? $1 : NaN):2:5 with labels left offset 0.8,0.7 font ",9" notitle, \
    "" index 2 using ($6 == 1 ? $1 : NaN):2:5 with labels right offset -0.8,0.7 font ",9" notitle
  unset output
}
