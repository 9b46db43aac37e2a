-- What counts as an answer once a completion was read: checks in order, the
-- first that speaks gives the cause.
local causes = require "ecrb.wire.causes"
local json = require "ecrb.json"
local words = require "ecrb.wire.words"

local is_blank, quoted = words.is_blank, words.quoted

local judge = {}

local FINISH = {
  stop = "complete", eos = "complete", end_turn = "complete",
  stop_sequence = "complete", eos_token = "complete",
  length = "truncated", model_length = "truncated",
  max_tokens = "truncated", MAX_TOKENS = "truncated",
  content_filter = "refused", sensitive = "refused", refusal = "refused",
  SAFETY = "refused",
  insufficient_system_resource = "interrupted",
  network_error = "interrupted", error = "interrupted",
  abort = "interrupted",
  tool_calls = "tool_call", function_call = "tool_call",
  model_context_window_exceeded = "context_overflow",
}

local function check_refusal(_, _, message)
  local refusal = words.text_or_nil(message.refusal)
  if not is_blank(refusal) then
    return "refused", "the model refused: " .. quoted(refusal)
  end
end

-- Some servers say `stop` when the output limit ended the thinking.
local function limit_spent(outcome, want)
  local spent = outcome.usage
    and (outcome.usage.completion or outcome.usage.reasoning)
  return want.cap and spent and spent >= want.cap
end

local function check_length(outcome, want)
  local state = FINISH[outcome.finish]
  if state ~= "truncated" and not limit_spent(outcome, want) then return end
  if is_blank(outcome.text) or outcome.flags.unclosed then
    return "budget_exhausted",
      "the output limit was spent before any answer text"
  elseif state == "truncated" then
    return "truncated", "the answer was cut at the output limit"
  end
end

local WORDS = {
  refused = "a content filter withheld the answer",
  interrupted = "the server broke off",
  tool_call = "the model called a tool that nobody offered",
  context_overflow = "the context window was full",
}

local function check_finish(outcome)
  local finish = outcome.finish
  if finish == nil then return "unfinished", "no finish reason" end
  local state = FINISH[finish]
  if state == "tool_call" and outcome.call then return end
  if state == nil then
    return "unknown_finish", "unknown finish reason " .. quoted(finish)
  end
  if state ~= "complete" then
    return state, WORDS[state] .. " (" .. finish .. ")"
  end
end

local function check_text(outcome)
  if outcome.flags.unclosed then
    return "no_answer", "the thinking never ended"
  end
  if not is_blank(outcome.text) or outcome.call then return end
  if not outcome.reasoning then return "empty_answer", "no answer text" end
  outcome.flags.only_reasoning = true
  return "empty_answer", "no answer text, only reasoning"
end

local function accepts_model(want, echoed)
  if echoed == want.model
    or string.sub(echoed, 1, #want.model + 1) == want.model .. "-" then
    return true
  end
  for _, name in ipairs(want.accepts or {}) do
    if echoed == name then return true end
  end
  return false
end

local function check_echo(outcome, want)
  local echoed = outcome.model
  if not echoed or not want.model or accepts_model(want, echoed) then
    return
  end
  outcome.flags.other_model = echoed
  if want.strict then
    return "wrong_model", string.format(
      "asked for %s, answered by %s", want.model, quoted(echoed))
  end
end

-- No tokenizer puts so many bytes of these prompts into one token. A body has
-- other things in it than the prompt: so much is not counted.
local BYTES_PER_TOKEN, OTHER_BYTES = 8, 1024

local function check_prompt(outcome, want)
  local counted = outcome.usage and outcome.usage.prompt
  if not counted or not want.bytes or counted == 0 then return end
  local least = (want.bytes - OTHER_BYTES)
    // (want.bytes_per_token or BYTES_PER_TOKEN)
  if counted < least then
    return "prompt_truncated", string.format(
      "the server counted %d prompt tokens where %d bytes make at least %d",
      counted, want.bytes, least)
  end
end

-- A choice constraint came as a JSON object where the dialect has no other way.
local function unwrapped(answer)
  local value = json.decode(answer)
  return type(value) == "table" and value.choice or answer
end

local function check_choice(outcome, want)
  if not want.choices then return end
  if want.unwrap then outcome.text = unwrapped(outcome.text) end
  for _, choice in ipairs(want.choices) do
    if outcome.text == choice then return end
  end
  return "constraint_not_applied", "the answer is none of the choices"
end

local CHECKS = { check_echo, check_refusal, check_length, check_finish,
                 check_text, check_prompt, check_choice }

-- Turns an outcome into a failed one.
function judge.fail(outcome, cause, why)
  outcome.ok = false
  outcome.cause = cause
  outcome.class = causes[cause].class
  outcome.message = why
  return outcome
end

-- Says of an outcome whether it is a reply; `want` as reply.read has it.
function judge.pass(outcome, want, message)
  for i = 1, #CHECKS do
    local cause, why = CHECKS[i](outcome, want, message)
    if cause then return judge.fail(outcome, cause, why) end
  end
  outcome.ok = true
  return outcome
end

return judge
