-- A drawing of gnuplot's made fit to stand inside a page: without its header,
-- with ids of its own (every drawing has the same), named for those who cannot
-- see it.

local svg = {}

-- `prefix` tells this drawing's ids from those of others; `title` is HTML.
function svg.inline(source, prefix, title)
  local body = string.gsub(source, "^.-(<svg)", "%1")
  body = string.gsub(body, "<title>.-</title>", "<title>" .. string.gsub(title,
    "%%", "%%%%") .. "</title>", 1)
  body = string.gsub(body, "<desc>.-</desc>", "", 1)
  body = string.gsub(body, "(%sid=[\"'])", "%1" .. prefix)
  body = string.gsub(body, "(href=[\"']#)", "%1" .. prefix)
  body = string.gsub(body, "(url%(#)", "%1" .. prefix)
  return (string.gsub(body, "<svg", '<svg role="img"', 1))
end

return svg
