-- The channel esm_knn: nearest training enzymes by the cosine of their vectors,
-- which stand in .npy matrices, a row an id in a list beside.

local fail = require "ecrb.fail"
local import = require "core.import"
local nearest = require "core.nearest"
local system = require "core.system"
local writer = require "ecrb.writer"

local embedding = {}

embedding.channel = "esm_knn"

embedding.layout = { format = "tabular", columns = "query target cosine", score = "cosine",
  kind = "cosine" }

function embedding.options(p)
  p:option("--vectors", "vectors of the queries for the channel esm_knn, a matrix of float16 or "
    .. "float32")
    :argname("NPY")
  p:option("--vector-ids", "ids of these vectors, one a line (default: NPY with the ending .txt)")
    :argname("TXT")
  p:option("--train-vectors", "vectors of the training set"):argname("NPY")
  p:option("--train-vector-ids", "ids of those vectors (default: as above)"):argname("TXT")
end

local function ids_of(path)
  local ids = {}
  for line, text in import.lines(path) do
    ids[#ids + 1] = string.match(text, "^%s*(%S+)%s*$")
      or fail("%s:%d: `%s` is no id; the list has one in each line", path, line,
        string.sub(text, 1, 80))
  end
  return ids
end

-- A matrix and the ids of its rows.
local function open_one(path, list)
  list = list or string.match(path, "^(.*)%.npy$") and string.match(path, "^(.*)%.npy$") .. ".txt"
    or fail("%s: name the list of its ids", path)
  local vectors, ids = nearest.vectors(path), ids_of(list)
  if #vectors ~= #ids then
    fail("%s has %d {row|rows} and %s %d {id|ids}; row n belongs to the id in line n", path,
      #vectors, list, #ids)
  end
  return { vectors = vectors, ids = ids, path = path, list = list }
end

-- The matrices of the items and of the training set.
function embedding.open(args)
  if not (args.vectors and args.train_vectors) then
    fail("the channel esm_knn needs --vectors and --train-vectors")
  end
  return open_one(args.vectors, args.vector_ids),
    open_one(args.train_vectors, args.train_vector_ids)
end

-- How many rows the id with most of them has; every id must be known.
local function check_training(training, is_known)
  local rows, most = {}, 1
  for line, id in ipairs(training.ids) do
    if not is_known(id) then
      fail("%s:%d: `%s` is not in the training set: leave it out of the matrix, "
        .. "for evidence comes from the training set alone", training.list, line, id)
    end
    rows[id] = (rows[id] or 0) + 1
    most = math.max(most, rows[id])
  end
  return most
end

local function note_items(report, bench, items)
  local known, missing = {}, 0
  for line, id in ipairs(items.ids) do
    if known[id] then fail("%s:%d: `%s` stands twice", items.list, line, id) end
    known[id] = true
  end
  for i = 1, #bench.core do
    if not known[bench.core:item(i).id] then missing = missing + 1 end
  end
  if missing > 0 then report:say("esm_knn: %d {item has|items have} no vector", missing) end
end

-- The search (core.nearest) for so many neighbours of each item, be they several
-- rows each.
function embedding.neighbours(items, training, n, is_known)
  local k = math.min(n * check_training(training, is_known), #training.ids)
  return nearest.search(items.vectors, training.vectors, k)
end

-- One line a neighbour; several rows of one protein are for the import to merge.
local function write_neighbours(path, items, training, search)
  writer.whole(path, function (file)
    for query, rows, cosines in search do
      for i, row in ipairs(rows) do
        file:write(string.format("%s\t%s\t%.7g\n", items.ids[query], training.ids[row],
          cosines[i]))
      end
    end
  end)
  return search:report()
end

function embedding.file_record(one)
  return { file = string.match(one.path, "[^/]*$"), sha256 = import.sha256(one.path),
    ids = import.sha256(one.list) }
end

-- Searches and leaves the neighbours in `path`; returns what bench.json says of
-- it. `args` are the options above.
function embedding.search(args, bench, builder, report, path)
  local items, training = embedding.open(args)
  note_items(report, bench, items)
  local search = embedding.neighbours(items, training, args.neighbours, function (id)
    return builder:trains(id)
  end)
  local found = write_neighbours(path, items, training, search)
  if found.zero_queries + found.zero_references > 0 then
    report:say("esm_knn: %d {item|items} and %d training {enzyme|enzymes} have a vector of zeros, "
      .. "like nobody", found.zero_queries, found.zero_references)
  end
  return { channel = embedding.channel, tool = "ecrb", version = system.version,
    commands = { "exact cosine over all rows" .. (found.blas and ", OpenBLAS" or "") },
    limits = { neighbours = args.neighbours }, format = embedding.layout.format,
    columns = embedding.layout.columns, vectors = embedding.file_record(items),
    training = embedding.file_record(training) }
end

return embedding
