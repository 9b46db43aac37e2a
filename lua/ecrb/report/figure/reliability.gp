# Figure 7: square panels, points on or off the diagonal.
set xrange [-0.04:1.04]
set yrange [-0.04:1.04]
set xtics 0, 0.5, 1 font ",9"
set ytics 0, 0.5, 1 font ",9"
left = 0.5 / width
low = 0.42 / height
across_step = (1 - left - 0.1 / width) / across
line_step = (1 - low - 0.02 / height) / lines

do for [form in forms] {
  eval begin(form)
  set multiplot
  do for [p = 1:panels] {
    column_at = (p - 1) % across
    line_at = (p - 1) / across
    set lmargin at screen left + column_at * across_step
    set rmargin at screen left + (column_at + 1) * across_step - 0.28 / width
    set tmargin at screen 1 - 0.4 / height - line_at * line_step
    set bmargin at screen 1 - (line_at + 1) * line_step + 0.05 / height
    set title titles[p] offset 0,0.3 font ",9"
    x_format = p + across > panels ? "%.1f" : ""
    y_format = column_at == 0 ? "%.1f" : ""
    set format x x_format
    set format y y_format
    x_title = p + across > panels ? "confidence" : ""
    y_title = column_at == 0 ? "accuracy" : ""
    set xlabel x_title offset 0,0.7 font ",10"
    set ylabel y_title offset 1.9,0 font ",10"
    set label 1 errors[p] at graph 0.5,1.06 center font ",8" textcolor rgb "#606060"
    plot [0:1] x with lines linewidth 1 dashtype 2 linecolor rgb "#606060", \
      data index p - 1 using 1:3:(0):($4 - $3) with vectors nohead linewidth 1 \
        linecolor rgb open_colour, \
      "" index p - 1 using 1:2:(0.4 + 2.4 * sqrt($6)) with points pointtype 7 \
        pointsize variable linecolor rgb open_colour
  }
  unset multiplot
  unset output
}
