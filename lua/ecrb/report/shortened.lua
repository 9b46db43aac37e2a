-- shortened(name, most): the name, cut to so many columns with an ellipsis.

local core_text = require "core.text"

return function (name, most)
  if core_text.width(name) <= most then return name end
  return string.sub(name, 1, (utf8.offset(name, most) or most) - 1) .. "…"
end
