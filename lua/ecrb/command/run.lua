-- `ecrb METHOD.lua ...`: one method in one setting, then its table.

local setting = require "ecrb.setting"

local command = { summary = "run a method script over a benchmark" }

function command.configure(p)
  p:argument("method", "a method script, or the id of a shipped one (m1, vote, ...)")
  setting.options(p)
  p:mutex(p:flag("--open", "open book: evidence from the offline cache"),
          p:flag("--closed", "closed book: the sequence and its descriptors alone"))
  p:option("--out", "run folder (default: one under runs/, named by the settings)")
  p:option("--replay", "answer from this run's journal; never send a request"):argname("RUN")
end

function command.run(args)
  return setting.execute(args, { setting.of(args, args.method, args.open and "open"
    or args.closed and "closed" or nil) })
end

return command
