-- Text that is valid UTF-8, whatever came over the wire.
local unicode = {}

-- The text with every byte that is no UTF-8 replaced by U+FFFD, and whether
-- there was one.
function unicode.mended(text)
  if utf8.len(text) then return text, false end
  local parts, at = {}, 1
  while at <= #text do
    local _, bad = utf8.len(text, at)
    parts[#parts + 1] = string.sub(text, at, (bad or #text + 1) - 1)
    if bad then parts[#parts + 1] = "\u{fffd}" end
    at = (bad or #text) + 1
  end
  return table.concat(parts), true
end

return unicode
