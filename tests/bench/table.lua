-- The lines of the measures, as one table: ecrb lua table.lua LINES
-- Ends with 1 where a ratio misses its goal by more than the slack, where a
-- measure failed, or where a line is none.

local SLACK = 1.25

local figures, notes, order, wrong = {}, {}, {}, 0

local function fields_of(line)
  local fields = {}
  for field in string.gmatch(line .. "\t", "([^\t]*)\t") do
    fields[#fields + 1] = field
  end
  return fields
end

-- "<=2.0x" -> { limit = 2.0, least = false, ratio = true }
local function read_goal(text)
  local sign, limit, ratio = string.match(text, "^([<>]=)([%d.]+)(x?)$")
  return sign and { limit = tonumber(limit), least = sign == ">=",
    ratio = ratio == "x", text = text }
end

local function figure_of(fields)
  local key = table.concat({ fields[1], fields[4], fields[5] or "" }, "\t")
  local figure = figures[key]
  if not figure then
    figure = { name = fields[1], unit = fields[3], goal = read_goal(fields[4]),
      beside = fields[5], values = {}, others = {}, ratios = {} }
    figures[key] = figure
    order[#order + 1] = figure
  end
  return figure
end

local function ratio_of(goal, value, other)
  if goal and goal.ratio and goal.least then return other / value end
  return value / other
end

local function sound(fields, value, other)
  local goal = fields[4] and read_goal(fields[4])
  return value and (#fields == 4 or #fields == 6 and other)
    and (goal or fields[4] == "-") and (#fields == 6 or not (goal and goal.ratio))
end

local function take(line)
  local fields = fields_of(line)
  local value, other = tonumber(fields[2]), tonumber(fields[6])
  if string.find(line, "^skip ") then
    notes[#notes + 1] = line
  elseif not sound(fields, value, other) then
    notes[#notes + 1] = string.find(line, "^failed ") and line
      or "not a line of a measure: " .. line
    wrong = wrong + 1
  else
    local figure = figure_of(fields)
    table.insert(figure.values, value)
    if other then
      table.insert(figure.others, other)
      table.insert(figure.ratios, ratio_of(figure.goal, value, other))
    end
  end
end

local function median(values)
  table.sort(values)
  local n = #values
  return (values[(n + 1) // 2] + values[n // 2 + 1]) / 2
end

-- Three figures that count, never an exponent.
local function number(value)
  local places = value >= 100 and 0 or value >= 10 and 1 or value >= 1 and 2 or 3
  return string.format("%." .. places .. "f", value)
end

local function spread(values)
  if #values == 0 then return "" end
  local middle = number(median(values))
  if #values == 1 then return middle end
  return string.format("%s (%s..%s)", middle, number(values[1]),
    number(values[#values]))
end

local function judge(figure)
  local goal = figure.goal
  if not goal then return "" end
  local value = median(goal.ratio and figure.ratios or figure.values)
  local short = goal.least and goal.limit / value or value / goal.limit
  if short <= 1 then return "met" end
  if goal.ratio and short > SLACK then wrong = wrong + 1 end
  return "missed"
end

local function row_of(figure)
  local beside = ""
  if #figure.others > 0 then
    beside = figure.beside .. ", " .. number(median(figure.others))
  end
  return { figure.name, spread(figure.values) .. " " .. figure.unit, beside,
    spread(figure.ratios), figure.goal and figure.goal.text or "", judge(figure) }
end

local function print_table(rows)
  local widths = {}
  for _, row in ipairs(rows) do
    for i, cell in ipairs(row) do
      widths[i] = math.max(widths[i] or 0, utf8.len(cell))
    end
  end
  for _, row in ipairs(rows) do
    for i, cell in ipairs(row) do
      row[i] = cell .. string.rep(" ", widths[i] - utf8.len(cell))
    end
    print((string.gsub(table.concat(row, "  "), " +$", "")))
  end
end

for line in io.lines(arg[1]) do take(line) end
local rows = { { "what", "measured", "beside", "ratio", "goal", "" } }
local missed = 0
for _, figure in ipairs(order) do
  local row = row_of(figure)
  if row[6] == "missed" then missed = missed + 1 end
  rows[#rows + 1] = row
end
print_table(rows)
for _, note in ipairs(notes) do print(note) end
print(string.format("%d figures, %d missed their goal", #order, missed))
os.exit(wrong == 0)
