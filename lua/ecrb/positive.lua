-- positive(word) converts a word of the command line to a number above 0, for
-- argparse.

local finite = require "ecrb.number"

return function (word)
  local number = finite(word)
  if number and number > 0 then return number end
  return nil, string.format("`%s` is no number above 0", word)
end
