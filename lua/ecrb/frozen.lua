-- The environment of a method script: an allow-list, read-only, the same on
-- every machine. What is not listed does not exist, and saying its name is an
-- error that says so. A chunk runs afresh for each enzyme in an environment of
-- its own, so nothing can pass from one enzyme to the next.

local primitives = require "ecrb.primitives"
local sandbox = require "core.sandbox"

local frozen = {}

-- Lua's own words, as the host guards them: bounded, read-only, without
-- addresses or clocks; pairs goes by the order of the keys.
local function standard()
  local words = { string = sandbox.string, table = sandbox.table, math = sandbox.math,
                  utf8 = sandbox.utf8 }
  for name, value in pairs(sandbox.base) do words[name] = value end
  return words
end

local function words()
  local all = standard()
  for name, value in pairs(primitives) do
    all[name] = type(value) == "table" and sandbox.frozen(value) or value
  end
  return all
end

local function unknown(name)
  error("unknown name `" .. tostring(name) .. "`: scripts have locals and the words of "
    .. "`ecrb help api`", 3)
end

local function no_global(_, name)
  error("assignment to the global `" .. tostring(name) .. "`: write `local "
    .. tostring(name) .. "`; scripts have no globals", 2)
end

local shared = words()

-- Words are looked up as often as scripts are run, so a function is called only
-- where there is none.
local beyond_extra = { __index = setmetatable(shared, {
  __index = function (_, name) unknown(name) end,
}) }

-- A new environment; `extra` adds words (require, and what only some scripts
-- are granted).
function frozen.environment(extra)
  return setmetatable({}, { __index = setmetatable(extra, beyond_extra), __newindex = no_global,
                            __metatable = "frozen" })
end

-- Whether a word exists, for tools that complete names.
function frozen.names()
  local names = {}
  for name in pairs(shared) do names[#names + 1] = name end
  table.sort(names)
  return names
end

return frozen
