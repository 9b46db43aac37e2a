-- A drawing of gnuplot's made fit to stand inside a page: without its header,
-- with ids of its own (every drawing has the same), named for those who cannot
-- see it, and as wide as its letters ask for, so that they are of one size in all.

local svg = {}

-- Letters of 11 of gnuplot's points are about as large then as those of the page.
local enlarged = 1.35

-- `prefix` tells this drawing's ids from those of others; `title` is HTML.
function svg.inline(source, prefix, title)
  local body = string.gsub(source, "^.-(<svg)", "%1")
  body = string.gsub(body, "<title>.-</title>", "<title>" .. string.gsub(title,
    "%%", "%%%%") .. "</title>", 1)
  body = string.gsub(body, "<desc>.-</desc>", "", 1)
  body = string.gsub(body, "(%sid=[\"'])", "%1" .. prefix)
  body = string.gsub(body, "(href=[\"']#)", "%1" .. prefix)
  body = string.gsub(body, "(url%(#)", "%1" .. prefix)
  local width = tonumber(string.match(body, 'viewBox="0 0 (%d+) '))
  return (string.gsub(body, "<svg", '<svg role="img"'
    .. (width and string.format(' width="%.0f"', enlarged * width) or ""), 1))
end

return svg
