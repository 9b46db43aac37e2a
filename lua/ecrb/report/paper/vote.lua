-- Tables 2 and 15: L4 per split against the vote of the neighbours, who need no
-- model.

local vote = {}

-- The cells of a row: one a split, then all items where that is something else.
local function per_split(board, label, value)
  local row = { label }
  for i, split in ipairs(board.splits) do
    row[i + 1] = value("split", split) or false
  end
  if #board.splits > 1 then row[#row + 1] = value() or false end
  return row
end

local function columns_of(board, first)
  local columns = { first, table.unpack(board.splits) }
  if #board.splits > 1 then columns[#columns + 1] = "all" end
  return columns
end

local function counts_row(board)
  return per_split(board, "n", function (_, split)
    return split and board.counts[split] or #board.items
  end)
end

local function own(board, arm, label)
  return per_split(board, label or arm.label, function (by, name)
    local levels = board:levels(arm, by, name)
    return levels and levels.l4
  end)
end

-- The L4 of a setting: of its model, or on average over the models.
local function of_setting(board, list, label)
  if #list == 1 then return own(board, list[1], label) end
  return per_split(board, label, function (by, name)
    return board:mean(list, "l4", by, name)
  end)
end

local function gain(board, list, reference, label)
  return per_split(board, label, function (by, name)
    return board:gain(list, { reference }, "l4", by, name)
  end)
end

local function open_settings(board)
  local list = {}
  for _, setting in ipairs(board.settings) do
    if setting.is_paper and setting.book == "open" then
      list[#list + 1] = setting
    end
  end
  return list
end

local function mean_note(board)
  if #board.models < 2 then return nil end
  return "Rows of settings are means over the " .. #board.models .. " models."
end

local vote_note = "Neighbour vote: the EC numbers of the top BLAST and the top "
  .. "HMMER hit, one vote each, a tie to the one met first; no model. Gains are "
  .. "paired by item."

-- Table 2, or nil without an open setting or without the two channels.
function vote.table2(board)
  local settings, reference = open_settings(board), board:reference("vote")
  if not settings[1] or not reference then return nil end
  local rows = { counts_row(board), own(board, reference, "neighbour vote") }
  for _, setting in ipairs(settings) do
    rows[#rows + 1] = of_setting(board, setting.arms, setting.label)
  end
  for i, setting in ipairs(settings) do
    local row = gain(board, setting.arms, reference, setting.label .. " - vote")
    row.rule = i == 1
    rows[#rows + 1] = row
  end
  return { title = string.format("Table 2. L4 against the neighbour vote, %s, %s",
             board:who(), board:where()),
           columns = columns_of(board, "L4"), rows = rows,
           notes = board:notes(vote_note, mean_note(board)) }
end

-- A panel of Table 15: one setting, model by model.
local function panel(board, letter, key)
  local list, reference = board:of_key(key), board:reference("vote")
  if not list[1] or not reference then return nil end
  local rows = { counts_row(board) }
  for _, arm in ipairs(list) do rows[#rows + 1] = own(board, arm, arm.model) end
  if list[2] then
    rows[#rows + 1] = of_setting(board, list, "mean over models")
    rows[#rows].rule = true
  end
  rows[#rows + 1] = own(board, reference, "neighbour vote")
  rows[#rows + 1] = gain(board, list, reference, "gain over the vote")
  return { title = string.format("Table 15%s. %s against the neighbour vote, %s",
             letter, list[1].label, board:where()),
           columns = columns_of(board, "model"), rows = rows,
           notes = board:notes(vote_note) }
end

-- Table 15a: M2. Nil without it or without the vote's channels.
function vote.table15a(board) return panel(board, "a", "m2") end

-- Table 15b: M4 with evidence.
function vote.table15b(board) return panel(board, "b", "m4-open") end

return vote
