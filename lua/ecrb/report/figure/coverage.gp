# Figure 8: a line each, told apart by colour, dash and the mark at its end.
set xrange [0:1.02]
set yrange [0:1.02]
set xtics 0, 0.2, 1 format "%.1f"
set ytics 0, 0.2, 1 format "%.1f"
set xlabel "coverage" offset 0,0.5 font ",11"
set ylabel "L4 of the items covered" offset 1.5,0 font ",11"
set lmargin at screen 0.12
set rmargin at screen 0.97
set tmargin at screen 0.96
set bmargin at screen (0.54 + 0.15 * curves) / height
set key at screen 0.12,0.01 left bottom Left reverse samplen 3 spacing 1 font ",9"

do for [form in forms] {
  eval begin(form)
  plot for [i = 1:curves] data index i - 1 using 1:2 with lines linewidth 2 \
      dashtype dash_of(i) linecolor rgb colour_of(i) title names[i], \
    for [i = 1:curves] data index i - 1 using ($1 == 1 ? $1 : NaN):2 with points \
      pointtype shape_of(i) pointsize 0.9 linecolor rgb colour_of(i) notitle
  unset output
}
