-- A release of CARE's shape with one item a split, for tests of what is made of
-- it.

local build = require "ecrb.import.build"
local care = require "ecrb.import.care"
local system = require "core.system"

local tmp = os.getenv("TMP") or system.temporary("/tmp")

local release = { tmp = tmp }

local function write(name, text)
  local path = tmp .. "/" .. name
  system.mkdir(string.match(path, "^(.*)/"))
  system.write(path, text)
  return path
end

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("a")
  file:close()
  return text
end

-- Puts DIR for a folder's name.
local function without(folder, text)
  return (string.gsub(text, string.gsub(folder, "%p", "%%%0"), "DIR"))
end

-- A release of CARE's shape with one item a split.
local function small(changes)
  local folder = system.temporary(tmp)
  local part = string.sub(folder, #tmp + 2)
  local files = {
    ["processed_data/EC_list.txt"] = "1.1.1.1\n1.1.1.2\n1.10.3.2\n",
    ["splits/task1/30_protein_test.csv"] =
      "Entry,Sequence,EC number,EC2\nP1,MKVA,1.10.3.2,1.1\n",
    ["splits/task1/30-50_protein_test.csv"] =
      "Entry,Sequence,EC number\nP2,MKVC,1.1.1.1\n",
    ["splits/task1/price_protein_test.csv"] =
      "Entry,EC number,Sequence\nP3,1.1.99.13,MKVD\n",
    ["splits/task1/promiscuous_protein_test.csv"] =
      'index,Entry,Sequence,EC number,Subunit\n7,P4,MKVE,1.1.1.1;1.1.1.2,"a; b, c"\n',
    ["train.tsv"] = "id\tec\nA\t1.1.1.1\nB\t1.1.1.2;1.10.3.2\n",
    ["train.fasta"] = ">A\nMMMM\n>B\nMMMC\n",
    ["blast.tsv"] = "P1\tA\t50\t4\t0\t0\t1\t4\t1\t4\t1e-9\t90\n",
  }
  for name, text in pairs(changes or {}) do files[name] = text end
  for name, text in pairs(files) do write(part .. "/" .. name, text) end
  return folder
end

local function import_small(folder, more)
  local args = { dir = folder, out = folder .. "/BENCH", train = folder .. "/train.tsv",
    train_fasta = folder .. "/train.fasta", blast = folder .. "/blast.tsv",
    evalue = 1e-3, neighbours = 10, visible = 0, seed = 1 }
  for key, value in pairs(more or {}) do args[key] = value end
  return build.run(args, "CARE, task 1", care.read)
end

release.write, release.read, release.without = write, read, without
release.small, release.import = small, import_small

return release
