-- Pieces of a request body, as dialects and models.lua write them: put into a
-- body, never over what stands there with another value.
local fragment = {}

local VALUE = "$value" -- the placeholder for a wish's value

local function is_object(value)
  return type(value) == "table" and value[1] == nil
end

local function filled(piece, value)
  if piece == VALUE then return value end
  if type(piece) ~= "table" then return piece end
  local copy = {}
  for key, inner in pairs(piece) do copy[key] = filled(inner, value) end
  return copy
end

-- Merges a piece into a body. Two different values for one field are a
-- contradiction: the path is returned.
local function merge(body, piece, path)
  for key, value in pairs(piece) do
    local where = path and path .. "." .. key or key
    if body[key] == nil then
      body[key] = filled(value)
    elseif is_object(body[key]) and is_object(value) then
      local clash = merge(body[key], value, where)
      if clash then return clash end
    elseif body[key] ~= value then
      return where
    end
  end
  return nil
end

-- Puts a piece into a body with `value` in the placeholder's place; what is
-- wrong, if anything.
function fragment.put(body, piece, value)
  local clash = merge(body, filled(piece, value))
  return clash and "two values for the field `" .. clash .. "`"
end

return fragment
