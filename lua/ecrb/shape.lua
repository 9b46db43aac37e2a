-- What a reader of JSON relies on, said once and checked before it reads: a file
-- that a person edited, or that another version wrote, is refused by the name of
-- the field, and nothing behind the check need ask again.
--
--     local person = shape.object { name = shape.text, age = shape.optional(shape.number) }
--     shape.fault(person, { name = 3 })      --> "`name` is no text"
--
-- A shape is a function that takes a value and returns nothing, or where the
-- value is wrong (`.name`, `[3]`) and what it should have been.

local core_text = require "core.text"
local json = require "ecrb.json"

local shape = {}

-- {type, what it is called} of the shapes that look at the type alone: there are
-- millions of such values, and what holds them looks itself.
local simple = {}

local function of_type(kind, called)
  local function check(value)
    if type(value) ~= kind then return "", called end
  end
  simple[check] = { kind, called }
  return check
end

shape.text = of_type("string", "text")
shape.number = of_type("number", "number")
shape.boolean = of_type("boolean", "`true` or `false`")
shape.table = of_type("table", "list or object")

function shape.integer(value)
  if math.type(value) ~= "integer" and math.tointeger(value) == nil then
    return "", "whole number"
  end
end

function shape.whole(least, most)
  return function (value)
    local whole = math.type(value) and math.tointeger(value)
    if not whole or whole < least or whole > most then
      return "", string.format("whole number from %.0f to %.0f", least, most)
    end
  end
end

function shape.between(least, most)
  return function (value)
    if type(value) ~= "number" or not (value >= least and value <= most) then
      return "", string.format("number from %.0f to %.0f", least, most)
    end
  end
end

-- A text of one line without control characters: a terminal may show it.
function shape.word(value)
  if type(value) ~= "string" or core_text.printable(value) ~= value
      or string.find(value, "\n", 1, true) then
    return "", "line of plain text"
  end
end

-- What fits in a line: a text, a number, true or false.
function shape.plain(value)
  local kind = type(value)
  if kind ~= "string" and kind ~= "number" and kind ~= "boolean" then
    return "", "text or number"
  end
end

-- What JSON can hold.
function shape.json(value)
  if not pcall(json.encode, value) then return "", "value that JSON can hold" end
end

-- One of some texts.
function shape.one_of(...)
  local allowed, called = {}, "one of `" .. table.concat({ ... }, "`, `") .. "`"
  for _, text in ipairs { ... } do allowed[text] = true end
  return function (value)
    if not allowed[value] then return "", called end
  end
end

-- JSON's null, or a field that is not there.
function shape.optional(inner)
  local kind, called = table.unpack(simple[inner] or {})
  if kind then
    return function (value)
      if type(value) ~= kind and value ~= nil and value ~= json.null then
        return "", called
      end
    end
  end
  return function (value)
    if value ~= nil and value ~= json.null then return inner(value) end
  end
end

function shape.list(inner)
  local kind = simple[inner] and simple[inner][1]
  return function (value)
    if type(value) ~= "table" or next(value) ~= nil and value[1] == nil then
      return "", "list"
    end
    for i = 1, #value do
      if type(value[i]) ~= kind then
        local place, wanted = inner(value[i])
        if place then return "[" .. i .. "]" .. place, wanted end
      end
    end
  end
end

-- An object of which every value has the shape.
function shape.map(inner)
  return function (value)
    if type(value) ~= "table" then return "", "object" end
    for name, each in next, value do
      local place, wanted = inner(each)
      if place then return "." .. tostring(name) .. place, wanted end
    end
  end
end

-- Fields that are not named may hold anything.
function shape.object(fields)
  local names, checks = {}, {}
  for name in next, fields do names[#names + 1] = name end
  table.sort(names)
  for i, name in ipairs(names) do checks[i] = fields[name] end
  return function (value)
    if type(value) ~= "table" then return "", "object" end
    for i = 1, #names do
      local name = names[i]
      local place, wanted = checks[i](value[name])
      if place then return "." .. name .. place, wanted end
    end
  end
end

-- What is wrong with a value, as a sentence; nil if it has the shape.
function shape.fault(wanted, value)
  local place, what = wanted(value)
  if not place then return nil end
  local not_it = (string.find(what, "^one of") and "not " or "no ") .. what
  if place == "" then return "it is " .. not_it end
  return string.format("`%s` is %s", string.gsub(place, "^%.", ""), not_it)
end

return shape
