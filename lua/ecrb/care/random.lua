-- `ecrb care random`: CARE's random baseline, distinct ECs of the list for
-- each item. The draws are one SplitMix64 stream, item after item; an EC that
-- the item has already is drawn again.

local ec_list = require "ecrb.care.ec_list"
local fail = require "ecrb.fail"
local import = require "core.import"
local numbers = require "ecrb.numbers"
local output = require "ecrb.care.output"
local random = require "core.random"
local system = require "core.system"

local action = { summary = "the random baseline of a split, drawn by seed" }

function action.configure(p)
  p:option("--labels", "CARE's split file"):argname("FILE"):count(1)
  p:option("--ecs", "the EC list to draw from (default: CARE's, found from the "
    .. "split file)"):argname("FILE")
  p:option("--seed", "seed of the draws"):convert(numbers.whole(0)):default("1")
  p:option("-k", "ECs per item"):convert(numbers.whole(1)):default("50"):argname("K")
  p:option("-o --out", "the ranking to write (default: standard output)")
    :argname("FILE.csv")
end

-- CARE's own leading columns, by task.
local layouts = {
  Entry = { "Entry", "Sequence", "EC number" },
  Reaction = { "Reaction Text", "EC number", "Reaction" },
}

local function layout_of(names)
  for _, name in ipairs(names) do
    if name == "Reaction" then return layouts.Reaction end
  end
  return layouts.Entry
end

local function list_beside(path)
  local folder = string.match(path, "^(.*)/[^/]*$") or "."
  local place = folder .. "/../../processed_data/EC_list.txt"
  if system.exists(place) then return place end
  fail("%s: there is no %s; name the EC list with --ecs", path, place)
end

local function draw(stream, ecs, k)
  local chosen, seen = {}, {}
  while #chosen < k do
    local ec = ecs[stream:below(#ecs)]
    if not seen[ec] then
      seen[ec] = true
      chosen[#chosen + 1] = ec
    end
  end
  return chosen
end

local function drawn(args, ecs)
  local stream, layout, rows = random.stream(args.seed), nil, {}
  local function wanted(names)
    layout = layout_of(names)
    return layout
  end
  for _, a, b, c in import.table(args.labels, wanted, ",") do
    rows[#rows + 1] = table.move(draw(stream, ecs, args.k), 1, args.k, 4,
      { a, b, c })
  end
  return layout, rows
end

function action.run(args)
  local ecs = ec_list(args.ecs or list_beside(args.labels))
  if args.k > #ecs then
    fail("-k %d: the EC list has only %d", args.k, #ecs)
  end
  local layout, rows = drawn(args, ecs)
  output(args.out, layout, args.k, rows)
end

return action
