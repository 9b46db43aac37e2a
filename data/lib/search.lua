-- Runs blastp and phmmer and reads their tables. A hit is {neighbour, score,
-- identity, coverage, evalue}; there is one per neighbour, of its best local
-- alignment, in the tool's order (E-value), ties by bit score, identity and
-- the neighbour's id.

local files = require "files"

local search = { evalue = "1e-3", most = 10 }

local function write_fasta(path, enzymes)
  local lines = {}
  for _, enzyme in ipairs(enzymes) do
    lines[#lines + 1] = ">" .. enzyme.id .. "\n" .. enzyme.sequence
  end
  files.write(path, table.concat(lines, "\n") .. "\n")
end

local function before(a, b)
  if a.evalue ~= b.evalue then return a.evalue < b.evalue end
  if a.score ~= b.score then return a.score > b.score end
  if a.identity ~= b.identity then return a.identity > b.identity end
  return a.neighbour < b.neighbour
end

-- Keeps the first row of each neighbour: both tools print the best first.
local function collect(hits, item, hit)
  local list = hits[item] or { of = {} }
  hits[item] = list
  if item ~= hit.neighbour and not list.of[hit.neighbour] then
    list.of[hit.neighbour] = true
    list[#list + 1] = hit
  end
end

local function ranked(hits)
  for _, list in pairs(hits) do
    list.of = nil
    table.sort(list, before)
  end
  return hits
end

local function percent(first, last, length)
  return 100 * (last - first + 1) / length
end

local function read_blast(text)
  local hits = {}
  for line in string.gmatch(text, "[^\n]+") do
    local c = files.cells(line)
    collect(hits, c[1], { neighbour = c[2], identity = tonumber(c[3]),
      coverage = percent(c[4], c[5], c[6]), evalue = tonumber(c[7]),
      score = tonumber(c[8]) })
  end
  return ranked(hits)
end

-- blastp of the queries against the targets: {item = {hit...}}.
function search.blast(folder, queries, targets)
  local query, database = folder .. "/query.fasta", folder .. "/targets.fasta"
  write_fasta(query, queries)
  write_fasta(database, targets)
  files.run({ "makeblastdb", "-in", database, "-dbtype", "prot" })
  return read_blast(files.run({ "blastp", "-query", query, "-db", database,
    "-evalue", search.evalue, "-num_threads", "2", "-outfmt",
    "6 qseqid sseqid pident qstart qend qlen evalue bitscore" }))
end

-- The columns of a per-domain table of HMMER. A target's domains follow each
-- other; the one with the best bit score gives the coverage.
local function read_domains(path)
  local hits, best = {}, {}
  for _, line in ipairs(files.lines(path)) do
    local c = {}
    for cell in string.gmatch(line, "%S+") do c[#c + 1] = cell end
    if string.sub(line, 1, 1) ~= "#" then
      local pair, bits = c[1] .. " " .. c[4], tonumber(c[14])
      if not best[pair] or bits > best[pair].bits then
        best[pair] = { bits = bits, coverage = percent(c[16], c[17], c[6]) }
      end
      collect(hits, c[4], { neighbour = c[1], evalue = tonumber(c[7]),
        score = tonumber(c[8]), identity = 0 })
    end
  end
  for item, list in pairs(hits) do
    for _, hit in ipairs(list) do
      hit.coverage = best[hit.neighbour .. " " .. item].coverage
    end
  end
  return ranked(hits)
end

-- phmmer of the queries against the targets; it reports no identity.
function search.hmmer(folder, queries, targets)
  local query, database = folder .. "/query.fasta", folder .. "/targets.fasta"
  local domains = folder .. "/domains.txt"
  write_fasta(query, queries)
  write_fasta(database, targets)
  files.run({ "phmmer", "-E", search.evalue, "--noali", "--cpu", "2",
    "-o", "/dev/null", "--domtblout", domains, query, database })
  local hits = read_domains(domains)
  for _, list in pairs(hits) do
    for _, hit in ipairs(list) do hit.identity = nil end
  end
  return hits
end

-- The first `most` hits, the ones that count as evidence.
function search.cut(hits)
  return table.move(hits or {}, 1, math.min(search.most, #(hits or {})), 1, {})
end

-- {{tool, version}...}
function search.versions()
  local blast = files.run({ "blastp", "-version" })
  local hmmer = files.run({ "phmmer", "-h" })
  return { { "blastp", string.match(blast, "blastp: (%S+)") },
    { "phmmer", string.match(hmmer, "HMMER (%S+)") } }
end

return search
