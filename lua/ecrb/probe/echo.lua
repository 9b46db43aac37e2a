-- One call: under which name does the endpoint answer?
local echo = { name = "echo" }

local function kind_of(asked, echoed)
  if not echoed then return "absent" end
  if echoed == asked then return "exact" end
  if string.sub(echoed, 1, #asked + 1) == asked .. "-" then return "dated" end
  return "different"
end

function echo.run(asker)
  local outcome = asker:ask("Answer with the single word yes.").outcome
  if not outcome.ok and not outcome.finish then
    return { failed = outcome.cause, message = outcome.message }
  end
  return { kind = kind_of(asker.model.id, outcome.model),
           model = outcome.model, fingerprint = outcome.fingerprint,
           provider = outcome.provider }
end

return echo
