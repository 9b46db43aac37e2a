-- counted(format, ...): string.format, where `{row|rows}` stands for the first word
-- if the %d before it was given 1, and for the second one otherwise:
--
--     counted("%d {row|rows} of %s", 1, path)    1 row of PATH

local function last_number(text, args, at, number)
  for directive in string.gmatch(text, "%%[%d.]*[%a%%]") do
    if directive ~= "%%" then at = at + 1 end
    if directive == "%d" then number = args[at] end
  end
  return at, number
end

return function (format, ...)
  local args, parts, at, number = { ... }, {}, 0, nil
  for text, words in string.gmatch(format .. "{|}", "(.-)(%b{})") do
    at, number = last_number(text, args, at, number)
    local one, many = string.match(words, "^{(.-)|(.-)}$")
    parts[#parts + 1] = text .. (number == 1 and one or many)
  end
  return string.format(table.concat(parts), ...)
end
