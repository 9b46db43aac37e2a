-- Tables: one description, written in any of the forms text, markdown, csv and
-- tex (ecrb/tables/FORM.lua).
--
--     { title = "Scores", key = 1, columns = { "split", "n", "L4" },
--       rows = { { "price", 148, { 0.574, 0.493, 0.655 } }, ... },
--       notes = { "..." } }
--
-- A cell is text, a whole number, nothing (nil or false), or an estimate
-- {value, low, high, digits = 3, signed = true, best = true}, all but the value
-- optional: a signed one shows its plus, the best of its column is bold where a
-- form knows bold. What is no estimate and has no interval says so: {value, exact
-- = true}. The first `key`
-- columns (1 by default) name a row and stand again in every part of a table
-- that is wider than the page. A row with `rule = true` begins a new group. A
-- title may have several lines.

local system = require "core.system"

local tables = {}

-- The width of the page for what is printed: the terminal's, else 100.
function tables.page()
  return system.isatty(1) and system.columns() or 100
end

-- The description in a form; `page` is the width of the page for text (100).
function tables.write(form, description, page)
  return require("ecrb.tables." .. form)(description, page)
end

return tables
