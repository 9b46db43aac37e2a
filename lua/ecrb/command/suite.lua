-- `ecrb suite`: the paper's nine settings over a benchmark in one process, with
-- one budget; then Table 1, and Table 2 against the neighbour vote.

local execute = require "ecrb.execute"
local run_options = require "ecrb.run_options"
local setting = require "ecrb.setting"
local shard = require "ecrb.shard"

local command = { summary = "the nine settings, then the paper's Tables 1 and 2" }

-- In the order of Table 1: name, method, book.
command.settings = {
  { "b0-closed", "b0", "closed" }, { "m1-closed", "m1", "closed" },
  { "m3-closed", "m3", "closed" }, { "m4-closed", "m4", "closed" },
  { "b0-open", "b0", "open" }, { "m2", "m2", "open" }, { "cascade-open", "m1", "open" },
  { "m3-open", "m3", "open" }, { "m4-open", "m4", "open" },
}

function command.configure(p)
  run_options.all(p)
  shard.option(p)
  p:option("--settings", "only these, separated by commas: b0-closed, m1-closed, m3-closed, "
    .. "m4-closed, b0-open, m2, cascade-open, m3-open, m4-open")
  p:flag("--no-vote", "leave out the neighbour vote")
end

local function chosen(list)
  if not list then return command.settings end
  local by_name, picked = {}, {}
  for _, entry in ipairs(command.settings) do by_name[entry[1]] = entry end
  for name in string.gmatch(list, "[^,]+") do
    picked[#picked + 1] = by_name[name]
      or error("--settings: there is no setting `" .. name .. "`"
        .. require("ecrb.near").hint(name, by_name), 0)
  end
  return picked
end

-- Options are given to the methods that have them.
local function fitting(args, name)
  local given = setting.given(args)
  local options, fits = setting.options_of(name), {}
  for option, value in pairs(given) do
    if options[option] then fits[option] = value end
  end
  return fits
end

function command.run(args)
  local settings = {}
  for i, entry in ipairs(chosen(args.settings)) do
    settings[i] = setting.of(args, entry[2], entry[3], fitting(args, entry[2]))
  end
  if not args.no_vote then settings[#settings + 1] = setting.of(args, "vote", "open", {}) end
  return execute.settings(args, settings, require("ecrb.paper").suite)
end

return command
