-- Any bytes as the body of a chat completion, whole or streamed, under a status
-- that the first byte chooses: the outcome is an answer with text, or a failure
-- with a cause that has a class, and can be kept.

local causes = require "ecrb.wire.causes"
local input = dofile "tests/fuzz/input.lua"
local json = require "ecrb.json"
local reply = require "ecrb.reply"

local NOW = 1800000000
local YEAR = 366 * 86400

local wants = {
  {}, { model = "m", strict = true, cap = 10, bytes = 5000 },
  { tools = true }, { choices = { "1.1.-.-", "UNSURE" }, unwrap = true },
}

local responses = {
  { ending = "done", status = 200 }, { ending = "done", status = 429 },
  { ending = "done", status = 400 }, { ending = "cut", status = 200 },
}

local function is_text(value)
  return value == nil or type(value) == "string" and utf8.len(value)
end

local function check_failure(outcome)
  assert(causes[outcome.cause], outcome.cause)
  assert(type(outcome.class) == "string" and type(outcome.message) == "string")
  assert(utf8.len(outcome.message), "a message that is no UTF-8")
  assert(not string.find(outcome.message, "[\0-\8\11-\31\127]"), "control characters")
  assert(not outcome.wait or outcome.wait >= 0 and outcome.wait <= YEAR)
end

local function check(outcome)
  if outcome.ok then
    assert(outcome.call or string.find(outcome.text, "%S"))
  else
    check_failure(outcome)
  end
  assert(is_text(outcome.text) and is_text(outcome.reasoning), "no text")
  for _, count in pairs(outcome.usage or {}) do assert(count >= 0) end
  assert(json.decode(json.encode(outcome)))
end

return function (bytes)
  local place, body = input.choice(bytes, #wants * #responses)
  local response = responses[(place - 1) // #wants + 1]
  response.body, response.headers = body, ""
  check(reply.read(response, wants[(place - 1) % #wants + 1], NOW))
end
