-- folded(text, page): the lines of a text, each folded at blanks to the width of
-- the page; what is folded stands under the line's beginning.

local core_text = require "core.text"

local function add_line(out, line, page)
  local indent = string.match(line, "^ *")
  local part
  for word in string.gmatch(line, "%S+") do
    local longer = part and part .. " " .. word or indent .. word
    if part and core_text.width(longer) > page then
      out[#out + 1] = part
      longer = indent .. word
    end
    part = longer
  end
  out[#out + 1] = part or ""
end

return function (text, page)
  local out = {}
  for line in string.gmatch(text, "[^\n]+") do add_line(out, line, page) end
  return table.concat(out, "\n")
end
