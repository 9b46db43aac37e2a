-- JSON: core.json writes it in one spelling, lua-cjson reads it.

local core_json = require "core.json"

local codec = require("cjson").new()
codec.encode_invalid_numbers(false)
codec.decode_invalid_numbers(false)
codec.decode_max_depth(128)

local json = { null = codec.null, array = core_json.array, encode = core_json.encode,
               fields = core_json.fields, pretty = core_json.pretty }

-- A value as JSON has it, nil as null; and back. Both give one value always:
-- math.tointeger() of none raises.
function json.or_null(value)
  if value == nil then return codec.null end
  return value
end

function json.present(value)
  if value == codec.null then return nil end
  return value
end

-- The value, or nil and what is wrong with the text. lua-cjson takes a NUL for
-- the text's end.
function json.decode(text)
  if string.find(text, "\0", 1, true) then return nil, "a NUL byte stands in it" end
  local ok, value = pcall(codec.decode, text)
  if ok then return value end
  return nil, value
end

return json
