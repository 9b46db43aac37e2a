-- The reference of what a method script finds, printed by `ecrb help api`: the
-- blocks of `---` lines above the words of ecrb/primitives.lua. The first line
-- of a block is the call, the rest says what it does.

local system = require "core.system"

local heading = [[
What a method script finds. It returns a table {id=, title=, books=, run=,
options=, prompts=, ...}; `run(enzyme, opt)` returns {path=, confidences=, stop=}
or what `answer`, `consensus`, `elected` and `ecrb.walk` return.

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

return function ()
  local out = {}
  for _, block in ipairs(blocks(system.self .. "/lua/ecrb/primitives.lua")) do
    out[#out + 1] = block[1] .. "\n    " .. table.concat(block, "\n    ", 2)
      .. "\n"
  end
  return heading .. table.concat(out, "\n")
end
