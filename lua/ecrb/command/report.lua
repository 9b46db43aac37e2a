-- `ecrb report RUN... -o DIR`: the paper's tables and figures of runs, and one
-- page to browse them.

local board = require "ecrb.report.board"
local choices = require "ecrb.report.choices"
local chosen = require "ecrb.report.chosen"
local counted = require "ecrb.counted"
local fail = require "ecrb.fail"
local figures = require "ecrb.report.figures"
local made = require "ecrb.made"
local out = require "ecrb.out"
local page = require "ecrb.report.page"
local paper = require "ecrb.report.paper"
local system = require "core.system"
local tables = require "ecrb.tables"

local command = {
  summary = "the paper's tables and figures of runs, and one page to browse",
}

function command.configure(parser)
  parser:argument("runs", "run folders"):args("+"):argname("RUN")
  parser:option("-o --out", "folder for the report"):argname("DIR")
    :default("report")
  parser:flag("--no-texts", "leave prompts and replies out of the page")
  choices.configure(parser)
end

local endings = { markdown = "md", csv = "csv", tex = "tex" }

-- The folders of a report, and the names in them that are its own.
local parts = { tables = "^table%-.*%.%l+$", figures = "^figure%-%d.*%.%l+$" }

local function replace(filled, folder, ours)
  system.mkdir(folder)
  for _, name in ipairs(system.list(folder)) do
    if string.find(name, ours) then system.remove(folder .. "/" .. name) end
  end
  for _, name in ipairs(system.list(filled)) do
    system.rename(filled .. "/" .. name, folder .. "/" .. name)
  end
end

-- An older report gives way, and what else stands in its folder stays.
local function renew(filled, folder)
  system.mkdir(folder)
  for part, ours in pairs(parts) do
    replace(filled .. "/" .. part, folder .. "/" .. part, ours)
  end
  system.rename(filled .. "/index.html", folder .. "/index.html")
end

local function write_tables(list, folder)
  system.mkdir(folder)
  for _, entry in ipairs(list) do
    for form, ending in pairs(endings) do
      system.write(folder .. "/" .. entry.name .. "." .. ending,
        tables.write(form, entry.table))
    end
  end
end

-- gnuplot shows the line of its script, points into it, then says why.
local function complain(complaint, folder)
  if not complaint then return end
  io.stderr:write("ecrb: some figures could not be drawn; their data and scripts "
    .. "stand in ", folder, ": ", string.match(complaint, "[^\n]+ line %d+: [^\n]*")
    or string.match(complaint, "[^\n]+") or "gnuplot gave no reason", "\n")
end

local function say(folder, list, drawings, html)
  out.write(counted("%s/index.html  %.1f MB, loads nothing\n%s/tables"
    .. "      %d {table|tables} as Markdown, CSV, LaTeX\n%s/figures     %d {figure|figures} as "
    .. "SVG, PDF, PNG, with data and gnuplot scripts\n", folder, #html / 1e6,
    folder, #list, folder, #drawings))
end

-- Fills a folder with the report; returns its tables, figures and page, and what
-- gnuplot complained of.
local function fill(folder, open, args)
  local list, drawings = paper.tables(open), figures.of(open)
  local drawn = figures.draw(drawings, folder .. "/figures")
  write_tables(list, folder .. "/tables")
  local details = page.details(open, args.no_texts)
  local complaint = drawn()
  local html = page.html(open, list, drawings, details)
  system.write(folder .. "/index.html", html)
  return list, drawings, html, complaint
end

function command.run(args)
  -- Hundreds of megabytes of journals pass through here, nearly all of it soon
  -- garbage: collecting it less often halves the time.
  collectgarbage("incremental", 400, 400)
  local open = board.open(chosen(args.runs), choices.of(args))
    or fail("%s: no item is finished yet", args.runs[1])
  local list, drawings, html, complaint
  made(args.out, function (folder)
    list, drawings, html, complaint = fill(folder, open, args)
  end, renew, system.exists(args.out) and args.out .. "/.new") -- on the same disk
  complain(complaint, args.out .. "/figures")
  say(args.out, list, drawings, html)
end

return command
