-- `ecrb suite`: the paper's nine settings over a benchmark in one process, with
-- one budget; then Table 1, and Table 2 against the neighbour vote.

local execute = require "ecrb.execute"
local fail = require "ecrb.fail"
local near = require "ecrb.near"
local paper_settings = require "ecrb.paper_settings"
local run_options = require "ecrb.run_options"
local setting = require "ecrb.setting"
local shard = require "ecrb.shard"

local command = { summary = "the nine settings, then the paper's Tables 1 and 2" }

local function names()
  local list = {}
  for i, entry in ipairs(paper_settings) do list[i] = entry[1] end
  return table.concat(list, ", ")
end

function command.configure(p)
  run_options.all(p)
  shard.option(p)
  p:option("--settings", "only these, separated by commas: " .. names())
  p:flag("--no-vote", "leave out the neighbour vote")
end

local function chosen(list)
  if not list then return paper_settings end
  local by_name, picked = {}, {}
  for _, entry in ipairs(paper_settings) do by_name[entry[1]] = entry end
  for name in string.gmatch(list, "[^,]+") do
    picked[#picked + 1] = by_name[name]
      or error("--settings: there is no setting `" .. name .. "`"
        .. near.hint(name, by_name), 0)
  end
  return picked
end

-- Of what the user gave, the options that a method has; they are noted as `known`.
local function fitting(given, name, known)
  local fits = {}
  for option in pairs(setting.options_of(name)) do
    known[option], fits[option] = true, given[option]
  end
  return fits
end

local function check_known(given, known)
  for option in pairs(given) do
    if not known[option] then
      fail("--set %s: no method of these settings has such an option%s", option,
        near.hint(option, known))
    end
  end
end

function command.run(args)
  local settings, given, known = {}, setting.given(args), {}
  for i, entry in ipairs(chosen(args.settings)) do
    settings[i] = setting.of(args, entry[2], entry[3], fitting(given, entry[2], known))
  end
  check_known(given, known)
  if not args.no_vote then settings[#settings + 1] = setting.of(args, "vote", "open", {}) end
  return execute.settings(args, settings, require "ecrb.report.suite")
end

return command
