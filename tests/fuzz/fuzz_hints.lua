-- Any bytes as headers, and behind an empty line as the words of an error: a
-- server's wish for a pause is none, or from nothing to a year; what is kept of
-- headers is short.

local headers = require "ecrb.wire.headers"
local hints = require "ecrb.wire.hints"
local strict_json = require "ecrb.wire.strict_json"
local errors = require "ecrb.wire.errors"

local NOW = 1800000000
local YEAR = 366 * 86400

local function check(wait)
  assert(wait == nil or wait >= 0 and wait <= YEAR, wait)
end

local function check_kept(kept)
  for _, value in pairs(kept or {}) do assert(#value <= 200) end
end

return function (bytes)
  local head, body = string.match(bytes, "^(.-)\r?\n\r?\n(.*)$")
  local get = headers.of(head or bytes)
  body = body or ""
  local failure = errors.extract((strict_json.decode(body, {}))) or { message = body }
  check(hints.wait(get, failure, NOW))
  check(hints.moment(bytes, NOW))
  check(hints.sentence(body))
  hints.order(get)
  check_kept(headers.kept(get))
end
