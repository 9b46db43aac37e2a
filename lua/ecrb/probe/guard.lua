-- A run that requires a probe: it begins only if the model was probed not long
-- ago, its manifest names that probe, and a short probe at its end tells
-- whether the endpoint changed meanwhile.
local probe = require "ecrb.probe"
local record = require "ecrb.probe.record"

local guard = {}

local function sessions_of(runs)
  local sessions = {}
  for i, run in ipairs(runs) do
    sessions[i] = run.manifest.sessions[run.session]
  end
  return sessions
end

-- The probe that the runs stand on, or nil where nothing will be sent. Raises
-- where it is missing or too old.
function guard.begin(args, model, runs)
  if model.kind ~= "endpoint" or args.replay then return nil end
  local found = record.required(args.probes, model, args.require_probe)
  for _, session in ipairs(sessions_of(runs)) do session.probe = found end
  return found
end

-- Probes again, shortly, and says in the runs' manifests what came of it.
-- Returns the verdict.
function guard.finish(found, model, runs)
  local before = record.read(found.path)
  local now = probe.run(model, before, { short = true })
  for _, session in ipairs(sessions_of(runs)) do
    session.probe_after = { verdict = now.verdict, findings = now.findings,
                            time = now.time }
  end
  return now.verdict
end

return guard
