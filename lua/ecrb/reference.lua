-- The references. `ecrb help api`: what a method script finds, from the blocks
-- of `---` lines above the words of ecrb/primitives.lua, whose first line is
-- the call. `ecrb help core`: what C offers to Lua programs (core.reference).

local system = require "core.system"

local heading = [[
What a method script finds. It returns a table {id=, title=, books=, run=,
options=, prompts=, ...}; `run(enzyme, opt)` returns {path=, confidences=, stop=}
or what `answer`, `ranking`, `consensus`, `elected` and `walk` return.

An option is name = { default, "help" }; whole, least, above and most bound a
number, one_of = {...} lists texts, optional = true lets `none` leave it out,
channels = true holds for names of evidence channels.

`require "ecrb.walk"` is the walk through the tree: `walk(enzyme, decide)` calls
`decide(step)` level by level, step = {level=, node=, path=, candidates=}, and
takes what `choice` returns (see methods/m1_cascade.lua). Files beside the script
can be required, too. The words below are in lua/ecrb/primitives.lua.

]]

-- The blocks of a source: lists of lines, as they stand.
local function blocks(path)
  local list, block = {}, nil
  for line in io.lines(path) do
    local text = string.match(line, "^%-%-%- ?(.*)$")
    if text and not block then
      block = {}
      list[#list + 1] = block
    end
    if text then table.insert(block, text) else block = nil end
  end
  return list
end

local reference = {}

local function entry(call, lines)
  return call .. "\n    " .. table.concat(lines, "\n    ") .. "\n"
end

function reference.api()
  local out = {}
  for _, block in ipairs(blocks(system.self .. "/lua/ecrb/primitives.lua")) do
    out[#out + 1] = entry(table.remove(block, 1), block)
  end
  return heading .. table.concat(out, "\n")
end

local core_heading = [[
What C offers to Lua programs (`ecrb lua FILE`) and to programs that embed ecrb:
`require "core.NAME"`. Method scripts find the words of `ecrb help api` instead.
A bad argument raises; a normal negative result is nil; a failure of the world
raises {code=, message=}. EC numbers are texts, lists are arrays.

]]

function reference.core()
  local out = {}
  for i, e in ipairs(require "core.reference") do
    local lines = {}
    for line in string.gmatch(e.text .. "\n", "(.-)\n") do
      lines[#lines + 1] = line
    end
    out[i] = entry(e.call, lines)
  end
  return core_heading .. table.concat(out, "\n")
end

return reference
