-- `ecrb score RUN...`: every figure of the protocol, per split and overall.

local out = require "ecrb.out"
local report = require "ecrb.report"
local tables = require "ecrb.tables"
local whole = require "ecrb.whole"

local command = { summary = "every figure of runs, per split, with intervals" }

function command.configure(parser)
  parser:argument("runs", "run folders"):args("+"):argname("RUN")
  parser:option("--by", "group by split, class, difficulty, homology or all")
    :choices { "split", "class", "difficulty", "homology", "all" }
    :default("split")
  parser:mutex(
    parser:flag("--json", "everything as JSON, every digit"),
    parser:flag("--csv", "a line a figure, every digit"),
    parser:flag("--tex", "LaTeX tables (booktabs)"),
    parser:flag("--md", "Markdown tables"))
  parser:flag("--losses", "where items were lost on the way to L4")
  parser:flag("--partial", "score an unfinished run as far as it is")
  parser:option("--ece-target", "correct for ECE: leaf (L4) or node (the "
    .. "committed one)"):choices { "leaf", "node" }:default("leaf")
  parser:option("--ece-edges", "the edge that a bin of ECE holds")
    :choices { "right", "left" }:default("right")
  parser:option("--replicates", "resamples of the bootstrap")
    :convert(whole(1)):default("1000")
  parser:option("--seed", "seed of the bootstrap"):convert(whole(0)):default("1")
  parser:option("--bench", "where the benchmark of the runs stands")
end

local function options_of(args)
  return { by = args.by, partial = args.partial, bench = args.bench,
           losses = args.losses or args.json, replicates = args.replicates,
           seed = args.seed, ece_target = args.ece_target,
           ece_edges = args.ece_edges }
end

function command.run(args)
  local options = options_of(args)
  local results = report.score(args.runs, options)
  if args.json then
    out.write(require "ecrb.report.export".json(results))
  elseif args.csv then
    local lines = require "ecrb.report.export".lines(results)
    out.write(tables.write("csv", lines))
  else
    out.write(report.written(results, options, args.tex and "tex"
      or args.md and "markdown" or "text"))
  end
end

return command
