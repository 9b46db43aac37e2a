# Figure 5: two marks a model, M1 filled and M4 open, joined.
set xrange [-0.05:4.05]
set xtics 0, 1, 4 format "%g"
set yrange [low:high]
set ytics format "%.2f"
set xlabel "mean stopping depth" offset 0,0.5 font ",11"
set ylabel "L4 minus B0's L4" offset 1.8,0 font ",11"
set xzeroaxis linetype 1 linewidth 1 linecolor rgb "#404040"
set offsets graph 0.02, graph 0.05, graph 0.06, graph 0.06
set lmargin at screen 0.15
set rmargin at screen 0.97
set tmargin at screen 0.96
set bmargin at screen (0.54 + 0.15 * models) / height
set key at screen 0.15,0.01 left bottom Left reverse samplen 1 spacing 1 font ",9"

do for [form in forms] {
  eval begin(form)
  plot for [i = 1:models] data index i - 1 using 1:4 with lines linewidth 1 dashtype 3 \
      linecolor rgb colour_of(i) notitle, \
    for [i = 1:models] data index i - 1 every ::0::0 using 1:4:2:3:5:6 with xyerrorbars \
      pointtype shape_of(i) pointsize 1 linewidth 1 linecolor rgb colour_of(i) title names[i], \
    for [i = 1:models] data index i - 1 every ::1::1 using 1:4:2:3:5:6 with xyerrorbars \
      pointtype hollow_of(i) pointsize 1 linewidth 1 linecolor rgb colour_of(i) notitle
  unset output
}
