# Figure 4: (a) points by split, a series each; (b) closed to open, a line each.
fill(i) = i == 1 ? open_colour : names[i] eq "oracle best-channel" ? "#000000" : \
  names[i][strlen(names[i]) - 10:] eq "(published)" ? "#B0B0B0" : "#6A6A6A"
array shape[12] = [7, 5, 9, 11, 13, 4, 6, 8, 10, 12, 1, 2]
shape_at(i) = names[i] eq "oracle best-channel" ? 4 : shape[(i - 1) % 12 + 1]

do for [form in forms] {
  eval begin(form)
  set multiplot
  set lmargin at screen 0.5 / width
  set rmargin at screen jumps > 0 ? 0.7 - 0.5 * labels / width - 0.03 : 1 - 0.08 / width
  set bmargin at screen 0.17 + 0.055 * ceil(series / (width < 5 ? 2. : 3.))
  set tmargin at screen 0.91
  set title (jumps > 0 ? "(a) " : "") . "L4 by split" offset 0,-0.7 font ",11"
  set ylabel "L4" offset 1.8,0 font ",11"
  set yrange [-0.02:1.03]
  set ytics 0, 0.2, 1 format "%.1f"
  set xrange [0:group * splits]
  set xtics scale 0 offset 0,0.2 font ",9"
  set key at screen 0.5 / width,0.02 left bottom Left reverse horizontal maxcols (width < 5 ? 2 : 3) \
    samplen 1 width -1 font ",9"
  plot for [i = 1:series] data index i - 1 using 1:2:3:4 with yerrorbars \
      pointtype shape_at(i) pointsize i == 1 ? 0.9 : 0.7 linewidth 1 linecolor rgb fill(i) \
      title names[i], \
    data index series using 1:(NaN):xticlabels(2) with points pointtype -1 notitle, \
    data index series using 1:(-0.02):3 with labels offset 0,-1.9 font ",8" \
      textcolor rgb "#606060" notitle
  if (jumps > 0) {
    unset key
    unset ylabel
    set lmargin at screen 0.7 + 0.5 * labels / width
    set rmargin at screen 0.985
    set title "(b) closed to open" offset 0,-0.7 font ",11"
    set xrange [-0.02:1]
    set xtics 0, 0.2, 1 format "%.1f" scale 0.4 font ",10"
    set xlabel jump_axis offset 0,0.6 font ",11"
    set yrange [-jumps - 0.6:-0.4]
    set ytics scale 0 font ",9"
    unset grid
    set grid xtics back linetype 1 linecolor rgb soft linewidth 0.6
    plot data index series + 1 using 2:1:($5 - $2):(0) with vectors nohead \
        linewidth 1.5 linecolor rgb "#9A9A9A", \
      "" index series + 1 using 2:1:3:4 with xerrorbars pointtype 6 pointsize 1 \
        linewidth 1.2 linecolor rgb closed_colour, \
      "" index series + 1 using 5:1:6:7:yticlabels(8) with xerrorbars pointtype 7 \
        pointsize 1 linewidth 1.2 linecolor rgb open_colour
    unset xlabel
    set grid ytics back linetype 1 linecolor rgb soft linewidth 0.6
    set grid noxtics
  }
  unset multiplot
  unset output
}
