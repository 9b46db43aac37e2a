-- `ecrb export RUN`: a run's records for other programs, one sample an item.

local counted = require "ecrb.counted"
local samples = require "ecrb.export.samples"
local out = require "ecrb.out"
local writer = require "ecrb.writer"

local command = { summary = "records of a run for other programs" }

-- Format to module.
local formats = { ["jsonl"] = "jsonl", ["lm-eval"] = "lm_eval", ["inspect"] = "inspect" }

function command.configure(p)
  p:argument("run", "run folder"):argname("RUN")
  p:option("--format", "jsonl (ecrb's own), lm-eval (samples as "
    .. "lm-evaluation-harness logs them) or inspect (an Inspect log)")
    :choices { "jsonl", "lm-eval", "inspect" }:default("jsonl")
  p:flag("--calls", "jsonl: the prompts and replies too")
  p:flag("--partial", "export an unfinished run as far as it is")
  p:option("--bench", "where the benchmark of the run stands")
  p:option("-o --out", "the file to write (default: standard output)"):argname("FILE")
end

function command.run(args)
  local run = samples.open(args.run, { partial = args.partial, bench = args.bench })
  local format = require("ecrb.export." .. formats[args.format])
  local function write(put)
    format(run, put, { calls = args.calls })
  end
  if not args.out then return write(out.write) end
  writer.whole(args.out, function (file)
    write(function (...) file:write(...) end)
  end)
  out.write(counted("%s: %d {item|items}\n", args.out, #run))
end

return command
