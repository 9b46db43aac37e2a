-- `ecrb score RUN...`: every figure of the protocol, per split and overall.

local choices = require "ecrb.report.choices"
local chosen = require "ecrb.report.chosen"
local out = require "ecrb.out"
local report = require "ecrb.report"
local tables = require "ecrb.tables"

local command = { summary = "every figure of runs, per split, with intervals" }

function command.configure(parser)
  parser:argument("runs", "run folders"):args("+"):argname("RUN")
  parser:option("--by", "group by split, class, difficulty, homology or all")
    :choices { "split", "class", "difficulty", "homology", "all" }
    :default("split")
  choices.forms(parser, "as JSON, every digit", "a line a figure, every digit")
  parser:flag("--losses", "where items were lost on the way to L4")
  parser:flag("--calibration", "what stated confidences and vote shares are worth")
  choices.configure(parser)
end

-- What the lines of the table say.
function command.more_help()
  return [[

The lines of the table:
   L1 to L4        share of the items whose committed EC number is right so far
   macro-L4        L4 within each of the `classes`, averaged over them
   valid-EC        the answer is a node of the tree, or an abstention if allowed
   H-F1, H-P, H-R  answer and label with all their ancestors, by item; `micro`
                   sums over the items first
   ECE             calibration error of the stated `confidences`, in ten bins
   AURC            mean error of the most confident share; less is better
   mean depth      levels that are committed; reach L4: share with all four;
                   full-EC prec.: L4 among those
   turns           calls of the model for an item; retrievals: evidence calls,
                   and below them how many of each channel
   answered, ...   what became of the items; these lines sum to n
core/README.md, "The protocol", has the definitions.
]]
end

local function options_of(args)
  local options = choices.of(args)
  options.by, options.losses, options.calibration = args.by, args.losses, args.calibration
  return options
end

function command.run(args)
  -- Records come and go, kinds stay.
  collectgarbage("generational")
  local options = options_of(args)
  local results = report.score(chosen(args.runs), options)
  if args.json then
    out.write(require "ecrb.report.export".json(results))
  elseif args.csv then
    local lines = require "ecrb.report.export".lines(results)
    out.write(tables.write("csv", lines))
  else
    out.write(report.written(results, options, choices.form(args)))
  end
end

return command
