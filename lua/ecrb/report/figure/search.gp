# Figure 6: (a) bars by channel, a colour a model; (b) curves over homology.
legend = models > 1 ? 0.14 * models : 0
half = models > 0 && curves > 0 ? 0.46 : 1 - 0.22 / width

do for [form in forms] {
  eval begin(form)
  set multiplot
  set bmargin at screen ((curves > 0 ? 0.68 : 0.5) + legend) / height
  set tmargin at screen 1 - 0.31 / height
  if (models > 0) {
    set lmargin at screen 0.94 / width
    set rmargin at screen half
    set title calls_title offset 0,-0.7 font ",11"
    set yrange [-channels - 0.6:-0.4]
    set xrange [0:*]
    set ytics scale 0 font ",10"
    set xtics 0, 0.25 format "%g" scale 0.4 font ",10"
    set xlabel "calls per enzyme" offset 0,0.6 font ",11"
    set offsets 0, graph 0.12, 0, 0
    unset grid
    set grid xtics back linetype 1 linecolor rgb soft linewidth 0.6
    if (models > 1) {
      set key at screen 0.5 / width,0.06 / height left bottom Left reverse samplen 1 font ",9"
    }
    plot for [i = 1:models] data index i - 1 \
        using ($2 / 2):1:($2 / 2):(0.38 / models) with boxxyerror \
        linecolor rgb colour_of(i) title names[i], \
      for [i = 1:models <= 3 ? models : 0] data index i - 1 using 2:1:(sprintf("%d", $3)) with labels left \
        offset 0.4,0 font ",8" notitle, \
      data index models using (NaN):1:yticlabels(2) with points pointtype -1 notitle
    unset key
  }
  if (curves > 0) {
    set lmargin at screen models > 0 ? 0.56 : 0.5 / width
    set rmargin at screen 0.985
    set xlabel "largest identity to a training enzyme" offset 0,-0.3 font ",11"
    set offsets 0, 0, 0, 0
    set ylabel models > 0 ? "" : "L4" offset 1.8,0 font ",11"
    set title curves_title offset 0,-0.7 font ",11"
    set yrange [-0.02:1.05]
    set ytics 0, 0.2, 1 format "%.1f" scale 0.4 font ",10"
    set xrange [0.6:bins + 0.4]
    set xtics scale 0 offset 0,0.2 font ",9"
    unset grid
    set grid ytics back linetype 1 linecolor rgb soft linewidth 0.6
    set key at graph 0.03,0.98 left top Left reverse samplen 2 font ",9"
    plot data index models + 2 using ($1 - 0.03):2 with lines linewidth 2 linecolor rgb open_colour notitle, \
      "" index models + 2 using 1:(-0.02):6 with labels offset 0,-1.9 font ",8" \
        textcolor rgb "#606060" notitle, \
      "" index models + 2 using ($1 - 0.03):2:3:4:xticlabels(5) with yerrorbars pointtype 7 pointsize 0.9 \
        linewidth 1.2 linecolor rgb open_colour title "open book", \
      "" index models + 1 using ($1 + 0.03):2 with lines linewidth 2 dashtype 2 linecolor rgb closed_colour notitle, \
      "" index models + 1 using ($1 + 0.03):2:3:4 with yerrorbars pointtype 5 pointsize 0.9 \
        linewidth 1.2 linecolor rgb closed_colour title "closed book"
    unset key
  }
  unset multiplot
  unset output
}
