-- One self-contained HTML page of a report: overview, tables, figures, and a
-- browser of items. It loads nothing, and its policy lets nothing run but the
-- one script whose hash stands in it.

local contents = require "ecrb.contents"
local core_text = require "core.text"
local dossier = require "ecrb.report.dossier"
local escaped = require "ecrb.html"
local index_of = require "ecrb.report.index"
local json = require "ecrb.json"
local overview = require "ecrb.report.overview"
local pack = require "core.pack"
local regions = require "ecrb.report.regions"
local svg = require "ecrb.report.svg"
local system = require "core.system"

local page = {}

local here = system.self .. "/lua/ecrb/page/"

local scripts = { "dom", "data", "filter", "list", "detail", "main" }

local function script_text()
  local parts = { '"use strict";' }
  for i, name in ipairs(scripts) do parts[i + 1] = assert(contents(here .. name .. ".js")) end
  return "(() => {\n" .. table.concat(parts, "\n") .. "\n})();\n"
end

-- The hash of an element's text as a content security policy names it.
local function hash_of(text)
  local bytes = string.gsub(core_text.sha256(text), "..", function (hex)
    return string.char(tonumber(hex, 16))
  end)
  return "sha256-" .. pack.base64(bytes)
end

-- JSON that no HTML parser takes for markup.
local function embedded(value)
  return (string.gsub(json.encode(value), "<", "\\u003c"))
end

local shown_first = 2 -- tables that stand open

local function tables_html(list)
  local out = {}
  for i, entry in ipairs(list) do
    out[i] = regions.folded(entry.table, i <= shown_first)
  end
  return table.concat(out)
end

local function drawing_of(figure, number)
  if not figure.drawn then
    return '<p class="note">Not drawn: gnuplot is missing or failed.</p>'
  end
  return '<div class="drawing" tabindex="0">' .. svg.inline(assert(contents(figure.path .. ".svg")),
    "f" .. number .. "-", escaped(figure.title)) .. "</div>"
end

local function figures_html(list)
  local out = {}
  for i, figure in ipairs(list) do
    out[i] = string.format("<figure>%s<figcaption><b>%s.</b> %s</figcaption>"
      .. "</figure>", drawing_of(figure, i), escaped(figure.title),
      escaped(figure.caption))
  end
  return table.concat(out, "\n")
end

-- The packed details of the items, fit for `page.html`: the slow part, which
-- needs no drawing yet. With `without_texts` prompts and replies are left out.
function page.details(board, without_texts)
  local out = {}
  dossier.chunks(board, without_texts, function (packed)
    out[#out + 1] = string.format('<script type="text/base64" id="chunk-%d">%s'
      .. "</script>", #out, packed)
  end)
  return table.concat(out, "\n")
end

local function footer_text()
  return string.format("Made by ecrb %s from the journals of these runs; no "
    .. "model was asked. Replies are shown as text, control characters made "
    .. "visible.", system.version)
end

local function filled(template, parts)
  return (string.gsub(template, "{{([%a-]+)}}", parts))
end

-- The page as text. `list` are the tables (ecrb.report.paper), `drawings` the
-- figures (ecrb.report.figures) with `path` and `drawn`, `details` those of
-- page.details.
function page.html(board, list, drawings, details)
  local style, script = assert(contents(here .. "page.css")), script_text()
  return filled(assert(contents(here .. "page.html")), {
    title = escaped("ecrb report, " .. board:where()), style = style,
    ["style-hash"] = hash_of(style), script = script,
    ["script-hash"] = hash_of(script), overview = overview.html(board),
    tables = tables_html(list), figures = figures_html(drawings),
    browser = assert(contents(here .. "browser.html")), footer = escaped(footer_text()),
    index = embedded(index_of(board, dossier.chunk)),
    details = details,
  })
end

return page
