-- The channel esm_knn of an annotation. The rows of the queries' matrix stand in
-- the order of the FASTA file, so that both go by once, side by side; a sequence
-- without a row has no neighbour in this channel.

local embedding = require "ecrb.search.embedding"
local fail = require "ecrb.fail"
local system = require "core.system"
local writer = require "ecrb.writer"

local vectors = {}

local Vectors = {}
Vectors.__index = Vectors

vectors.source = { channel = embedding.channel, format = embedding.layout.format,
  columns = embedding.layout.columns, score = embedding.layout.score,
  kind = embedding.layout.kind }

-- Id to row.
local function rows_of(items)
  local rows = {}
  for row, id in ipairs(items.ids) do
    if rows[id] then fail("%s:%d: `%s` stands in line %d too", items.list, row, id, rows[id]) end
    rows[id] = row
  end
  return rows
end

-- The matrices that the options (embedding.options) name, over an index.
function vectors.open(args, index)
  local numbers = {}
  for n, id in ipairs(index.ids) do numbers[id] = n end
  local items, training = embedding.open(args)
  local search = embedding.neighbours(items, training, args.neighbours, function (id)
    return numbers[id]
  end)
  return setmetatable({ items = items, training = training, numbers = numbers, at = 0,
    rows = rows_of(items), search = search }, Vectors)
end

-- What the result depends on.
function Vectors:record()
  return { items = embedding.file_record(self.items),
    training = embedding.file_record(self.training) }
end

-- Rows and cosines of the neighbours of an id; nothing where it has no vector.
local function neighbours_of(self, id)
  local row = self.rows[id]
  if not row then return {}, {} end
  if row <= self.at then
    fail("%s:%d: `%s` stands behind a later sequence: the rows must stand in the order of the "
      .. "FASTA file", self.items.list, row, id)
  end
  local query, rows, cosines
  repeat query, rows, cosines = self.search() until query == row
  self.at = row
  return rows, cosines
end

-- Puts the neighbours of a batch's queries into a file, unless it is there. The
-- ids are those inside ecrb.
function Vectors:find(queries, path)
  if system.exists(path) then return end
  writer.whole(path, function (file)
    for _, one in ipairs(queries) do
      local rows, cosines = neighbours_of(self, one.id)
      for i, row in ipairs(one.sequence and rows or {}) do
        file:write(string.format("%s\tt%d\t%.7g\n", one.item,
          self.numbers[self.training.ids[row]], cosines[i]))
      end
    end
  end)
end

return vectors
