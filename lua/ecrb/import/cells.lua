-- Cells of other people's tables: EC lists, ids and sequences, refused by file
-- and line, or accepted with a counted note.

local ec = require "core.ec"
local fail = require "ecrb.fail"

local cells = {}

local function refuse(path, line, format, ...)
  fail("%s:%d: %s", path, line, string.format(format, ...))
end
cells.refuse = refuse

-- A list of EC numbers, at least one. Separators other than `;` are noted.
function cells.ecs(report, path, line, text)
  local list = ec.list(text)
  if not list or #list == 0 then
    refuse(path, line, "`%s` is no list of EC numbers", string.sub(text, 1, 80))
  end
  if string.find(text, ",", 1, true) then
    report:count("EC {list|lists} joined by `,`", path, line)
  elseif string.find(text, "; ", 1, true) then
    report:count("EC {list|lists} joined by `; `", path, line)
  end
  return list
end

-- The labels of an item: complete EC numbers, each once.
function cells.labels(report, path, line, text)
  local seen, labels = {}, {}
  for _, number in ipairs(cells.ecs(report, path, line, text)) do
    if ec.level(number) < 4 then
      refuse(path, line, "the label %s is incomplete; a label has four levels",
        number)
    end
    if seen[number] then
      report:count("{label that stands|labels that stand} twice in one list", path, line)
    else
      labels[#labels + 1] = number
    end
    seen[number] = true
  end
  return labels
end

cells.STOPS = "{sequence|sequences} with a stop (`*`) inside, read as X"

-- A sequence in upper-case letters.
function cells.sequence(report, path, line, text)
  local upper = string.upper(text)
  if upper ~= text then
    report:count("{sequence|sequences} with lower-case letters, made upper-case", path, line)
  end
  if string.sub(upper, -1) == "*" then
    report:count("{sequence|sequences} with a terminal `*`, cut off", path, line)
    upper = string.sub(upper, 1, -2)
  end
  if string.find(upper, "*", 1, true) then report:count(cells.STOPS, path, line) end
  return (string.gsub(upper, "%*", "X"))
end

-- What the builder refuses (nil and a reason) is refused with its place.
function cells.accept(path, line, value, reason)
  if value == nil then refuse(path, line, "%s", reason) end
  return value
end

-- Adds an item {id, split, sequence, labels} to an import's state.
function cells.item(state, path, line, item)
  if state.builder:holder(item.sequence) then
    state.report:count("{item|items} with the sequence of an earlier item", path, line)
  end
  cells.accept(path, line,
    state.builder:item(item.id, item.split, item.sequence, item.labels))
  state.ids[#state.ids + 1] = { id = item.id, split = item.split, labels = item.labels }
end

return cells
