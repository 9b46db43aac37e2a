-- JSON in one spelling: keys sorted, so that equal values are equal bytes and
-- hashes of them mean something. lua-cjson reads, and writes the scalars.

local codec = require("cjson").new()
codec.encode_invalid_numbers(false)
codec.decode_invalid_numbers(false)
codec.decode_max_depth(128)
codec.encode_number_precision(14)

local json = { null = codec.null }

local array_metatable = { __name = "json.array" }

-- Marks a table as an array, which only matters while it is empty.
function json.array(values)
  return setmetatable(values or {}, array_metatable)
end

local function is_array(value)
  return getmetatable(value) == array_metatable or value[1] ~= nil
end

local write -- forward

local function write_array(out, value, indent)
  local inner = indent and indent .. "  "
  out[#out + 1] = "["
  for i = 1, #value do
    if i > 1 then out[#out + 1] = "," end
    if inner then out[#out + 1] = inner end
    write(out, value[i], inner)
  end
  if indent and #value > 0 then out[#out + 1] = indent end
  out[#out + 1] = "]"
end

local function sorted_keys(value)
  local keys = {}
  for key in next, value do
    if type(key) ~= "string" then
      error("json: an object's key is a " .. type(key) .. ", not a string", 0)
    end
    keys[#keys + 1] = key
  end
  table.sort(keys)
  return keys
end

-- The keys of records are few and come again and again.
local spellings = {}

local function spelt(key)
  local known = spellings[key]
  if not known then
    known = codec.encode(key)
    if #key <= 32 then spellings[key] = known end
  end
  return known
end

local function write_object(out, value, indent)
  local inner = indent and indent .. "  "
  local keys = sorted_keys(value)
  out[#out + 1] = "{"
  for i, key in ipairs(keys) do
    if i > 1 then out[#out + 1] = "," end
    if inner then out[#out + 1] = inner end
    out[#out + 1] = spelt(key)
    out[#out + 1] = indent and ": " or ":"
    write(out, value[key], inner)
  end
  if indent and #keys > 0 then out[#out + 1] = indent end
  out[#out + 1] = "}"
end

function write(out, value, indent)
  if type(value) ~= "table" then
    out[#out + 1] = codec.encode(value)
  elseif is_array(value) then
    write_array(out, value, indent)
  else
    write_object(out, value, indent)
  end
end

function json.encode(value)
  local out = {}
  write(out, value)
  return table.concat(out)
end

-- The same for lists of lists of texts, numbers, booleans and null: without
-- objects there is one spelling anyway, and lua-cjson writes it in a fraction of
-- the time. An empty list comes out as `{}`.
json.lists = codec.encode

-- The same for people: two blanks a level, a newline at the end.
function json.pretty(value)
  local out = {}
  write(out, value, "\n")
  out[#out + 1] = "\n"
  return table.concat(out)
end

-- The value, or nil and what is wrong with the text.
function json.decode(text)
  local ok, value = pcall(codec.decode, text)
  if ok then return value end
  return nil, value
end

return json
