# Figure 3: groups of four bars, L1 to L4; above each group the value of L4. An
# interval has a white edge, to be seen on a dark bar.
set yrange [0:1.14]
set ytics 0, 0.2, 1 format "%.1f"
set xrange [0:last]
set xtics rotate by 40 right offset 0.4,0.2 scale 0 font ",9"
set boxwidth 0.92
short(value) = value < 0.995 ? sprintf("%.2f", value)[2:] : "1.0"

do for [form in forms] {
  eval begin(form)
  set multiplot
  do for [p = 1:panels] {
    line_at = (p - 1) / across
    across_at = (p - 1) % across
    set lmargin at screen (0.47 + 3.6 * across_at) / width
    set rmargin at screen (3.56 + 3.6 * across_at) / width
    set tmargin at screen 1 - (0.27 + line_at * panel) / height
    set bmargin at screen 1 - ((line_at + 1) * panel - below) / height
    set title titles[p] offset 0,-0.7 font ",11"
    set ylabel across_at == 0 ? "accuracy" : "" offset 1.3,0 font ",10"
    set label 1 "L4" at graph 0,first 1.09 right offset -0.4,0 font ",9"
    plot data index p using 1:2:5 with boxes linecolor rgb variable, \
      "" index p using 1:3:(0):($4 - $3) with vectors nohead linewidth 1.8 linecolor rgb "#FFFFFF", \
      "" index p using 1:3:(0):($4 - $3) with vectors nohead linewidth 0.7 linecolor rgb "#202020", \
      "" index p using ($6 == 4 ? $1 - 1.5 : NaN):(1.09):(short($2)) with labels \
        font ",8", \
      "" index 0 using 1:(NaN):xticlabels(2) with points pointtype -1
  }
  unset multiplot
  unset output
}
