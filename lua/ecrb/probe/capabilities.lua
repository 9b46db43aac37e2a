-- What each optional field really does. `effective` needs a visible effect, so
-- every test asks for something that the model would not do by itself.
local json = require "ecrb.json"

local capabilities = { name = "capabilities" }

local EFFECTIVE, IGNORED = "effective", "accepted without effect"
local REFUSED, UNMAPPED, OPEN = "refused", "not mapped", "cannot tell"

local REFUSALS = 3

local ODD = "zyxomma"

local function shown(condition)
  return condition and EFFECTIVE or IGNORED
end

local function contains(text, part)
  return text ~= nil and string.find(text, part, 1, true) ~= nil
end

-- {====================================================================
-- Fields that one call shows
-- =====================================================================

local LIMITED = { truncated = true, budget_exhausted = true }

local function judge_cap(outcome)
  if LIMITED[outcome.cause] then return EFFECTIVE end
  return outcome.ok and IGNORED or OPEN
end

local function judge_stop(outcome)
  if contains(outcome.text, "6") then return IGNORED end
  return contains(outcome.text, "4") and EFFECTIVE or OPEN
end

local function decoded(outcome)
  local value = outcome.text and json.decode(outcome.text)
  return type(value) == "table" and value or nil
end

local function judge_json(outcome)
  return shown(decoded(outcome) ~= nil)
end

local function judge_schema(outcome)
  local value = decoded(outcome)
  return shown(value ~= nil and value.word == ODD)
end

local function judge_choices(outcome)
  if outcome.ok then return EFFECTIVE end
  return outcome.cause == "constraint_not_applied" and IGNORED or OPEN
end

local function thinks(outcome)
  local usage = outcome.usage
  return outcome.reasoning ~= nil
    or usage ~= nil and (usage.reasoning or 0) > 0
end

-- The value at a path of keys, nil where it leads nowhere.
local function within(value, ...)
  for _, key in ipairs { ... } do
    value = type(value) == "table" and value[key] or nil
  end
  return value
end

local function judge_logprobs(_, value)
  local token = within(value, "choices", 1, "logprobs", "content", 1)
  return shown(type(within(token, "logprob")) == "number")
end

local COUNT = "Write the numbers from 1 to 9 in order, separated by single "
  .. "spaces, and nothing else."
local HELLO = "Answer with the single word hello."

local SCHEMA = { type = "object", required = { "word" },
                 additionalProperties = false,
                 properties = { word = { type = "string", enum = { ODD } } } }

local SINGLE = {
  { name = "output cap", wishes = { max_tokens = 16 }, judge = judge_cap,
    question = "Write the numbers from 1 to 300, separated by spaces." },
  { name = "stop", wishes = { stop = { "5" } }, judge = judge_stop,
    question = COUNT },
  { name = "JSON mode", wishes = { json = true }, judge = judge_json,
    question = HELLO .. " (In JSON mode, wrap it as you must.)" },
  { name = "JSON schema", wishes = { json = SCHEMA }, judge = judge_schema,
    question = HELLO .. " (In JSON mode, wrap it as you must.)" },
  { name = "choices", wishes = { choices = { ODD, "quetzal" } },
    judge = judge_choices, question = HELLO },
  { name = "thinking on", wishes = { thinking = "on" }, question = HELLO,
    judge = function(outcome) return shown(thinks(outcome)) end },
  { name = "thinking off", wishes = { thinking = "off" }, question = HELLO,
    judge = function(outcome) return shown(not thinks(outcome)) end },
  { name = "streaming", fields = { stream = true }, question = HELLO,
    judge = function(outcome) return shown(outcome.flags.streamed) end },
  { name = "log probabilities", question = HELLO, judge = judge_logprobs,
    fields = { logprobs = true, top_logprobs = 2 } },
}

local FAULTS = { unsupported_parameter = true, bad_request = true }

local function state_of(answer, judge)
  if answer.unmapped then return UNMAPPED, answer.unmapped end
  local outcome = answer.outcome
  if FAULTS[outcome.cause] then return REFUSED, outcome.message end
  if not outcome.ok and not outcome.finish then
    return OPEN, outcome.message
  end
  return judge(outcome, answer.value), nil
end

-- Some servers call a bad moment a bad request: a refusal must come every time.
local function try_single(asker, test)
  local state, why
  for _ = 1, REFUSALS do
    local answer = asker:ask(test.question, test.wishes, test.fields)
    state, why = state_of(answer, test.judge)
    if state ~= REFUSED then break end
  end
  return { name = test.name, state = state, message = why }
end

-- }====================================================================

-- {====================================================================
-- Sampling: fields that only several calls show
-- =====================================================================

local DRAW = "Invent a fantasy name of three syllables. Answer with the name "
  .. "alone."
local DRAWS = 4

-- How many different texts, how many answers failed, and the last that did.
local function distinct_texts(answers)
  local texts, distinct, failures, failed = {}, 0, 0, nil
  for _, answer in ipairs(answers) do
    local text = answer.outcome and answer.outcome.text
    if not answer.outcome or not answer.outcome.ok then
      failures, failed = failures + 1, answer
    end
    if text and not texts[text] then
      texts[text], distinct = true, distinct + 1
    end
  end
  return distinct, failures, failed
end

-- A field is refused where every draw is: one may fail for another reason.
local function state_of_failed(failed, failures)
  local state, why = state_of(failed, function() return OPEN end)
  if state == REFUSED and failures < DRAWS then state = OPEN end
  return state, why
end

local function judge_draws(name, answers, free)
  local distinct, failures, failed = distinct_texts(answers)
  if failed then
    local state, why = state_of_failed(failed, failures)
    return { name = name, state = state, message = why }
  end
  local state = OPEN
  if free > 1 then state = shown(distinct == 1) end
  return { name = name, state = state, distinct = distinct, of = DRAWS }
end

local FREE = { temperature = 1 }

local SAMPLING = {
  { name = "temperature", wishes = { temperature = 0 } },
  { name = "top_p", wishes = { temperature = 1, top_p = 0.01 } },
  { name = "seed", wishes = { temperature = 1, seed = 7 } },
}

-- Free draws and those of every field take turns: an endpoint that changes
-- meanwhile, or grows a cache, changes for all of them.
local function try_sampling(asker)
  local answers = asker.rounds(1 + #SAMPLING, DRAWS, function(i)
    return asker:ask(DRAW, i == 1 and FREE or SAMPLING[i - 1].wishes)
  end)
  local free, results = distinct_texts(answers[1]), {}
  for i, test in ipairs(SAMPLING) do
    results[i] = judge_draws(test.name, answers[i + 1], free)
    if test.name == "seed" and not asker.model.rules.seed then
      results[i] = { name = "seed", state = UNMAPPED }
    end
  end
  return results
end

-- }====================================================================

function capabilities.run(asker)
  local results = asker.each(#SINGLE, function(i)
    return try_single(asker, SINGLE[i])
  end)
  for _, result in ipairs(try_sampling(asker)) do
    results[#results + 1] = result
  end
  return results
end

return capabilities
