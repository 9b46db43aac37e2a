-- The training set that annotation searches in: an index made before, or a FASTA
-- file with a table of what its enzymes carry, which gets indexed once.

local fail = require "ecrb.fail"
local index = require "ecrb.search.index"
local system = require "core.system"

local source = {}

-- The table beside a FASTA file: the same name with another ending.
local function table_beside(fasta)
  local stem = string.match(string.gsub(fasta, "%.gz$", ""), "^(.*)%.[^./]+$") or fasta
  for _, ending in ipairs { ".tsv", ".tsv.gz", ".csv", ".csv.gz" } do
    if system.kind(stem .. ending) == "file" then return stem .. ending end
  end
  fail("%s: there is no table %s.tsv beside it; name the one that tells the EC numbers "
    .. "(columns `id` and `ec`) with --ecs", fasta, stem)
end

local function cache_folder()
  local cache, home = system.getenv("XDG_CACHE_HOME"), system.getenv("HOME")
  if cache and string.sub(cache, 1, 1) == "/" then return cache .. "/ecrb" end
  if home then return home .. "/.cache/ecrb" end
  fail("there is no home folder to keep the index of the training set in; name one with "
    .. "--index")
end

local function files_of(train, ecs)
  local kind = system.kind(train)
  if not kind then fail("%s: there is no such file or folder", train) end
  if kind ~= "folder" then return { fasta = train, table = ecs or table_beside(train) } end
  local fasta = train .. "/train.fasta"
  if system.kind(fasta) ~= "file" then
    fail("%s: is no index of a training set and holds no train.fasta", train)
  end
  return { fasta = fasta, table = ecs or table_beside(fasta) }
end

-- The index that --train, --ecs and --index name; the second result is what
-- there is to say about it.
function source.open(args)
  if not args.train then
    fail("--train: name the training set, a FASTA file whose table of EC numbers stands "
      .. "beside it as .tsv; the bundled benchmark has no training sequences")
  end
  local train = string.match(args.train, "^(.-)/*$")
  if index.is_index(train) then return index.open(train), {} end
  local files = files_of(train, args.ecs)
  return index.of(args.index or cache_folder() .. "/" .. index.name(files), files)
end

return source
