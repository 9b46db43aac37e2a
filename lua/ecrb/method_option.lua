-- One option of a method, as its script declares it:
--
--     k        = { 3, "number of chains", whole = true, least = 1, most = 1000 }
--     protocol = { "text", "how channels are called", one_of = { "text", "tools" } }
--     channels = { "blast,hmmer", "channels that are read", channels = true }
--
-- The default says what it is: a number, a text, or true or false. The bounds of a
-- number are those of ecrb.numbers. One that is `optional` may be set to `none`,
-- and then the script finds nothing under its name. What names `channels`, one or a list
-- with commas, names those of the benchmark.

local near = require "ecrb.near"
local numbers = require "ecrb.numbers"

local method_option = {}

local KINDS = { string = true, number = true, boolean = true }

local FIELDS = { whole = "boolean", least = "number", above = "number", most = "number",
                 one_of = "table", optional = "boolean", channels = "boolean" }

-- What may be set, in words.
function method_option.allowed(option)
  local kind = type(option.default)
  local words = option.one_of and "one of `" .. table.concat(option.one_of, "`, `") .. "`"
    or kind == "number" and "a " .. numbers.allowed(option)
    or kind == "boolean" and "true or false" or "a text"
  return words .. (option.optional and ", or none" or "")
end

local function is_one_of(list, value)
  for _, each in ipairs(list) do
    if each == value then return true end
  end
  return false
end

-- A word of the command line as what the option is; other values come as they are.
local function converted(option, value)
  local kind = type(option.default)
  if type(value) ~= "string" or kind == "string" then return value end
  if kind == "number" then return numbers.read(value) end
  if value == "true" or value == "false" then return value == "true" end
end

local function fits(option, value)
  if type(value) ~= type(option.default) then return false end
  if option.one_of then return is_one_of(option.one_of, value) end
  return type(value) ~= "number" or numbers.fit(value, option) ~= nil
end

-- The value that `given` sets, nil for `none`; or nil and what it should have been.
function method_option.value(option, given)
  if option.optional and given == "none" then return nil end
  local value = converted(option, given)
  if not fits(option, value) then return nil, method_option.allowed(option) end
  return type(value) == "number" and numbers.fit(value, option) or value
end

local function wrong_field(declared)
  for field, value in pairs(declared) do
    if field ~= 1 and field ~= 2 and type(value) ~= FIELDS[field] then
      return "has a field `" .. tostring(field) .. "`: beside default and help there are whole, "
        .. "least, above and most of a number, one_of, optional, and channels"
    end
  end
end

-- What is wrong with a value that names channels where there are those of a set and no
-- others, or nil.
function method_option.wrong_channel(option, value, there)
  if not option.channels then return nil end
  for name in string.gmatch(value or "", "[^,%s]+") do
    if not there[name] then
      return string.format("there is no evidence channel `%s`%s", name, near.hint(name, there))
    end
  end
end

-- The option that a script declares, or nil and what is wrong with it.
function method_option.read(declared)
  if type(declared) ~= "table" or not KINDS[type(declared[1])]
      or type(declared[2]) ~= "string" then
    return nil, "must be { default, \"help\" } with a text, number or true/false as default"
  end
  local wrong = wrong_field(declared)
  if wrong then return nil, wrong end
  local option = { default = declared[1], help = declared[2] }
  for field in pairs(FIELDS) do option[field] = declared[field] end
  if not fits(option, option.default) then
    return nil, string.format("is %s, and its default is `%s`", method_option.allowed(option),
      tostring(option.default))
  end
  return option
end

return method_option
