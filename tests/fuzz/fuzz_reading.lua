-- Any bytes as a model's reply: everything that reads one comes to an end with a
-- reading whose span lies in the reply, or with a reason.

local reading = require "ecrb.reading"
local core_ec = require "core.ec"

local candidates = { { ec = "1.1.-.-" }, { ec = "1.14.-.-" }, { ec = "2.7.-.-" },
  more = true }

local function check_span(body, span)
  assert(1 <= span.first and span.first <= span.last and span.last <= #body)
end

local function check(body, read, why)
  if read == nil then
    assert(type(why) == "string")
    return nil
  end
  check_span(body, read)
  assert(read.unsure or read.more or core_ec.parse(read.ec) == read.ec)
  return read
end

local function check_list(body, list, why)
  if list == nil or list.unsure then
    check(body, list, why)
    return
  end
  assert(#list > 0)
  for _, number in ipairs(list) do check(body, number) end
end

local function check_confidence(body, value, span)
  if value == nil then
    assert(type(span) == "string")
    return
  end
  assert(value >= 0 and value <= 1)
  check_span(body, span)
end

local function is_candidate(ec)
  for _, candidate in ipairs(candidates) do
    if candidate.ec == ec then return true end
  end
end

return function (body)
  local chosen = check(body, reading.choice(body, candidates))
  assert(not chosen or not chosen.ec or is_candidate(chosen.ec))
  check(body, reading.answer(body))
  check_list(body, reading.ranking(body))
  check_confidence(body, reading.confidence(body))
  local channel, span = reading.action(body, { "blast", "active_site" })
  if channel then check_span(body, span) end
  local value, place = reading.field(body, "HYPOTHESIS")
  if value then check_span(body, place) end
end
