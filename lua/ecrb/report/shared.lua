-- Scores of several lists of records over the items that they share.

local shared = {}

-- The records of a list by the keys of their items.
function shared.by_key(rows)
  local map = {}
  for _, record in ipairs(rows) do map[record.key] = record end
  return map
end

-- A score as a number: right is 1, wrong and none are 0.
function shared.number_of(value)
  return value == true and 1 or value or 0
end

-- For each list of scored records the column of a score, item by item in the
-- order of the first; nil where the lists have not all the same items, or none.
function shared.columns(lists, score)
  local columns = {}
  for l, list in ipairs(lists) do
    if #list ~= #lists[1] or #list == 0 then return nil end
    local map = shared.by_key(list)
    columns[l] = {}
    for i, record in ipairs(lists[1]) do
      local own = map[record.key]
      if not own then return nil end
      columns[l][i] = shared.number_of(own.score[score])
    end
  end
  return columns[1] and columns
end

-- The mean of columns first..last, item by item.
function shared.averaged(columns, first, last)
  local mean = {}
  for i = 1, #columns[first] do
    local sum = 0
    for c = first, last do sum = sum + columns[c][i] end
    mean[i] = sum / (last - first + 1)
  end
  return mean
end

return shared
