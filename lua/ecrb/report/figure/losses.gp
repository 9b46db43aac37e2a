# Figure 10: falling bars, from all items down to L4.
set xrange [0:1.0]
set yrange [-bars - 0.6:-0.4]
set xtics 0, 0.25, 1 font ",9"
unset grid
set grid xtics back linetype 1 linecolor rgb soft linewidth 0.6
left = 1.28 / width
across_step = (1 - left - 0.12 / width) / across
line_step = (1 - 0.34 / height) / lines

do for [form in forms] {
  eval begin(form)
  set multiplot
  do for [p = 1:panels] {
    column_at = (p - 1) % across
    line_at = (p - 1) / across
    set lmargin at screen left + column_at * across_step
    set rmargin at screen left + (column_at + 1) * across_step - 0.14 / width
    set tmargin at screen 1 - 0.25 / height - line_at * line_step
    set bmargin at screen 1 - (line_at + 1) * line_step + 0.05 / height
    set title titles[p] offset 0,-0.8 font ",10"
    x_format = p + across > panels ? "%.2g" : ""
    set format x x_format
    x_title = p + across > panels ? "share of the items" : ""
    set xlabel x_title offset 0,0.8 font ",9"
    unset ytics
    if (column_at == 0) {
      set ytics () scale 0 font ",8"
      do for [b = 1:bars] { set ytics add (causes[b] -b) }
    }
    plot data index p - 1 using (($1 + $2) / 2):3:1:2:($3 - 0.38):($3 + 0.38):4 with boxxyerror \
        linecolor rgb variable, \
      "" index p - 1 using ($5 > 0 && $2 - $1 == 1 ? 1 : NaN):3:(sprintf("%d", $5)) with labels right \
        offset -0.4,0 font ",8", \
      "" index p - 1 using ($5 > 0 && $1 > 0.12 ? $1 : NaN):3:(sprintf("%d", $5)) with labels right \
        offset -0.4,0 font ",8", \
      "" index p - 1 using ($5 > 0 && $1 <= 0.12 && $2 - $1 < 1 ? $2 : NaN):3:(sprintf("%d", $5)) with labels left \
        offset 0.4,0 font ",8"
  }
  unset multiplot
  unset output
}
