-- Numbers as words of the command line write them: read, held to bounds, and
-- refused in one wording.
--
--     p:option("--limit"):convert(numbers.whole(1))            a whole number of at least 1
--     p:option("--margin"):convert(numbers.within { least = 0, most = 1 })
--     p:option("--timeout"):convert(numbers.within { above = 0 })
--
-- Bounds are {whole = true, least=, above=, most=}, each of which may be left out.

local numbers = {}

-- The number that a word writes, or nil: 1e999 is infinite, and no manifest could
-- hold it.
function numbers.read(word)
  local value = tonumber(word)
  return value and value == value and math.abs(value) < math.huge and value or nil
end

-- What the bounds let through: `number from 0 to 1`.
function numbers.allowed(bounds)
  local words = (bounds.whole and "whole number" or "number")
    .. (bounds.above and string.format(" above %g", bounds.above) or "")
  if bounds.least and bounds.most then
    return words .. string.format(" from %.14g to %.14g", bounds.least, bounds.most)
  end
  return words .. (bounds.least and string.format(" of at least %.14g", bounds.least) or "")
    .. (bounds.most and string.format(" of at most %.14g", bounds.most) or "")
end

-- A number within the bounds, a whole one as an integer; nil where it is outside.
function numbers.fit(value, bounds)
  if bounds.whole then value = math.tointeger(value) end
  if not value or math.abs(value) == math.huge then return nil end
  local fits = value >= (bounds.least or value) and value <= (bounds.most or value)
    and not (bounds.above and value <= bounds.above)
  return fits and value or nil
end

-- A converter for argparse: the number, or nil and why it is refused.
function numbers.within(bounds)
  return function (word)
    local value = numbers.read(word)
    local fitting = value and numbers.fit(value, bounds)
    if fitting then return fitting end
    return nil, string.format("`%s` is no %s", word, numbers.allowed(bounds))
  end
end

-- The converter for a whole number from `least` to `most`, if there is a most.
function numbers.whole(least, most)
  return numbers.within { whole = true, least = least, most = most }
end

return numbers
