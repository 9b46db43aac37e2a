-- A probe as text for people.
local tables = require "ecrb.tables"
local text = require "core.text"

local page = {}

local function say_reach(reach)
  if not reach.reached then
    return "not reached: " .. reach.message
  end
  local list = reach.models == nil and "no list of models"
    or string.format("%d models listed, this one %s", reach.models,
                     reach.listed and "among them" or "not among them")
  return string.format("HTTP %d in %.2f s, %s", reach.status, reach.seconds,
                       list)
end

local function say_echo(echo)
  if echo.failed then return echo.failed .. ": " .. echo.message end
  return echo.kind .. (echo.model and " (" .. echo.model .. ")" or "")
end

local function say_context(context)
  local counted = context.counted and context.expected
    and string.format("%d of about %.0f tokens counted (%.0f less would do)",
                      context.counted, context.expected, context.tolerance or 0)
    or "no count of tokens"
  return counted .. (context.found and ", read to the beginning"
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

local function three_columns(list, columns, fields)
  local rows = {}
  for i, entry in ipairs(list) do
    local why = entry[fields[3]]
    rows[i] = { entry[fields[1]], entry[fields[2]],
                why and text.printable(why) or nil }
  end
  return tables.write("text", { columns = columns, rows = rows })
end

local function capabilities_table(list)
  return three_columns(list, { "field", "state", "why" },
                       { "name", "state", "message" })
end

local function findings_table(findings)
  return three_columns(findings, { "check", "verdict", "detail" },
                       { "check", "verdict", "detail" })
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
    out[#out + 1] = "\n" .. capabilities_table(record.capabilities)
  end
  if record.findings[1] then
    out[#out + 1] = "\n" .. findings_table(record.findings)
  end
  out[#out + 1] = string.format("\nverdict: %s%s", record.verdict,
    before and os.date("!, beside the probe of %Y-%m-%d %H:%M UTC",
                       math.tointeger(before.time // 1)) or "")
  return table.concat(out, "\n") .. "\n"
end

return page
