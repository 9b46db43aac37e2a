-- `ecrb probe MODEL`: what an endpoint really does, compared with what it did.
local models = require "ecrb.models"
local out = require "ecrb.out"

local command = { name = "probe",
                  summary = "what an endpoint really does, measured" }

function command.configure(p)
  p:argument("model", "a name from models.lua, or PROVIDER/ID")
  models.options(p)
  p:option("--probes", "folder for the records"):default("probes")
    :argname("DIR")
  p:option("--against", "an earlier record to compare with (default: the "
    .. "newest of this model)"):argname("FILE")
  p:flag("--short", "reach, echo and tokenizer only (18 calls)")
  p:flag("--json", "print the record")
end

local function earlier(args, found)
  local record = require "ecrb.probe.record"
  local path = args.against or record.latest(args.probes, found)
  return path and record.read(path) or nil
end

local function show(args, result, before)
  if args.json then
    out.write(require("ecrb.json").pretty(result))
  else
    out.write(require("ecrb.probe.page").write(result, before))
  end
end

local WORSE = { changed = 1, inconsistent = 1 }

-- 0, or 1 where the endpoint changed or contradicts itself; an endpoint that
-- cannot be asked is 3, as for a run.
function command.run(args)
  local probe = require "ecrb.probe"
  local record = require "ecrb.probe.record"
  local found = models.resolve(args)
  if found.kind ~= "endpoint" then
    require "ecrb.fail"("%s has no endpoint to probe", found.name)
  end
  local before = earlier(args, found)
  local result = probe.run(found, before, { short = args.short,
    say = function(part) io.stderr:write("probing: ", part, "\n") end })
  show(args, result, before)
  if not probe.is_reached(result) then return 3 end
  local path = record.path(args.probes, found, result.time // 1)
  record.write(path, result)
  io.stderr:write("recorded in ", path, "\n")
  return WORSE[result.verdict] or 0
end

return command
