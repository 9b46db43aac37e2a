-- `:step`: a method at work one question at a time. Before each question the
-- author may let the model answer, answer in its place, or name the node to
-- commit. What a person answered is not kept as a model's reply.

local core_text = require "core.text"
local json = require "ecrb.json"
local rehearsal = require "ecrb.rehearsal"

local step = {}

local function completion(text)
  return json.encode { choices = { { finish_reason = "stop",
    message = { role = "assistant", content = text } } } }
end

-- What the person wants: "ask", "stop", or a text in the model's place.
local function wish(console)
  local line = console.question("[Enter] ask, an EC number or UNSURE to commit it, "
    .. "a text to answer with it, :q to stop > ")
  if line == nil or line == ":q" then return "stop" end
  if line == "" then return "ask" end
  if core_text.find(line, [[^(?:\d[\d.n-]*|UNSURE)$]]) then
    return "answer", "ANSWER: " .. line
  end
  return "answer", line
end

-- The end of a question is what it asks: the candidates and the contract.
local function tail(body, lines)
  local all = {}
  for line in string.gmatch(body.messages[#body.messages].content .. "\n", "(.-)\n") do
    all[#all + 1] = line
  end
  return table.concat(all, "\n", math.max(1, #all - lines + 1))
end

local function answered_by(console, real)
  local number = 0
  return function (body, text)
    number = number + 1
    console.out(string.format("--- question %d\n%s\n", number,
      core_text.printable(tail(body, 30))))
    local choice, said = wish(console)
    if choice == "stop" then
      return { ok = false, cause = "stopped", message = "stopped by hand", final = true }
    end
    local outcome
    if choice == "ask" then
      outcome = real:send(text, { key = "step" })
    else
      outcome = console.session.model:read(200, completion(said))
    end
    console.out(core_text.printable(outcome.text or outcome.message or "") .. "\n")
    return outcome
  end
end

-- Walks the method over the item in hand. Returns its record.
function step.walk(console)
  local session = console.session
  local answer = answered_by(console, session.client)
  local stand_in = rehearsal.model(session.model, answer)
  return (session:ask { model = stand_in, client = stand_in:open(),
                        journal = rehearsal.journal() })
end

return step
