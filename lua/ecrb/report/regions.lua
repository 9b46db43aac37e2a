-- Tables on a page: each in a region of its own that scrolls sideways, also by
-- keyboard, with its notes below.

local escaped = require "ecrb.html"
local tables = require "ecrb.tables"

local regions = {}

local function notes_html(notes)
  local out = {}
  for i, note in ipairs(notes or {}) do out[i] = escaped(note) end
  return '<p class="note">' .. table.concat(out, "<br>") .. "</p>"
end

-- A description (ecrb.tables) as a region.
function regions.table(description)
  return string.format('<div class="wide-table" role="region" tabindex="0" '
    .. 'aria-label="%s">%s</div>\n%s', escaped(description.title),
    tables.write("html", description), notes_html(description.notes))
end

-- The same to be folded, by its title.
function regions.folded(description, open)
  return string.format("<details%s><summary>%s</summary>\n%s</details>\n",
    open and " open" or "", escaped(description.title),
    regions.table(description))
end

return regions
