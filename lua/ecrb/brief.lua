-- What a model is told about an enzyme, as text: the sequence and what it says
-- by itself, the evidence table, the motif list, the list of candidates.
-- Names in it are the anonymized ones.

local sequence = require "core.sequence"

local brief = {}

brief.sequence_limit = 1100 -- residues shown (paper, appendix B)

local function yes(value)
  return value and "yes" or "no"
end

local function frequent(d)
  local parts = {}
  for i, letter in ipairs(d.top) do
    parts[i] = string.format("%s %.3f", letter, d.top_fraction[i])
  end
  return table.concat(parts, ", ")
end

-- The fixed block of descriptors (protocol, "Closed book").
function brief.descriptors(enzyme)
  local d = sequence.describe(enzyme.sequence)
  return table.concat({
    string.format("Length: %d residues; molecular weight: %.1f kDa", d.length, d.weight_kda),
    string.format("Mean hydropathy (Kyte-Doolittle): %.3f; hydrophobic fraction: %.3f; "
      .. "longest hydrophobic run: %d; membrane propensity: %s",
      d.hydropathy, d.hydrophobic_fraction, d.longest_hydrophobic_run, yes(d.membrane)),
    string.format("Positive residues: %.3f; negative residues: %.3f; net charge: %+d",
      d.positive_fraction, d.negative_fraction, d.net_charge),
    string.format("Most frequent residues: %s; composition entropy: %.2f bits; "
      .. "low complexity: %s", frequent(d), d.entropy_bits, yes(d.low_complexity)),
  }, "\n")
end

local function folded(letters)
  return (string.gsub(letters, string.rep(".", 60), "%0\n"))
end

-- The sequence, cut at the limit with a note of the full length.
function brief.sequence(enzyme)
  local shown = string.sub(enzyme.sequence, 1, brief.sequence_limit)
  local note = "Sequence:"
  if #shown < enzyme.length then
    note = string.format("Sequence (the first %d of %d residues):", #shown, enzyme.length)
  end
  return note .. "\n" .. string.gsub(folded(shown), "\n$", "")
end

function brief.enzyme(enzyme)
  return "Query enzyme " .. enzyme.name .. "\n" .. brief.descriptors(enzyme)
    .. "\n" .. brief.sequence(enzyme)
end

-- A reaction: in words, as SMILES or both, and what a database says about it
-- where that is asked for. What it lacks in words is shown as SMILES.
function brief.reaction(reaction, shown, with_text)
  local lines = { "Query reaction " .. reaction.name }
  local words = shown ~= "smiles" and reaction.equation
  if words then lines[#lines + 1] = "In words: " .. words end
  if shown ~= "words" or not words then
    lines[#lines + 1] = "SMILES: " .. reaction.reaction
  end
  if with_text and reaction.text then
    lines[#lines + 1] = "Associated text: " .. reaction.text
  end
  return table.concat(lines, "\n")
end

-- What a channel is, for the menu of a searching method.
brief.channel_notes = {
  blast = "sequence homology by BLAST against the training enzymes",
  hmmer = "sequence homology by profile search (phmmer) against the training enzymes",
  esm_knn = "nearest training enzymes by protein language model embedding",
  structure = "structure similarity (Foldseek) to training enzymes",
  active_site = "active-site geometry (Folddisco) shared with training enzymes",
}

brief.no_evidence = "No evidence is available: this is a closed-book question. "
  .. "Judge from the sequence and its descriptors alone."

local columns = "%-12s %4s  %-10s %-24s %-14s %8s %8s  %s"

local header = string.format(columns, "channel", "rank", "enzyme", "EC number(s)", "score",
  "identity", "coverage", "E-value")

-- The same columns where nothing is missing, as with most hits: one formatting
-- in place of five, and there are twenty rows in a prompt.
local full_columns = "%-12s %4d  %-10s %-24s %-14s %7.1f%% %7.1f%%  %.1e"

local function percent(value)
  return value and string.format("%.1f%%", value) or "-"
end

local function hit_row(channel, hit)
  local numbers = hit.ec[2] and table.concat(hit.ec, ";") or hit.ec[1] or ""
  local score = string.format("%.4g %s", hit.score, hit.kind)
  if hit.identity and hit.coverage and hit.evalue then
    return string.format(full_columns, channel, hit.rank, hit.shown, numbers, score,
      hit.identity, hit.coverage, hit.evalue)
  end
  return string.format(columns, channel, hit.rank, hit.shown, numbers, score,
    percent(hit.identity), percent(hit.coverage),
    hit.evalue and string.format("%.1e", hit.evalue) or "-")
end

-- One table over the hits of several channels: {{channel=, hits=}...}.
function brief.evidence(tables)
  local rows = {}
  for _, entry in ipairs(tables) do
    for _, hit in ipairs(entry.hits) do rows[#rows + 1] = hit_row(entry.channel, hit) end
  end
  if #rows == 0 then return "The searches found no training enzyme similar to the query." end
  table.insert(rows, 1, header)
  return table.concat(rows, "\n")
end

-- Where the six motifs stand; "none found" where they do not.
function brief.motifs(enzyme)
  local places, order = {}, {}
  for _, motif in ipairs(sequence.motif_list()) do
    places[motif.name] = {}
    order[#order + 1] = motif
  end
  for _, hit in ipairs(sequence.motifs(enzyme.sequence)) do
    local list = places[hit.name]
    list[#list + 1] = string.format("%d-%d", hit.at, hit.at + hit.length - 1)
  end
  local rows = {}
  for i, motif in ipairs(order) do
    local found = places[motif.name]
    rows[i] = string.format("- %s (%s): %s", motif.name, motif.pattern,
      #found > 0 and table.concat(found, ", ") or "none found")
  end
  return table.concat(rows, "\n")
end

-- The candidates of a step, one a line, in the order in which they stand.
function brief.candidates(list, with_names)
  local rows = {}
  for i, candidate in ipairs(list) do
    rows[i] = "- " .. candidate.ec
    if with_names ~= false and candidate.name then
      rows[i] = rows[i] .. "  " .. candidate.name
    end
  end
  if list.more then
    rows[#rows + 1] = string.format("- MORE  show other candidates (%d more stand below this "
      .. "node)", list.more)
  end
  rows[#rows + 1] = "- UNSURE  stop here, none of these can be chosen responsibly"
  return table.concat(rows, "\n")
end

return brief
