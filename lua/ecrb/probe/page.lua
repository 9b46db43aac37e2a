-- A probe as text for people.
local counted = require "ecrb.counted"
local tables = require "ecrb.tables"
local text = require "core.text"

local page = {}

local function say_reach(reach)
  if not reach.reached then
    return "not reached: " .. reach.message
  end
  local list = reach.models == nil and "no list of models"
    or counted("%d {model|models} listed, this one %s", reach.models,
                     reach.listed and "among them" or "not among them")
  return string.format("HTTP %d in %.2f s, %s", reach.status, reach.seconds,
                       list)
end

local function say_echo(echo)
  if echo.failed then return echo.failed .. ": " .. echo.message end
  return echo.kind .. (echo.model and " (" .. echo.model .. ")" or "")
end

local function say_context(context)
  local tokens = context.counted and context.expected
    and string.format("%d of about %.0f tokens counted (%.0f less would do)",
                      context.counted, context.expected, context.tolerance or 0)
    or "no count of tokens"
  return tokens .. (context.found and ", read to the beginning"
                     or ", the beginning was not found")
end

local function say_floor(floor)
  return string.format("%d of %d textbook enzymes (95%% interval %.2f to "
    .. "%.2f)%s", floor.right, floor.of, floor.low, floor.high,
    (floor.failed or 0) > 0 and string.format("; %d without an answer", floor.failed)
    or "")
end

local function say_sameness(sameness)
  return string.format("%d of %d pairs of answers agree to the letter%s",
    sameness.alike, sameness.pairs,
    sameness.replayed and "; a cache seems to replay answers" or "")
end

local function say_tokenizer(units)
  local parts = {}
  for i, unit in ipairs(units) do
    parts[i] = unit.unit .. " " .. (unit.slope
      and string.format("%.4g", unit.slope) or "unknown")
      .. (unit.even == false and " (uneven)" or "")
  end
  return "tokens a line: " .. table.concat(parts, ", ")
end

local PARTS = {
  { "reach", say_reach }, { "echo", say_echo },
  { "tokenizer", say_tokenizer }, { "context", say_context },
  { "floor", say_floor }, { "sameness", say_sameness },
}

-- The last column stands as it is: it is not folded.
local function three_columns(list, columns, fields)
  local rows = {}
  for i, entry in ipairs(list) do
    local why = entry[fields[3]]
    rows[i] = { entry[fields[1]], entry[fields[2]],
                why and text.printable(why) or nil }
  end
  local written = tables.write("text", { columns = columns, rows = rows }, math.huge)
  return (string.gsub(written, "\n$", ""))
end

local function capabilities_table(record)
  local list, prefix = {}, "model " .. record.model .. ": "
  for i, entry in ipairs(record.capabilities) do
    local why = entry.message
    if why and string.sub(why, 1, #prefix) == prefix then why = string.sub(why, #prefix + 1) end
    list[i] = { name = entry.name, state = entry.state, message = why }
  end
  return three_columns(list, { "field", "state", "why" }, { "name", "state", "message" })
end

local function findings_table(findings)
  return three_columns(findings, { "check", "verdict", "detail" },
                       { "check", "verdict", "detail" })
end

-- What the verdict rests on. The first probe has nothing beside it.
local function beside(record, before)
  if before then
    return os.date("!, beside the probe of %Y-%m-%d %H:%M UTC",
                   math.tointeger(before.time // 1))
  end
  return record.verdict == "cannot tell"
    and " yet: this is the first probe of the model, and the next one is held against it" or ""
end

local function says_something(findings)
  for _, finding in ipairs(findings) do
    if finding.detail or finding.verdict ~= "cannot tell" then return true end
  end
end

-- The whole page; `before` is the record that it was compared with, or nil.
function page.write(record, before)
  local out = { string.format("probe of %s (%s, dialect %s)\n", record.model,
                              record.identity, record.dialect) }
  for _, part in ipairs(PARTS) do
    local content = record[part[1]]
    if content then
      out[#out + 1] = string.format("%-10s %s", part[1],
                                    text.printable(part[2](content)))
    end
  end
  if record.capabilities then
    out[#out + 1] = "\n" .. capabilities_table(record)
  end
  if says_something(record.findings) then
    out[#out + 1] = "\n" .. findings_table(record.findings)
  end
  out[#out + 1] = "\nverdict: " .. record.verdict .. beside(record, before)
  return table.concat(out, "\n") .. "\n"
end

return page
