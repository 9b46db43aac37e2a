-- `--dry-run`: calls, tokens and cost of each setting, from the real prompts.

local budget = require "ecrb.budget"
local counted = require "ecrb.counted"
local drive = require "ecrb.drive"
local out = require "ecrb.out"
local rehearsal = require "ecrb.rehearsal"
local setting = require "ecrb.setting"
local system = require "core.system"

local function cost_word(model, cost)
  local unknown = model.kind == "endpoint" and not model.prices
  return unknown and "no prices" or string.format("%.2f", cost)
end

-- Rehearses one setting in a folder that goes away: what it would ask for, and how
-- many items failed.
local function rehearse(args, shared, one)
  local folder = system.temporary(system.getenv("TMPDIR") or "/tmp")
  local model = setting.model_for(shared, one.method)
  local stand_in = rehearsal.model(model, rehearsal.read_by_reader())
  local opened = setting.open(args, shared, one, { model = stand_in, out = folder,
                                                   budget = budget.new({}, shared.model) })
  drive.run(shared.loop, { opened }, args.concurrency)
  opened:close("rehearsed")
  system.remove(folder)
  local spent = opened.budget.spent
  return { one.method.id, one.book, #shared.items, spent.calls, spent.tokens,
           cost_word(model, spent.cost) }, opened.counts.failed
end

-- Prints what each setting would ask for. Returns the exit code.
return function (args, shared, settings)
  local lost = 0
  out.write("setting       items    calls     tokens (estimate)       cost\n")
  for _, one in ipairs(settings) do
    local row, failed = rehearse(args, shared, one)
    lost = lost + failed
    out.write(string.format("%-4s %-7s %6d %8d %21d %10s\n", table.unpack(row)))
  end
  if lost > 0 then
    out.write(counted("%d {item|items} failed without a model, too, and asked for less: a run with "
      .. "--limit 1\nand without --dry-run tells why.\n", lost))
  end
  out.write("The built-in reader stood in for the model: a model that reasons at length writes "
    .. "more,\nand one that stops earlier or later asks more or less often.\n")
  return 0
end
