-- escaped(text): a text as HTML, fit for elements and quoted attributes.

local entities = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;",
                   ['"'] = "&quot;", ["'"] = "&#39;" }

return function (text)
  return (string.gsub(text, "[&<>\"']", entities))
end
