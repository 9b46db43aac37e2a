-- Wait hints: every form, the whole text or nothing.
local hints = require "ecrb.wire.hints"
local headers = require "ecrb.wire.headers"

local NOW = 784111777 -- 1994-11-06T08:49:37Z

local function wait(raw, failure)
  return hints.wait(headers.of(raw), failure, NOW)
end

-- The seconds expected, or that there is no hint.
local function expect(seconds, got)
  if seconds then
    assert.near(seconds, got, 1e-9)
  else
    assert.is_nil(got)
  end
end

describe("durations", function()
  local cases = {
    { "1s", 1 }, { "6m0s", 360 }, { "120ms", 0.12 }, { "2m59.56s", 179.56 },
    { "1h2m3s", 3723 }, { "45.837906927s", 45.837906927 }, { "1d", 86400 },
    { "0s", 0 }, { "" }, { "s" }, { "12" }, { "1x" }, { "1s " }, { "-1s" },
    { "1.2.3s" }, { "1s2" }, { "2026-08-07T10:00:00Z" },
    { "99999999999999h" },
  }
  for _, case in ipairs(cases) do
    it("`" .. case[1] .. "`", function()
      expect(case[2], hints.duration(case[1]))
    end)
  end
end)

describe("dates", function()
  local cases = {
    { "http_date", "Sun, 06 Nov 1994 08:49:37 GMT", NOW },
    { "http_date", "Sun, 06 Nov 1994 08:49:37 GMT " },
    { "http_date", "Sun, 06 Foo 1994 08:49:37 GMT" },
    { "http_date", "Sun, 06 Nov 1994 25:49:37 GMT" },
    { "http_date", "Thu, 01 Jan 1970 00:00:00 GMT", 0 },
    { "http_date", "Tue, 29 Feb 2000 00:00:00 GMT", 951782400 },
    { "rfc3339", "1994-11-06T08:49:37Z", NOW },
    { "rfc3339", "1994-11-06T09:49:37+01:00", NOW },
    { "rfc3339", "1994-11-06T08:49:37.5Z", NOW + 0.5 },
    { "rfc3339", "1994-11-06T08:49:37" },
    { "rfc3339", "1994-13-06T08:49:37Z" },
  }
  for _, case in ipairs(cases) do
    it(case[1] .. " `" .. case[2] .. "`", function()
      assert.equal(case[3], hints[case[1]](case[2]))
    end)
  end
end)

describe("headers", function()
  local cases = {
    { "seconds", "Retry-After: 7", 7 },
    { "a fraction", "retry-after: 0.5", 0.5 },
    { "an HTTP date by the server's clock",
      "Date: Sun, 06 Nov 1994 08:49:00 GMT\r\n"
      .. "Retry-After: Sun, 06 Nov 1994 08:49:37 GMT", 37 },
    { "an HTTP date by ours", "Retry-After: Sun, 06 Nov 1994 08:49:47 GMT",
      10 },
    { "milliseconds win", "Retry-After: 30\r\nretry-after-ms: 300", 0.3 },
    { "a date in the past", "Retry-After: Sun, 06 Nov 1994 08:49:27 GMT" },
    { "an RFC 3339 date is no 2026 seconds",
      "Retry-After: 2026-08-07T10:00:00" },
    { "negative", "Retry-After: -1" },
    { "not a number", "Retry-After: nan" },
    { "hexadecimal", "Retry-After: 0x10" },
    { "infinite", "Retry-After: " .. string.rep("9", 400) },
    { "a Go duration", "x-ratelimit-reset-requests: 2m59.56s", 179.56 },
    { "the limit that is used up",
      "x-ratelimit-remaining-requests: 99\r\n"
      .. "x-ratelimit-reset-requests: 6m0s\r\n"
      .. "x-ratelimit-remaining-tokens: 0\r\n"
      .. "x-ratelimit-reset-tokens: 120ms", 0.12 },
    { "a reset in RFC 3339",
      "anthropic-ratelimit-requests-reset: 1994-11-06T08:50:37Z", 60 },
    { "an epoch in seconds",
      "Date: Sun, 09 Sep 2001 01:46:40 GMT\r\nX-RateLimit-Reset: 1000000007",
      7 },
    { "an epoch in milliseconds",
      "Date: Sun, 09 Sep 2001 01:46:40 GMT\r\n"
      .. "X-RateLimit-Reset: 1000000007500", 7.5 },
    { "none", "Server: x" },
  }
  for _, case in ipairs(cases) do
    it(case[1], function()
      expect(case[3], wait("HTTP/1.1 429 Too Many Requests\r\n" .. case[2]
                       .. "\r\n"))
    end)
  end

  it("a header of a million blanks is read in no time", function()
    local blanks = string.rep(" ", 1000000)
    assert.is_nil(wait("Retry-After: x" .. blanks .. "y\r\nServer: "
                       .. blanks))
  end)

  it("an order to retry or not", function()
    assert.is_true(hints.order(headers.of("x-should-retry: true")))
    assert.is_false(hints.order(headers.of("X-Should-Retry: false")))
    assert.is_nil(hints.order(headers.of("x-should-retry: maybe")))
  end)
end)

describe("bodies", function()
  it("Google's RetryInfo", function()
    assert.near(45.837906927, wait("", { message = "", details = {
      { ["@type"] = "type.googleapis.com/google.rpc.QuotaFailure" },
      { ["@type"] = "type.googleapis.com/google.rpc.RetryInfo",
        retryDelay = "45.837906927s" } } }), 1e-9)
  end)

  it("OpenRouter's metadata", function()
    assert.near(5, wait("", { message = "", metadata = { headers = {
      ["X-RateLimit-Reset"] = tostring((NOW + 5) * 1000) } } }), 1e-6)
  end)

  local sentences = {
    { "Rate limit reached. Please try again in 5.289s.", 5.289 },
    { "Please retry in 45.8s.", 45.8 },
    { "try again in 6m0s", 360 }, { "Please try again in 20 seconds.", 20 },
    { "try again in 120ms.", 0.12 }, { "try again in 2 minutes", 120 },
    { "try again in a while" }, { "try again in 5 apples" },
    { "try again in 2026-08-07" },
  }
  for _, case in ipairs(sentences) do
    it("`" .. case[1] .. "`", function()
      expect(case[2], wait("", { message = case[1] }))
    end)
  end
end)
