-- The options that everything shares which takes figures of finished runs.

local numbers = require "ecrb.numbers"

local choices = {}

function choices.configure(parser)
  parser:flag("--partial", "score an unfinished run as far as it is")
  parser:option("--ece-target", "correct for ECE: leaf (L4) or node (the "
    .. "committed one)"):choices { "leaf", "node" }:default("leaf")
  parser:option("--ece-edges", "the edge that a bin of ECE holds")
    :choices { "right", "left" }:default("right")
  parser:option("--replicates", "resamples of the bootstrap")
    :convert(numbers.whole(1)):default("1000"):argname("N")
  parser:option("--seed", "seed of the bootstrap"):convert(numbers.whole(0)):default("1")
    :argname("N")
  parser:option("--bench", "where the benchmark of the runs stands")
end

-- What was chosen, as options of records.open and metrics.of.
function choices.of(args)
  return { partial = args.partial, bench = args.bench,
           replicates = args.replicates, seed = args.seed,
           ece_target = args.ece_target, ece_edges = args.ece_edges }
end

return choices
