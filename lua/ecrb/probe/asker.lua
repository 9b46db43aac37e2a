-- Asks a model the short questions of a probe, a few at a time. An answer is
--   {outcome=, value=, seconds=}: what reply.read says, the decoded body, and
--   how long it took; or {unmapped=why} where the dialect has no words for it.
-- What may pass is tried three times; nothing is learned from failures, since
-- a probe provokes them.
local endpoint = require "ecrb.endpoint"
local json = require "ecrb.json"
local sched = require "core.sched"

local asker = {}
asker.__index = asker

local TRIES, LONGEST_WAIT, AT_ONCE = 3, 20, 4

-- `options`: max_tokens for ordinary questions, temperature and thinking where
-- they are to be sent with every one.
function asker.new(model, options)
  local fetch, redact = model:line()
  return setmetatable({ model = model, fetch = fetch, redact = redact,
                        options = options, gate = sched.gate(AT_ONCE),
                        calls = 0 }, asker)
end

local function messages_of(question)
  if type(question) == "table" then return question end
  return { { role = "user", content = question } }
end

local function request_of(self, question, wishes)
  local request = { messages = messages_of(question) }
  for name, value in pairs(self.options) do request[name] = value end
  for name, value in pairs(wishes or {}) do request[name] = value end
  return request
end

local function overlay(body, fields)
  for name, value in pairs(fields or {}) do body[name] = value end
  return body
end

local function exchange(self, text, want)
  self.gate:enter()
  local response = self.fetch(text)
  self.gate:leave()
  self.calls = self.calls + 1
  return endpoint.read(self.redact, response, want), response
end

local function answer_of(outcome, response)
  return { outcome = outcome, value = json.decode(response.body or ""),
           seconds = response.total }
end

-- `wishes` go through the dialect, `fields` go into the body as they are.
function asker:ask(question, wishes, fields)
  local body, why = self.model:body(request_of(self, question, wishes))
  if not body then return { unmapped = why } end
  local text = json.encode(overlay(body, fields))
  local want = self.model:want(text, wishes and wishes.choices)
  local outcome, response
  for try = 1, TRIES do
    outcome, response = exchange(self, text, want)
    if outcome.class ~= "retry" or try == TRIES then break end
    sched.sleep(math.min(outcome.wait or try, LONGEST_WAIT))
  end
  return answer_of(outcome, response)
end

function asker:get(path)
  local response
  for try = 1, TRIES do
    response = self.fetch(nil, path)
    if response.ending == "done" or try == TRIES then break end
    sched.sleep(try)
  end
  return response
end

-- Runs f(1) .. f(k) beside each other; their results in order.
function asker.each(k, f)
  local results = {}
  for i, result in ipairs(sched.sample(k, f)) do
    if not result.ok then error(result.value, 0) end
    results[i] = result.value
  end
  return results
end

-- Asks f(i) for i = 1 .. n, `times` each, in rounds: whatever drifts meanwhile
-- touches all of them alike. The results of each i, in a list.
function asker.rounds(n, times, f)
  local flat, results = asker.each(n * times, function(at)
    return f((at - 1) % n + 1, (at - 1) // n + 1)
  end), {}
  for i = 1, n do
    results[i] = {}
    for round = 1, times do results[i][round] = flat[(round - 1) * n + i] end
  end
  return results
end

return asker
