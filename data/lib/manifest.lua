-- Writes bench.json: what the benchmark is, what it was made of and with,
-- and the checksums of its tables. Keys keep their order; no dates.

local files = require "files"

local TABLES = { "ec.tsv", "items.tsv", "labels.tsv", "train.tsv",
  "evidence.tsv", "difficulty.tsv", "decontamination.tsv", "superseded.tsv" }

-- JSON of a list of {key, value}, a value being such a list, a number or a
-- string without control characters.
local function json(fields, indent)
  local lines, inside = {}, indent .. "  "
  for i, field in ipairs(fields) do
    local value = field[2]
    if type(value) == "table" then
      value = json(value, inside)
    elseif type(value) == "string" then
      value = '"' .. string.gsub(value, '[\\"]', "\\%0") .. '"'
    end
    lines[i] = string.format('%s"%s": %s', inside, field[1], value)
  end
  return "{\n" .. table.concat(lines, ",\n") .. "\n" .. indent .. "}"
end

local function sums(paths)
  local list = {}
  for i, path in ipairs(paths) do
    list[i] = { string.match(path, "[^/]+$"), files.sha256(path) }
  end
  return list
end

-- `about` has name, seed, source, inputs (paths), counts and tools (lists of
-- {key, value}).
return function (out, about)
  local paths = {}
  for i, name in ipairs(TABLES) do paths[i] = out .. "/" .. name end
  files.write(out .. "/bench.json", json({ { "name", about.name },
    { "seed", about.seed }, { "source", about.source },
    { "inputs", sums(about.inputs) }, { "counts", about.counts },
    { "tools", about.tools }, { "sha256", sums(paths) } }, "") .. "\n")
end
