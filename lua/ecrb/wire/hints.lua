-- How long a server asks us to wait, in every form that servers use: seconds,
-- milliseconds, HTTP dates, RFC 3339, epochs, Go durations, Google's RetryInfo
-- and plain sentences. A text counts only if the whole of it is a hint:
-- `2026-08-07T10:00:00Z` is a date and never 2026 seconds. What is negative,
-- not finite, in the past or more than a year away is no hint.
local hints = {}

local YEAR = 366 * 86400

local function sane(seconds)
  if seconds and seconds >= 0 and seconds <= YEAR then return seconds end
  return nil
end

-- A plain decimal number, or nil: no sign, no exponent, no hexadecimal.
local function decimal(text)
  if string.match(text, "^%d+%.?%d*$") or string.match(text, "^%.%d+$") then
    return tonumber(text)
  end
  return nil
end

local UNITS = { ms = 0.001, s = 1, m = 60, h = 3600, d = 86400 }

-- `1s`, `6m0s`, `120ms`, `2m59.56s`.
function hints.duration(text)
  local total, at = 0, 1
  while at <= #text do
    local number, unit, after = string.match(text, "^([%d.]+)(%a+)()", at)
    local value = number and decimal(number)
    if not value or not UNITS[unit] then return nil end
    total, at = total + value * UNITS[unit], after
  end
  if at == 1 then return nil end
  return sane(total)
end

-- Days from 1970-01-01 to a civil date: counting from March puts the leap day
-- at the end of the year.
local function days(year, month, day)
  if month <= 2 then year, month = year - 1, month + 12 end
  local leaps = year // 4 - year // 100 + year // 400
  return 365 * year + leaps + (153 * (month - 3) + 2) // 5 + day - 719469
end

local function epoch(year, month, day, hour, minute, second)
  if month < 1 or month > 12 or day < 1 or day > 31 or hour > 23
    or minute > 59 or second >= 61 then
    return nil
  end
  return days(year, month, day) * 86400 + hour * 3600 + minute * 60 + second
end

local MONTHS = {
  Jan = 1, Feb = 2, Mar = 3, Apr = 4, May = 5, Jun = 6,
  Jul = 7, Aug = 8, Sep = 9, Oct = 10, Nov = 11, Dec = 12,
}

-- `Sun, 06 Nov 1994 08:49:37 GMT`, the one date form that servers may send.
function hints.http_date(text)
  local day, month, year, hour, minute, second = string.match(
    text, "^%a%a%a, (%d%d) (%a%a%a) (%d%d%d%d) (%d%d):(%d%d):(%d%d) GMT$")
  if not MONTHS[month] then return nil end
  return epoch(tonumber(year), MONTHS[month], tonumber(day), tonumber(hour),
               tonumber(minute), tonumber(second))
end

local function zone(text)
  if text == "Z" or text == "z" then return 0 end
  local sign, hour, minute = string.match(text, "^([+-])(%d%d):(%d%d)$")
  if not sign then return nil end
  local offset = tonumber(hour) * 3600 + tonumber(minute) * 60
  return sign == "-" and -offset or offset
end

-- `2026-08-07T10:00:00.25+02:00`.
function hints.rfc3339(text)
  local year, month, day, hour, minute, second, rest = string.match(
    text, "^(%d%d%d%d)%-(%d%d)%-(%d%d)[Tt ](%d%d):(%d%d):(%d%d%.?%d*)(.*)$")
  local offset = rest and zone(rest)
  local at = offset and epoch(tonumber(year), tonumber(month), tonumber(day),
                              tonumber(hour), tonumber(minute),
                              tonumber(second))
  return at and at - offset
end

-- Seconds from `now` until a number means: an epoch in milliseconds or in
-- seconds where it is large enough for one, else seconds from now.
local function from_number(value, now)
  if value >= 1e11 then return sane(value / 1000 - now) end
  if value >= 1e9 then return sane(value - now) end
  return sane(value)
end

-- Any form that a reset header uses.
function hints.moment(text, now)
  local number = decimal(text)
  if number then return from_number(number, now) end
  local at = hints.rfc3339(text) or hints.http_date(text)
  if at then return sane(at - now) end
  return hints.duration(text)
end

local function milliseconds(text)
  local value = decimal(text)
  return value and sane(value / 1000)
end

local function with_header(name, read)
  return function(get, _, now)
    local text = get(name)
    return text and read(text, now)
  end
end

local RESETS = {
  { "x-ratelimit-reset-requests", "x-ratelimit-remaining-requests" },
  { "x-ratelimit-reset-tokens", "x-ratelimit-remaining-tokens" },
  { "anthropic-ratelimit-requests-reset",
    "anthropic-ratelimit-requests-remaining" },
  { "anthropic-ratelimit-tokens-reset",
    "anthropic-ratelimit-tokens-remaining" },
  { "x-ratelimit-reset", "x-ratelimit-remaining" },
  { "ratelimit-reset", "ratelimit-remaining" },
}

-- The latest reset among the limits that are used up; a limit that does not
-- say how much is left counts as used up.
local function resets(get, _, now)
  local longest
  for _, pair in ipairs(RESETS) do
    local text, left = get(pair[1]), tonumber(get(pair[2]) or "0")
    local wait = text and left and left <= 0 and hints.moment(text, now)
    if wait and wait > (longest or -1) then longest = wait end
  end
  return longest
end

-- Google: error.details[] holds a RetryInfo with retryDelay "45.8s".
local function retry_info(_, failure)
  for _, detail in ipairs(failure and failure.details or {}) do
    local delay = type(detail) == "table" and detail.retryDelay
    local wait = type(delay) == "string" and hints.duration(delay)
    if wait then return wait end
  end
  return nil
end

-- OpenRouter puts the upstream's headers into error.metadata.headers.
local function metadata(_, failure, now)
  local inner = failure and failure.metadata
  inner = type(inner) == "table" and inner.headers
  if type(inner) ~= "table" then return nil end
  for name, value in pairs(inner) do
    if string.lower(tostring(name)) == "x-ratelimit-reset" then
      if type(value) == "number" then return from_number(value, now) end
      return type(value) == "string" and hints.moment(value, now) or nil
    end
  end
  return nil
end

local SENTENCES = {
  "try again in (%d[%w.]*)%s*(%a*)", "retry in (%d[%w.]*)%s*(%a*)",
  "retry after (%d[%w.]*)%s*(%a*)", "retrydelay[\"': ]+(%d[%w.]*)()",
}
local WORDS = { second = 1, seconds = 1, minute = 60, minutes = 60 }

local function spoken(amount, word)
  amount = string.gsub(amount, "%.$", "")
  local number = decimal(amount)
  if not number then return hints.duration(amount) end
  return WORDS[word] and sane(number * WORDS[word])
end

-- `Please try again in 5.289s.`
function hints.sentence(text)
  local lower = string.lower(text)
  for _, pattern in ipairs(SENTENCES) do
    local amount, word = string.match(lower, pattern)
    local wait = amount and spoken(amount, word)
    if wait then return wait end
  end
  return nil
end

local function message(_, failure)
  return failure and failure.message and hints.sentence(failure.message)
end

-- Most reliable first.
local SOURCES = {
  with_header("retry-after-ms", milliseconds),
  with_header("retry-after", hints.moment),
  retry_info, metadata, message, resets,
}

-- The seconds to wait, or nil. `get` reads headers, `failure` is what
-- errors.extract found or nil, `now` the epoch by our clock; the server's own
-- `Date` is preferred, because our clock may be off.
function hints.wait(get, failure, now)
  local date = get("date")
  now = date and hints.http_date(date) or now
  for _, source in ipairs(SOURCES) do
    local wait = source(get, failure, now)
    if wait then return wait end
  end
  return nil
end

local ORDERS = { ["true"] = true, ["false"] = false }

-- What `x-should-retry` orders: true, false, or nil where it is silent.
function hints.order(get)
  return ORDERS[string.lower(get("x-should-retry") or "")]
end

return hints
