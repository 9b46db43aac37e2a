-- The figures of a report: each is data (.dat), a gnuplot script (.gp) that
-- anyone can change and run again, and what gnuplot makes of them.
--
-- A figure (ecrb/report/figure/NAME.lua) is a function from the board to nil,
-- where the runs do not support it, or
--
--     title, caption   what it shows, how to read it
--     width, height    in inches
--     values           {{name, value}...}: numbers, texts and lists of texts
--                      that the script reads as variables
--     blocks           {{name=, columns={...}, rows={{...}...}}...}: the data,
--                      read with `index`
--
-- or a list of such. NAME.gp beside it draws it.

local contents = require "ecrb.contents"
local system = require "core.system"

local figures = {}

figures.names = { "levels", "ceiling", "abstention", "search", "reliability",
                  "coverage", "classes", "losses" }

local here = system.self .. "/lua/ecrb/report/figure/"

-- Names come from run folders. Whatever gnuplot would read as more than text is
-- taken out.
local function harmless(text)
  return (string.gsub(text, "[%c\"'`\\$@]", "_"))
end

-- A text for a comment, where quotes are no more than that.
local function remark(text)
  return "# " .. string.gsub(text, "[%c`\\$@]", "_")
end

local function cell_text(cell)
  if type(cell) == "string" then return '"' .. harmless(cell) .. '"' end
  if not cell or cell ~= cell then return "NaN" end
  return math.type(cell) == "integer" and tostring(cell)
    or string.format("%.6g", cell)
end

local function data_text(figure)
  local out = {}
  for _, block in ipairs(figure.blocks) do
    out[#out + 1] = remark(block.name)
    out[#out + 1] = "# " .. table.concat(block.columns, " ")
    for _, row in ipairs(block.rows) do
      local cells = {}
      for c = 1, #block.columns do cells[c] = cell_text(row[c]) end
      out[#out + 1] = table.concat(cells, " ")
    end
    out[#out + 1] = "\n"
  end
  return table.concat(out, "\n")
end

local function value_text(name, value)
  if type(value) ~= "table" then
    return name .. " = " .. (type(value) == "string"
      and "'" .. harmless(value) .. "'" or tostring(value))
  end
  local texts = {}
  for i, text in ipairs(value) do texts[i] = "'" .. harmless(text) .. "'" end
  return string.format("array %s[%d] = [%s]", name, #texts,
    table.concat(texts, ", "))
end

local function script_text(name, figure)
  local out = {
    remark(figure.title), remark(figure.caption),
    string.format("# gnuplot %s.gp draws %s.svg, .pdf and .png from %s.dat",
      name, name, name),
    "reset session",
    value_text("name", name), value_text("data", name .. ".dat"),
    value_text("width", figure.width), value_text("height", figure.height),
  }
  for _, entry in ipairs(figure.values) do
    out[#out + 1] = value_text(entry[1], entry[2])
  end
  return table.concat(out, "\n") .. "\n\n" .. assert(contents(here .. "style.gp")) .. "\n"
    .. assert(contents(here .. figure.script .. ".gp"))
end

-- The figures that the runs of the board support: {name=, title=, ...} in
-- order.
function figures.of(board)
  local list = {}
  for number, script in ipairs(figures.names) do
    local made = require("ecrb.report.figure." .. script)(board) or {}
    for i, figure in ipairs(made.title and { made } or made) do
      figure.script = script
      figure.name = string.format("figure-%02d-%s%s", number + 2, script,
        #made > 1 and "-" .. i or "")
      list[#list + 1] = figure
    end
  end
  return list
end

local function write_sources(list, folder)
  system.mkdir(folder)
  for _, figure in ipairs(list) do
    figure.path = folder .. "/" .. figure.name
    system.write(figure.path .. ".dat", data_text(figure))
    system.write(figure.path .. ".gp", script_text(figure.name, figure))
  end
end

-- gnuplot on one script after the other, whatever becomes of each.
local function start_gnuplot(list, folder)
  local argv = { "sh", "-c", 'cd "$1" && shift && for script; do gnuplot "$script"; done',
                 "sh", folder }
  for _, figure in ipairs(list) do argv[#argv + 1] = figure.name .. ".gp" end
  return system.start(argv, { errors = folder .. "/gnuplot.log" })
end

local function is_whole(figure)
  return system.exists(figure.path .. ".svg")
    and system.exists(figure.path .. ".pdf")
    and system.exists(figure.path .. ".png")
end

-- Writes data and scripts into a folder and has gnuplot draw them, beside what
-- else is to be done. Each figure gets `path`, without an ending. Returns a
-- function that waits for the drawings, sets `drawn` for each that is whole,
-- and returns what gnuplot said if one is not.
function figures.draw(list, folder)
  write_sources(list, folder)
  local gnuplot = start_gnuplot(list, folder)
  return function ()
    local log, good = folder .. "/gnuplot.log", true
    gnuplot:wait(600)
    local said = assert(contents(log))
    system.remove(log)
    for _, figure in ipairs(list) do
      figure.drawn = is_whole(figure)
      good = good and figure.drawn
    end
    return not good and said or nil
  end
end

return figures
