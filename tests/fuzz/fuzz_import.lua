-- Any bytes as a table of enzymes, a UniProt file or a training set, as the first
-- byte says: refused with its line, or a benchmark that opens.

local core_bench = require "core.bench"
local import = require "core.import"
local input = dofile "tests/fuzz/input.lua"
local reports = require "ecrb.import.report"
local table_source = require "ecrb.import.table"
local training = require "ecrb.import.training"
local trees = require "ecrb.import.tree"
local uniprot = require "ecrb.import.uniprot"

local folder = input.folder "built"

local sources = {
  function (state, path)
    state.args.table = path
    table_source.read(state)
  end,
  function (state, path)
    state.args.file = path
    uniprot.read(state)
  end,
  function (state, path)
    state.args.file, state.args.since = path, "2020-01-01"
    uniprot.read(state)
  end,
  function (state, path)
    state.args.table = input.file("id,ec,sequence\nP1,1.1.1.1,MK\n", "table.csv")
    table_source.read(state)
    training.table(state.builder, state.report, path)
  end,
  function (state, path)
    state.args.table = input.file("id,ec\nP1,1.1.1.1\n", "table.csv")
    state.args.tree = path
    state.args.fasta = input.file(">P1\nMK\n", "table.fasta")
    table_source.read(state)
  end,
}

local function build(read, path)
  local builder <close> = import.builder(1)
  local report = reports.new()
  local state = { args = {}, builder = builder, report = report, ids = {},
                  tree = trees.new(builder, report) }
  read(state, path)
  state.tree:say_superseded(state.ids)
  report:text()
  assert(builder:write(folder))
  return #state.ids
end

return function (bytes)
  local place, text = input.choice(bytes, #sources)
  local n = input.refusable(build, sources[place], input.file(text, "source"))
  if n then assert(#core_bench.open(folder, 1) == n) end
end
