-- What a cell of a table says, for the forms that people read.

local cell = {}

local function fixed(number, digits)
  return string.format("%." .. digits .. "f", number)
end

-- 1234567 as 1,234,567; up to four digits stand as they are.
local function grouped(number)
  local digits = tostring(number)
  if #digits < 5 then return digits end
  local head = (#digits - 1) % 3 + 1
  return string.sub(digits, 1, head)
    .. string.gsub(string.sub(digits, head + 1), "...", ",%0")
end

-- An end of an interval in narrow form: .893, 1.00.
local function bound(number, digits)
  if digits ~= 3 then return fixed(number, digits) end
  if number >= 1 then return fixed(number, 2) end
  return (string.gsub(fixed(number, 3), "^(-?)0", "%1"))
end

-- The value, `-` for none.
function cell.value(content)
  if type(content) == "table" then
    if not content[1] then return "-" end
    return (content.signed and content[1] >= 0 and "+" or "")
      .. fixed(content[1], content.digits or 3)
  end
  if math.type(content) == "integer" then return grouped(content) end
  return tostring(content or "-")
end

-- An estimate that shows so many digits; what is none stays as it is.
function cell.with_digits(content, digits)
  if type(content) ~= "table" then return content end
  return { content[1], content[2], content[3], digits = digits }
end

function cell.has_range(content)
  return type(content) == "table" and content[1] and content[2] and true
end

-- Whether the cell is the best of its column.
function cell.is_best(content)
  return type(content) == "table" and content.best or false
end

-- The interval of a cell that has one, narrow: `.493-.655` with any dash, or
-- `-.020,.050` where a minus may stand.
function cell.range(content, dash)
  local digits = content.digits or 3
  return bound(content[2], digits) .. (content.signed and "," or dash or "-")
    .. bound(content[3], digits)
end

-- The interval in full, in parentheses; where a minus may stand, in words.
function cell.full_range(content, dash)
  local digits = content.digits or 3
  return string.format("(%s%s%s)", fixed(content[2], digits),
    content.signed and " to " or dash,
    fixed(content[3], digits))
end

-- Whether a column holds nothing but numbers (`170k` is one): it is set to the
-- right.
function cell.numeric(description, column)
  for _, row in ipairs(description.rows) do
    local content = row[column]
    if type(content) == "string" and not string.find(content, "^%d+k$") then
      return false
    end
  end
  return true
end

return cell
