# What all figures share. Three forms of one drawing, with letters of one
# size (7.8 points where a script says 12, and 5.2 at least): SVG for pages, PDF for
# papers, PNG for slides. The colours are Okabe and Ito's, which the colour-blind
# can tell apart; in grey they differ in lightness, and lines also in dashes.
set encoding utf8
svg_terminal = sprintf("svg size %d,%d dynamic noenhanced font 'sans-serif,12'", \
  111 * width, 111 * height)
pdf_terminal = sprintf("pdfcairo size %gin,%gin noenhanced font 'sans,12' fontscale 0.65 linewidth 0.8 pointscale 0.8", \
  width, height)
png_terminal = sprintf("pngcairo size %d,%d noenhanced font 'sans,12' fontscale 2.17 linewidth 2.2 pointscale 2.2", \
  240 * width, 240 * height)
forms = "svg pdf png"
begin(form) = sprintf("set terminal %s; set output '%s.%s'", \
  form eq "svg" ? svg_terminal : form eq "pdf" ? pdf_terminal : png_terminal, name, form)

closed_colour = "#E69F00"
open_colour = "#0072B2"
grey_colour = "#7F7F7F"
soft = "#D9D9D9"
array line_colour[7] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
array point_shape[7] = [7, 5, 9, 11, 13, 6, 4]
colour_of(i) = line_colour[(i - 1) % 7 + 1]
shape_of(i) = point_shape[(i - 1) % 7 + 1]
hollow_of(i) = point_shape[(i - 1) % 5 + 1] - 1
dash_of(i) = (i - 1) % 5 + 1

# Marks that stand on an axis are seen whole.
set border 3 back linetype 1 linewidth 0.8 linecolor rgb "#404040"
set tics nomirror out scale 0.4 font ",10"
set grid ytics back linetype 1 linecolor rgb soft linewidth 0.6
set grid noxtics
set key noenhanced
unset key
set style fill solid 1.0 noborder
set bars 0
