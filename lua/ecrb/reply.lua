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
local json = require "ecrb.json"
local causes = require "ecrb.wire.causes"
local errors = require "ecrb.wire.errors"
local headers = require "ecrb.wire.headers"
local hints = require "ecrb.wire.hints"
local judge = require "ecrb.wire.judge"
local message_reader = require "ecrb.wire.message"
local sse = require "ecrb.wire.sse"
local strict_json = require "ecrb.wire.strict_json"
local usage = require "ecrb.wire.usage"
local verdict = require "ecrb.wire.verdict"
local words = require "ecrb.wire.words"

local fail = judge.fail
local present, quoted = json.present, words.quoted
local text_or_nil = words.text_or_nil

local reply = {}

local PAGE_BYTES = 300 -- of a page without a title, in a message

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
  if cause == "too_large" and (response.body or "") ~= "" then
    detail = detail .. "; " .. causes[cause].remedy
  end
  return fail({ flags = {} }, cause, quoted(detail))
end

-- A few words out of a page that is no JSON: its title, or its beginning.
local function page_words(body)
  local title = string.match(body, "<[tT][iI][tT][lL][eE]>%s*([^<]+)")
  return quoted(title or string.sub(body, 1, PAGE_BYTES))
end

-- What a server says: in its error, in a page, or where it sends us.
local function said_by(failure, body, get)
  local said = failure and failure.message or ""
  if said ~= "" then return quoted(said) end
  local to = not string.find(body, "%S") and get("location")
  return to and "to " .. quoted(to) or page_words(body)
end

local function server_words(status, failure, body, get)
  local said = said_by(failure, body, get)
  local code = failure and (failure.code or failure.type)
  local named = code and " " .. quoted(code) or ""
  local param = failure and failure.param
  local field = param and " (parameter " .. quoted(param) .. ")" or ""
  return string.format("HTTP %d%s%s%s", status, named, field,
                       said ~= "" and ": " .. said or "")
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
                       server_words(response.status, failure, body, get))
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

local function bad_response(message, cause)
  return fail({ flags = {} }, cause or "bad_response", message)
end

local function unreadable(body, why, cause)
  if string.find(body, "^[%s\u{feff}]*<") then
    return bad_response("a page in place of a reply: " .. page_words(body))
  end
  return bad_response("the body is no reply: " .. quoted(why or "no object"), cause)
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

local function first_choice(value)
  local choices = present(value.choices)
  local first = type(choices) == "table" and choices[1]
  if type(first) ~= "table" or type(first.message) ~= "table" then
    return nil
  end
  return first
end

local function filter_outage(choice)
  local results = present(choice.content_filter_results)
  return type(results) == "table" and present(results.error) ~= nil or nil
end

local function read_completion(value, want, flags)
  local outcome = {
    flags = flags, usage = usage.read(present(value.usage), want, flags),
    model = text_or_nil(value.model),
    provider = text_or_nil(value.provider),
    fingerprint = text_or_nil(value.system_fingerprint),
    ok = nil, finish = nil, text = nil, reasoning = nil, -- room for what follows
    raw = nil, status = nil, attempts = nil, sent = nil, spent = nil,
  }
  local choice = first_choice(value)
  if not choice then
    return fail(outcome, "no_choice", "the reply holds no choice")
  end
  outcome.finish = text_or_nil(choice.finish_reason)
  flags.filter_outage = filter_outage(choice)
  message_reader.read(outcome, choice.message)
  usage.check(outcome.usage, outcome.text or "", flags)
  if want.tools then
    outcome.call = message_reader.tool_call(choice.message)
  end
  return judge.pass(outcome, want, choice.message)
end

local function read_good_status(response, want, now)
  local body, flags = response.body or "", {}
  if not string.find(body, "%S") then return bad_response("a blank body") end
  local value, why, cause = decode(body, flags)
  if type(value) ~= "table" then return unreadable(body, why, cause) end
  local failure = error_within(value)
  if failure then return refusal(response, now, failure, body) end
  return read_completion(value, want, flags)
end

local function read_bad_status(response, now)
  local body = response.body or ""
  local failure = errors.extract((strict_json.decode(body, {})))
  return refusal(response, now, failure, body)
end

local LOST_AFTER = { idle = true, total = true, cut = true }

-- Some servers send the end of the stream and then hold the connection, or
-- drop it: what ends with [DONE], or holds a finish reason and usage, is whole.
local function whole_stream(response, want, now)
  local body = response.body or ""
  if not LOST_AFTER[response.ending] or response.status > 299
    or not sse.is_stream(body) then
    return nil
  end
  local outcome = read_good_status(response, want, now)
  if string.find(string.sub(body, -64), "data: ?%[DONE%]%s*$")
    or outcome.finish and outcome.usage then
    return outcome
  end
end

-- The outcome of one HTTP exchange. `response` is what the transport's `fetch`
-- gives; `want` what was asked for:
--   {model=, accepts={...}, strict=, cap=, bytes=, bytes_per_token=,
--    choices={...}, unwrap=}, every field optional; `now` the epoch.
function reply.read(response, want, now)
  if response.ending ~= "done" then
    return whole_stream(response, want, now) or transport_failure(response)
  end
  if response.status >= 200 and response.status <= 299 then
    return read_good_status(response, want, now)
  end
  return read_bad_status(response, now)
end

return reply
