-- What counts as a reply. HTTP 200 is not success: a reply counts only if the
-- body is whole and strict JSON (or a whole stream), holds no error object, has
-- a choice with an accepted finish reason, and text in it that is not blank
-- once the thinking is taken off. Everything else gets a cause.
--
-- An outcome is
--   {ok=true, text=, reasoning=, finish=, usage=, model=, fingerprint=, flags=}
--   {ok=false, cause=, class=, message=, wait=, ...}: the same fields as far as
--   they are known, `class` from wire/causes.lua, `wait` in seconds where the
--   server named one, `last` where it said not to try again.
local causes = require "ecrb.wire.causes"
local errors = require "ecrb.wire.errors"
local headers = require "ecrb.wire.headers"
local hints = require "ecrb.wire.hints"
local json = require "ecrb.json"
local sse = require "ecrb.wire.sse"
local strict_json = require "ecrb.wire.strict_json"
local tags = require "ecrb.wire.tags"
local usage = require "ecrb.wire.usage"
local verdict = require "ecrb.wire.verdict"
local text = require "core.text"

local reply = {}

local MESSAGE_BYTES = 300 -- of a server's words, in a message

local function present(value)
  if value == json.null then return nil end
  return value
end

local function quoted(words)
  words = string.gsub(words, "%s+", " ")
  if #words > MESSAGE_BYTES then
    words = string.sub(words, 1, MESSAGE_BYTES) .. "..."
  end
  return text.printable(words)
end

-- Turns the outcome into a failed one.
local function fail(outcome, cause, message)
  outcome.ok = false
  outcome.cause = cause
  outcome.class = causes[cause].class
  outcome.message = message
  return outcome
end

-- A failed outcome of the client's own making.
function reply.failure(cause, message)
  return fail({ flags = {} }, cause, message)
end

-- {====================================================================
-- The wire: transport endings, statuses, error objects
-- =====================================================================

local function transport_failure(response)
  local cause = verdict.of_ending(response.ending, response.detail)
  local detail = response.detail or ""
  if detail == "" then detail = response.ending end
  return fail({ flags = {} }, cause, quoted(detail))
end

-- A few words out of a page that is no JSON: its title, or its beginning.
local function page_words(body)
  local title = string.match(body, "<[tT][iI][tT][lL][eE]>%s*([^<]+)")
  return quoted(title or string.sub(body, 1, MESSAGE_BYTES))
end

local function server_words(status, failure, body)
  local words = failure and failure.message or ""
  if words ~= "" then words = quoted(words) else words = page_words(body) end
  local code = failure and (failure.code or failure.type)
  local named = code and " " .. quoted(code) or ""
  local param = failure and failure.param
  local field = param and " (parameter " .. quoted(param) .. ")" or ""
  return string.format("HTTP %d%s%s: %s", status, named, field, words)
end

-- `x-should-retry` overrules the status, never a code in the body.
local function heed_order(outcome, named, get)
  local order = hints.order(get)
  if named or order == nil then return end
  if order and outcome.class == "item" then outcome.class = "retry" end
  outcome.last = not order or nil
end

local function refusal(response, now, failure, body)
  local get = headers.of(response.headers)
  local cause, named = verdict.of(response.status, failure)
  cause = cause or "bad_response"
  local outcome = fail({ flags = {} }, cause,
                       server_words(response.status, failure, body))
  outcome.wait = hints.wait(get, failure, now)
  outcome.headers = headers.kept(get)
  heed_order(outcome, named, get)
  if cause == "money" and response.status == 402 and outcome.wait then
    outcome.class = "retry" -- a budget of calls in flight, not an empty purse
  end
  return outcome
end

-- }====================================================================

-- {====================================================================
-- The body
-- =====================================================================

local function decode(body, flags)
  if sse.is_stream(body) then return sse.assemble(body, flags) end
  return strict_json.decode(body, flags)
end

local function bad_response(message)
  return fail({ flags = {} }, "bad_response", message)
end

local function unreadable(body, why)
  if string.find(body, "^[%s\u{feff}]*<") then
    return bad_response("a page in place of a reply: " .. page_words(body))
  end
  return bad_response("the body is no reply: " .. quoted(why or "no object"))
end

-- The error in a body that came with a good status: at the top, or in the
-- first choice.
local function error_within(value)
  local choices = present(value.choices)
  if present(value.error) or choices == nil then
    return errors.extract(value)
  end
  local first = type(choices) == "table" and choices[1]
  local inner = type(first) == "table" and present(first.error)
  return inner and errors.extract({ error = inner }) or nil
end

-- }====================================================================

-- {====================================================================
-- The message
-- =====================================================================

local function append(list, words)
  if type(words) == "string" then list[#list + 1] = words end
end

-- Thinking comes as a text or as nested lists of parts that hold texts.
local function append_thinking(list, value)
  if type(value) ~= "table" then return append(list, value) end
  append(list, value.text or value.summary)
  for _, part in ipairs(value) do append_thinking(list, part) end
end

local function joined(list)
  return list[1] and table.concat(list) or nil
end

-- Which fields of a content part hold text, by the part's type.
local ANSWER_PART = { text = "text", output_text = "text" }
local THINKING_PART = { thinking = "thinking", reasoning = "reasoning" }

local function read_parts(parts, flags)
  local answer, thinking = {}, {}
  for _, part in ipairs(parts) do
    local kind = type(part) == "table" and part.type or type(part)
    if ANSWER_PART[kind] then
      append(answer, part[ANSWER_PART[kind]])
    elseif THINKING_PART[kind] then
      append_thinking(thinking, part[THINKING_PART[kind]] or part.text)
    else
      flags.unknown_part = tostring(kind)
    end
  end
  return joined(answer), joined(thinking)
end

-- The answer text and the thinking in `content`; nil for what it lacks.
local function read_content(content, flags)
  if type(content) == "string" then return content, nil end
  if type(content) == "table" then return read_parts(content, flags) end
  return nil, nil
end

-- Vendors name the field differently; some fill two with the same text.
local function reasoning_field(message)
  local list = {}
  append_thinking(list, present(message.reasoning_content)
    or present(message.reasoning) or present(message.reasoning_details))
  return joined(list)
end

local function valid_utf8(words, flags)
  local mended, broken = text.utf8(words)
  flags.bad_utf8 = flags.bad_utf8 or broken or nil
  return mended
end

local function read_message(outcome, message)
  local flags = outcome.flags
  local content, thinking = read_content(present(message.content), flags)
  local inline, unclosed
  if content then
    content = valid_utf8(content, flags)
    outcome.text, inline, unclosed = tags.split(content)
    flags.unclosed = unclosed or nil
  end
  local thoughts = {}
  append(thoughts, reasoning_field(message))
  append(thoughts, thinking)
  append(thoughts, inline)
  if thoughts[1] then
    outcome.reasoning = valid_utf8(table.concat(thoughts, "\n"), flags)
  end
end

-- }====================================================================

-- {====================================================================
-- The judgement: checks in order, the first that speaks decides
-- =====================================================================

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

local function is_blank(words)
  return words == nil or not string.find(words, "%S")
end

local function check_refusal(_, _, message)
  local words = present(message.refusal)
  if type(words) == "string" and not is_blank(words) then
    return "refused", "the model refused: " .. quoted(words)
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
local function unwrapped(words)
  local value = json.decode(words)
  return type(value) == "table" and value.choice or words
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

local function judge(outcome, want, message)
  for _, check in ipairs(CHECKS) do
    local cause, why = check(outcome, want, message)
    if cause then return fail(outcome, cause, why) end
  end
  outcome.ok = true
  return outcome
end

-- }====================================================================

-- The first call of a tool that was offered: {name=, arguments=}, the arguments
-- as a table, empty where they are no JSON object.
local function first_call(message)
  local calls = present(message.tool_calls)
  local first = type(calls) == "table" and calls[1]
  local called = type(first) == "table" and present(first["function"])
  if type(called) ~= "table" or type(called.name) ~= "string" then return nil end
  local arguments = type(called.arguments) == "string" and json.decode(called.arguments)
  return { name = called.name, arguments = type(arguments) == "table" and arguments or {} }
end

local function first_choice(value)
  local choices = present(value.choices)
  local first = type(choices) == "table" and choices[1]
  if type(first) ~= "table" or type(first.message) ~= "table" then
    return nil
  end
  return first
end

local function text_or_nil(value)
  return type(value) == "string" and value or nil
end

local function filter_outage(choice)
  local results = present(choice.content_filter_results)
  return type(results) == "table" and present(results.error) ~= nil or nil
end

local function read_completion(value, want, flags)
  local outcome = {
    flags = flags, usage = usage.read(present(value.usage), flags),
    model = text_or_nil(value.model),
    provider = text_or_nil(value.provider),
    fingerprint = text_or_nil(value.system_fingerprint),
  }
  local choice = first_choice(value)
  if not choice then
    return fail(outcome, "no_choice", "the reply holds no choice")
  end
  outcome.finish = text_or_nil(choice.finish_reason)
  flags.filter_outage = filter_outage(choice)
  read_message(outcome, choice.message)
  if want.tools then outcome.call = first_call(choice.message) end
  return judge(outcome, want, choice.message)
end

local function read_good_status(response, want, now)
  local body, flags = response.body or "", {}
  if not string.find(body, "%S") then return bad_response("a blank body") end
  local value, why = decode(body, flags)
  if type(value) ~= "table" then return unreadable(body, why) end
  local failure = error_within(value)
  if failure then return refusal(response, now, failure, body) end
  return read_completion(value, want, flags)
end

local function read_bad_status(response, now)
  local body = response.body or ""
  local failure = errors.extract((strict_json.decode(body, {})))
  return refusal(response, now, failure, body)
end

-- Some servers send the end of the stream and then hold the connection, or
-- drop it.
local function stream_is_whole(response)
  local ending, body = response.ending, response.body or ""
  return (ending == "idle" or ending == "total" or ending == "cut")
    and string.find(string.sub(body, -64), "data: ?%[DONE%]%s*$") ~= nil
    and sse.is_stream(body)
end

-- The outcome of one HTTP exchange. `response` is what the transport's `fetch`
-- gives; `want` what was asked for:
--   {model=, accepts={...}, strict=, cap=, bytes=, bytes_per_token=,
--    choices={...}, unwrap=}, every field optional; `now` the epoch.
function reply.read(response, want, now)
  if response.ending ~= "done" and not stream_is_whole(response) then
    return transport_failure(response)
  end
  if response.status >= 200 and response.status <= 299 then
    return read_good_status(response, want, now)
  end
  return read_bad_status(response, now)
end

return reply
