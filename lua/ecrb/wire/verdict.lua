-- From a status and an error object to a cause. The body's code speaks before
-- its words, its words before the status: 429 alone has three meanings.
local verdict = {}

local function set(...)
  local names = {}
  for _, name in ipairs({ ... }) do names[name] = true end
  return names
end

-- First match wins. `codes` match the error's code or type in lower case;
-- `words` are patterns on its message in lower case; `status`, where given,
-- must agree too.
local RULES = {
  { cause = "context_overflow",
    codes = set("context_length_exceeded", "exceed_context_size_error",
                "1261", "model_context_window_exceeded"),
    words = { "maximum context length", "context length exceeded",
              "exceeds the available context", "prompt is too long",
              "exceed context window", "longer than the model's context" } },
  { cause = "refused",
    codes = set("content_filter", "1301", "data_inspection_failed",
                "datainspectionfailed", "content_policy_violation",
                "responsibleaipolicyviolation", "moderation_blocked"),
    words = { "content management policy", "flagged by moderation",
              "requires moderation", "data may contain inappropriate" } },
  { cause = "money",
    codes = set("insufficient_quota", "credit_balance_exhausted", "1113",
                "billing_hard_limit_reached", "billing_not_active",
                "insufficient_balance", "arrearage",
                "insufficient_user_quota"),
    words = { "insufficient balance", "insufficient credits",
              "credit balance is too low" } },
  { cause = "quota", status = set(429, 403),
    codes = set("1304", "1308", "1310", "rate_limit_exceeded_daily",
                "daily_limit_exceeded", "free-models-per-day"),
    words = { "perday", "per%-day", "per day", "daily limit", "daily quota",
              "weekly limit", "monthly limit" } },
  { cause = "bad_key",
    codes = set("invalid_api_key", "invalid_authentication", "1000", "1001",
                "1002", "1003", "account_deactivated"),
    words = { "incorrect api key", "invalid api key", "api key not valid" } },
  { cause = "no_model",
    codes = set("model_not_found", "1211", "model_not_exist",
                "unknown_model", "deploymentnotfound"),
    words = { "model not exist", "the model `[^`]*` does not exist",
              "is not a valid model id" } },
  { cause = "unsupported_parameter", status = set(400, 422),
    codes = set("unsupported_parameter", "unsupported_value",
                "unknown_parameter", "unrecognized_request_argument"),
    words = { "unsupported parameter", "unknown name \"",
              "extra inputs are not permitted", "unknown variant" } },
  { cause = "overloaded", codes = set("slow_down", "1305", "overloaded_error",
                                      "server_overloaded") },
  { cause = "rate_limited",
    codes = set("rate_limit_exceeded", "1302", "1303") },
  { cause = "server_error", codes = set("1234") },
}

local BY_STATUS = {
  [401] = "bad_key", [402] = "money", [403] = "bad_key", [404] = "no_model",
  [408] = "try_later", [409] = "try_later", [413] = "request_too_large",
  [425] = "try_later", [429] = "rate_limited", [498] = "overloaded",
  [503] = "overloaded", [529] = "overloaded",
}

local function in_message(words, message)
  for _, pattern in ipairs(words or {}) do
    if string.find(message, pattern) then return true end
  end
  return false
end

-- What Google puts into details (a quota's name) and others into metadata
-- counts as part of the message.
local function everything_said(failure)
  local parts = { failure.message }
  for _, detail in ipairs(failure.details or {}) do
    for _, violation in ipairs(type(detail) == "table"
                               and type(detail.violations) == "table"
                               and detail.violations or {}) do
      parts[#parts + 1] = tostring(violation.quotaId or "")
    end
  end
  return string.lower(table.concat(parts, " "))
end

local function matches(rule, code, kind, said, status)
  if rule.status and not rule.status[status] then return false end
  return rule.codes[code] or rule.codes[kind]
    or in_message(rule.words, said)
end

local function by_rules(failure, status)
  local code = string.lower(failure.code or "")
  local kind = string.lower(failure.type or "")
  local said = everything_said(failure)
  for _, rule in ipairs(RULES) do
    if matches(rule, code, kind, said, status) then return rule.cause end
  end
  return nil
end

local function by_status(status)
  if BY_STATUS[status] then return BY_STATUS[status] end
  if status >= 500 then return "server_error" end
  if status >= 400 then return "bad_request" end
  if status >= 300 then return "redirect" end
  return nil
end

-- The cause, and whether the body named it (then no header overrides it);
-- nil where neither body nor status speaks of a failure.
function verdict.of(status, failure)
  local effective = failure and failure.status or status
  local named = failure and by_rules(failure, effective)
  if named then return named, true end
  return by_status(effective), false
end

-- The transport's endings.
local ENDINGS = {
  dns = "dns", connect = "connect", tls = "tls", reset = "reset",
  cut = "cut", first_byte = "timeout", idle = "timeout", total = "timeout",
  too_large = "too_large", other = "transport",
}

-- A handshake that broke off may work the next time; a certificate will not.
local BROKEN_HANDSHAKE = { "reset by peer", "syscall", "unexpected eof",
                           "timed out", "closed" }

function verdict.of_ending(ending, detail)
  local cause = ENDINGS[ending] or "transport"
  if cause == "tls" and in_message(BROKEN_HANDSHAKE,
                                   string.lower(detail or "")) then
    return "handshake"
  end
  return cause
end

return verdict
