# Figure 9: coloured cells with their value and its interval.
set xrange [0.5:classes + 0.5]
set yrange [-lines - 0.5:-0.5]
unset border
unset grid
unset ytics
unset xtics
set ytics scale 0 font ",10"
set label 1 "L4" at graph 0,1 right offset -0.8,0.9 font ",10"
set lmargin at screen left / width
set rmargin at screen 1 - 0.08 / width
set tmargin at screen 1 - 0.52 / height
set bmargin at screen 0.08 / height

do for [form in forms] {
  eval begin(form)
  plot data index 0 using 1:2:(0.48):(0.46):4 with boxxyerror linecolor rgb variable, \
    "" index 0 using 1:($2 + 0.14):(sprintf("%.2f", $3)):5 with labels font ",9" \
      textcolor rgb variable, \
    "" index 0 using 1:($2 - 0.22):(sprintf("%.2f–%.2f", $6, $7)):5 with labels font ",8" \
      textcolor rgb variable, \
    "" index 1 using 1:(-0.5):2 with labels offset 0,1.6 font ",10", \
    "" index 1 using 1:(-0.5):3 with labels offset 0,0.7 font ",8" textcolor rgb "#606060", \
    "" index 2 using (NaN):1:yticlabels(2) with points pointtype -1
  unset output
}
