-- The options that those share who take figures of finished runs, or print them.

local numbers = require "ecrb.numbers"

local choices = {}

-- How intervals are drawn; where `least` is 0 they can be left out.
function choices.bootstrap(parser, least)
  parser:option("--replicates", "resamples of the bootstrap"
      .. (least == 0 and "; 0: no intervals" or "")):default("1000"):argname("N")
    :convert(numbers.whole(least or 1, 1000000))
  parser:option("--seed", "seed of the bootstrap"):convert(numbers.whole(0)):default("1")
    :argname("N")
end

-- In which form tables are printed; what there is as JSON and CSV is for the command
-- to say.
function choices.forms(parser, as_json, as_csv)
  parser:mutex(
    parser:flag("--json", as_json),
    parser:flag("--csv", as_csv),
    parser:flag("--tex", "LaTeX tables (booktabs)"),
    parser:flag("--md", "Markdown tables"))
end

-- The form of ecrb.tables that was chosen, save for JSON.
function choices.form(args)
  return args.csv and "csv" or args.tex and "tex" or args.md and "markdown" or "text"
end

function choices.configure(parser)
  parser:flag("--partial", "score an unfinished run as far as it is")
  parser:option("--ece-target", "correct for ECE: leaf (L4) or node (the "
    .. "committed one)"):choices { "leaf", "node" }:default("leaf")
  parser:option("--ece-edges", "the edge that a bin of ECE holds")
    :choices { "right", "left" }:default("right")
  choices.bootstrap(parser)
  parser:option("--bench", "where the benchmark of the runs stands")
end

-- What was chosen, as options of records.open and metrics.of.
function choices.of(args)
  return { partial = args.partial, bench = args.bench,
           replicates = args.replicates, seed = args.seed,
           ece_target = args.ece_target, ece_edges = args.ece_edges }
end

return choices
