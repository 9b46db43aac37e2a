-- The environment of a method script: an allow-list, read-only, the same on
-- every machine. What is not listed does not exist, and saying its name is an
-- error that says so. A chunk runs afresh for each enzyme in an environment of
-- its own, so nothing can pass from one enzyme to the next.

local primitives = require "ecrb.primitives"
local sandbox = require "core.sandbox"

local frozen = {}

local rank = { number = 1, string = 2, boolean = 3 }

local function before(a, b)
  local ta, tb = type(a), type(b)
  if ta ~= tb then return (rank[ta] or 9) < (rank[tb] or 9) end
  if ta == "number" or ta == "string" then return a < b end
  return false
end

-- pairs in key order: Lua's own order differs from run to run, and a script's
-- result must not.
local function ordered_pairs(t)
  local keys, i = {}, 0
  for key in next, t do keys[#keys + 1] = key end
  table.sort(keys, before)
  return function ()
    i = i + 1
    local key = keys[i]
    if key ~= nil then return key, t[key] end
  end
end

-- An address would differ from run to run.
local function plain_tostring(value)
  local kind = type(value)
  if kind == "table" or kind == "function" or kind == "thread" then return kind end
  return tostring(value)
end

local function subset(library, names)
  local kept = {}
  for name in string.gmatch(names, "%S+") do kept[name] = library[name] end
  return sandbox.frozen(kept)
end

local function standard()
  return {
    assert = assert, error = error, ipairs = ipairs, pcall = pcall, select = select,
    tonumber = tonumber, type = type, tostring = plain_tostring, pairs = ordered_pairs,
    string = sandbox.frozen(sandbox.string),
    table = subset(table, "concat insert move pack remove sort unpack"),
    math = subset(math, "abs ceil exp floor fmod huge log max maxinteger min mininteger modf pi "
      .. "sqrt tointeger type ult"),
    utf8 = subset(utf8, "char charpattern codepoint codes len offset"),
  }
end

local function words()
  local all = standard()
  for name, value in pairs(primitives) do
    all[name] = type(value) == "table" and sandbox.frozen(value) or value
  end
  return all
end

local function unknown(_, name)
  error("unknown name `" .. tostring(name) .. "`: scripts have locals and the words of "
    .. "`ecrb help api`", 2)
end

local function no_global(_, name)
  error("assignment to the global `" .. tostring(name) .. "`: write `local "
    .. tostring(name) .. "`; scripts have no globals", 2)
end

local shared = words()

-- A new environment; `extra` adds words (require, and what only some scripts
-- are granted).
function frozen.environment(extra)
  return setmetatable({}, {
    __index = function (_, name)
      local value = extra[name]
      if value == nil then value = shared[name] end
      if value == nil then unknown(nil, name) end
      return value
    end,
    __newindex = no_global,
    __metatable = "frozen",
  })
end

-- Whether a word exists, for tools that complete names.
function frozen.names()
  local names = {}
  for name in pairs(shared) do names[#names + 1] = name end
  table.sort(names)
  return names
end

return frozen
