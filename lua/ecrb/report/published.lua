-- L4 that others published for the four splits of CARE, as the paper quotes it
-- from PoinnCARE (Table 6a): no intervals, and `promiscuous` scored against the
-- whole label set where ecrb takes any label. Of use beside runs on all of CARE
-- and nothing else.

local published = {}

local splits = { ["30"] = 432, ["30-50"] = 560, price = 148, promiscuous = 209 }

local specialists = {
  { name = "PoinnCARE", ["30"] = 0.648, ["30-50"] = 0.822, price = 0.349 },
  { name = "CLEAN", ["30"] = 0.535, ["30-50"] = 0.798, price = 0.280 },
  { name = "ESM-2", ["30"] = 0.518, ["30-50"] = 0.781, price = 0.362 },
  { name = "Foldseek", ["30"] = 0.544, ["30-50"] = 0.755, price = 0.314 },
}

local function is_care(board)
  for split, n in pairs(splits) do
    if board.counts[split] ~= n then return false end
  end
  return string.find(string.lower(board.benchmark.name), "care", 1, true) ~= nil
end

-- What stands beside the runs of a board: {name=, [split] = L4} each, without
-- `promiscuous`, where the rules differ. Empty unless they are on all of CARE.
function published.of(board)
  return is_care(board) and specialists or {}
end

return published
