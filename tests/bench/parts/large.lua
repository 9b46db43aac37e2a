-- A large set of enzymes from nothing: ecrb lua large.lua FOLDER ITEMS [fasta]
-- Writes items.tsv (id, ec, sequence), train.tsv and blast.tsv with ten hits an
-- item; or, as `fasta`, the sequences alone. Sequences are short: what grows is
-- their number.

local folder, items, kind = arg[1], tonumber(arg[2]), arg[3]
local TRAINED, HITS, LENGTH = 50000, 10, 60
local letters = "ACDEFGHIKLMNPQRSTVWY"

local function ec_of(n)
  return string.format("%d.%d.%d.%d", n % 7 + 1, n // 7 % 9 + 1, n // 63 % 9 + 1,
    n // 567 % 20 + 1)
end

local function sequence()
  local residues = {}
  for i = 1, LENGTH do
    local at = math.random(#letters)
    residues[i] = string.sub(letters, at, at)
  end
  return "M" .. table.concat(residues)
end

local function file(name)
  local handle = assert(io.open(folder .. "/" .. name, "wb"))
  handle:setvbuf("full", 1 << 20)
  return handle
end

local function write_fasta()
  local out = file "items.fasta"
  for i = 1, items do out:write(">E", i, "\n", sequence(), "\n") end
  out:close()
end

local function write_training()
  local out = file "train.tsv"
  out:write "id\tec\n"
  for i = 1, TRAINED do out:write("T", i, "\t", ec_of(i * 13), "\n") end
  out:close()
end

-- The hits of an item stand in steps of one through the training set, so that
-- no neighbour comes twice.
local function write_hits(out, i)
  local first = math.random(TRAINED - HITS)
  for h = 0, HITS - 1 do
    out:write("E", i, "\tT", first + h, "\t", 80 - 5 * h, ".5\t60\t3\t0\t1\t60\t1\t",
      "60\t1e-", 40 - h, "\t", 300 - 9 * h, ".5\n")
  end
end

math.randomseed(1)
if kind == "fasta" then
  write_fasta()
else
  write_training()
  local table_out, hits_out = file "items.tsv", file "blast.tsv"
  table_out:write "id\tec\tsequence\n"
  for i = 1, items do
    table_out:write("E", i, "\t", ec_of(i), "\t", sequence(), "\n")
    write_hits(hits_out, i)
  end
  table_out:close()
  hits_out:close()
end
