-- `ecrb METHOD.lua ...`: one method in one setting, then its table.

local execute = require "ecrb.execute"
local folded = require "ecrb.folded"
local method = require "ecrb.method"
local method_option = require "ecrb.method_option"
local run_options = require "ecrb.run_options"
local setting = require "ecrb.setting"
local shard = require "ecrb.shard"

local command = { summary = "run a method script over a benchmark" }

function command.configure(p)
  p:argument("method", "a method script, or the id of a shipped one (m1, vote, ...)")
  run_options.all(p)
  shard.option(p)
  p:mutex(p:flag("--open", "open book: evidence from the benchmark (default, where "
            .. "the method has it)"),
          p:flag("--closed", "closed book: the sequence and its descriptors alone"))
  p:option("--out", "run folder (default: one under runs/, named by the settings)")
    :argname("DIR")
  p:option("--replay", "answer from this run's journal; never send a request"):argname("RUN")
end

local INDENT = string.rep(" ", 25)

-- An option as a line of help; what may be set stands below where the default does
-- not say it.
local function option_lines(name, option)
  local bounded = option.one_of or option.optional or type(option.default) == "number"
  local told = folded(string.format("%s (default: %s)", option.help, tostring(option.default)), 55)
  return string.format("   --set %-15s %s\n%s", name .. "=",
    string.gsub(told, "\n", "\n" .. INDENT),
    bounded and INDENT .. method_option.allowed(option) .. "\n" or "")
end

-- The options that stand in one table and not in the other, in order.
local function options_text(options, besides)
  local lines, names = {}, {}
  for name in pairs(options) do
    if not besides[name] then names[#names + 1] = name end
  end
  table.sort(names)
  for i, name in ipairs(names) do lines[i] = option_lines(name, options[name]) end
  return table.concat(lines)
end

-- The options of the method that the words name, and of its default base.
function command.first_help(words)
  local loaded = method.named(words)
  if not loaded then return nil end
  local own, base = options_text(loaded.options, {}), loaded:bind({}).wrapped
  local inherited = base and options_text(base.options, loaded.options) or ""
  return string.format("%s: %s (%s book)%s\n%s%s\n", loaded.id, loaded.title,
    table.concat(loaded.books, " or "), own ~= "" and ". Its options:" or "", own,
    inherited ~= "" and "Those of its base " .. base.id .. ":\n" .. inherited or "")
end

function command.run(args)
  return execute.settings(args, { setting.of(args, args.method, args.open and "open"
    or args.closed and "closed" or nil) })
end

return command
