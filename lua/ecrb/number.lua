-- number(word) -> the number that a word of the command line writes, or nil: 1e999
-- is infinite, and no manifest could hold it.

return function (word)
  local number = tonumber(word)
  return number and number == number and math.abs(number) < math.huge and number or nil
end
