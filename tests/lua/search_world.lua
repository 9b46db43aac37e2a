-- A small world of real sequences to search in: items of the bundled benchmark,
-- and a training set of their relatives and of strangers. Relatives are the
-- same sequences with every n-th residue exchanged, so that identities are known.

local import = require "core.import"
local json = require "ecrb.json"
local system = require "core.system"

local world = { tmp = os.getenv("TMP") or system.temporary("/tmp") }

local letters = "ACDEFGHIKLMNPQRSTVWY"

-- The sequence with every n-th residue exchanged for the next letter.
function world.relative(sequence, n)
  local residues = {}
  for i = 1, #sequence do
    local c = string.sub(sequence, i, i)
    local at = i % n == 0 and string.find(letters, c, 1, true)
    residues[i] = at and string.sub(letters, at % #letters + 1, at % #letters + 1) or c
  end
  return table.concat(residues)
end

local function read_items(folder)
  local items, labels = {}, {}
  for _, id, label in import.table(folder .. "/labels.tsv", { "item", "ec" }) do
    labels[id] = label
  end
  for _, id, split, sequence in import.table(folder .. "/items.tsv",
      { "item", "split", "sequence" }) do
    items[#items + 1] = { id = id, split = split, sequence = sequence, ec = labels[id] }
  end
  return items
end

local bundled = read_items(system.self .. "/data/ecoli")

-- The n items: every tenth, the rest are strangers.
local function chosen(n)
  local items, strangers = {}, {}
  for i, item in ipairs(bundled) do
    local list = i % 10 == 0 and #items < n and items or strangers
    list[#list + 1] = item
  end
  return items, strangers
end

local function write(path, lines)
  system.write(path, table.concat(lines, "\n") .. "\n")
  return path
end

local function training_of(items, strangers)
  local set = {}
  for i, item in ipairs(items) do
    set[#set + 1] = { id = "near" .. i, ec = item.ec, sequence = world.relative(item.sequence, 5) }
    set[#set + 1] = { id = "far" .. i, ec = item.ec, sequence = world.relative(item.sequence, 3) }
  end
  for i = 1, 40 do
    set[#set + 1] = { id = "other" .. i, ec = strangers[i].ec, sequence = strangers[i].sequence }
  end
  return set
end

function world.fasta(path, records)
  local lines = {}
  for i, record in ipairs(records) do
    lines[i] = string.format(">%s\n%s", record.id, record.sequence)
  end
  return write(path, lines)
end

local function labels_of(text)
  local list = {}
  for number in string.gmatch(text, "[^;]+") do list[#list + 1] = number end
  return list
end

local function write_benchmark(folder, items, training)
  local builder <close> = import.builder(1)
  for _, list in ipairs { items, training } do
    for _, one in ipairs(list) do
      for _, number in ipairs(labels_of(one.ec)) do builder:leaf(number) end
    end
  end
  for _, item in ipairs(items) do
    assert(builder:item(item.id, item.split, item.sequence, labels_of(item.ec)))
  end
  for _, enzyme in ipairs(training) do builder:train(enzyme.id, labels_of(enzyme.ec)) end
  system.mkdir(folder)
  assert(builder:write(folder))
  system.write(folder .. "/bench.json", json.pretty { name = "small", seed = 1 })
end

-- Makes a world of n items in a new folder: {folder, bench, fasta, table,
-- queries, items, training}, the first five being paths.
function world.new(n)
  local folder = system.temporary(world.tmp)
  local items, strangers = chosen(n)
  local self = { folder = folder, items = items, training = training_of(items, strangers),
    bench = folder .. "/BENCH", table = folder .. "/train.tsv" }
  self.fasta = world.fasta(folder .. "/train.fasta", self.training)
  self.queries = world.fasta(folder .. "/proteins.fasta", items)
  local rows = { "id\tec" }
  for i, enzyme in ipairs(self.training) do rows[i + 1] = enzyme.id .. "\t" .. enzyme.ec end
  write(self.table, rows)
  write_benchmark(self.bench, items, self.training)
  return self
end

-- Where a program stands; nil where it is not installed.
function world.path_of(program)
  local code, output = system.run { "sh", "-c", "command -v " .. program }
  return code == 0 and string.match(output, "^%S+") or nil
end

-- The first of the programs that is not installed, or nil.
function world.missing(programs)
  for _, program in ipairs(programs) do
    if not world.path_of(program) then return program end
  end
end

-- Runs `ecrb ...` to its end: exit code, what it printed.
function world.ecrb(...)
  return system.run { "ecrb", ... }
end

-- The folder's name as DIR, so that messages can be compared.
function world.plain(self, text)
  return (string.gsub(text, string.gsub(self.folder, "%p", "%%%0"), "DIR"))
end

-- Puts a program of that name, a shell script, before all others; returns the
-- words that run a command with it.
function world.fake(self, name, script)
  local bin = self.folder .. "/bin"
  system.mkdir(bin)
  system.write(bin .. "/" .. name, "#!/bin/sh\n" .. script .. "\n")
  system.run { "chmod", "+x", bin .. "/" .. name }
  return { "env", "PATH=" .. bin .. ":" .. system.getenv("PATH") }
end

function world.read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("a")
  file:close()
  return text
end

-- Waits until the condition holds; false after a minute.
function world.wait_for(condition)
  local last = system.monotonic() + 60
  while not condition() do
    if system.monotonic() > last then return false end
    system.run { "sleep", "0.02" }
  end
  return true
end

return world
