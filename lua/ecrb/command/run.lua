-- `ecrb METHOD.lua ...`: one method in one setting, then its table.

local method = require "ecrb.method"
local setting = require "ecrb.setting"
local shard = require "ecrb.shard"

local command = { summary = "run a method script over a benchmark" }

function command.configure(p)
  p:argument("method", "a method script, or the id of a shipped one (m1, vote, ...)")
  setting.options(p)
  shard.option(p)
  p:mutex(p:flag("--open", "open book: evidence from the offline cache"),
          p:flag("--closed", "closed book: the sequence and its descriptors alone"))
  p:option("--out", "run folder (default: one under runs/, named by the settings)")
    :argname("DIR")
  p:option("--replay", "answer from this run's journal; never send a request"):argname("RUN")
end

-- The options of the method that the words name.
function command.first_help(words)
  local loaded = method.named(words)
  if not loaded then return nil end
  local lines, names = {}, {}
  for name in pairs(loaded.options) do names[#names + 1] = name end
  table.sort(names)
  for i, name in ipairs(names) do
    local option = loaded.options[name]
    lines[i] = string.format("   --set %-15s %s (default: %s)\n", name .. "=",
      option.help, tostring(option.default))
  end
  return string.format("%s: %s (%s book)%s\n%s\n", loaded.id, loaded.title,
    table.concat(loaded.books, " or "), lines[1] and ". Its options:" or "",
    table.concat(lines))
end

function command.run(args)
  return setting.execute(args, { setting.of(args, args.method, args.open and "open"
    or args.closed and "closed" or nil) })
end

return command
