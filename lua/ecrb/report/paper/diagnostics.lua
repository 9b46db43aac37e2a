-- Table 14: what M2 searched, how M4's chains agreed, intervals, and homology.

local complete = require "ecrb.report.paper.complete"
local with_digits = require "ecrb.tables.cell".with_digits

local diagnostics = {}

-- Panel a: M2's cost, what it submits, and its calls of each channel.
function diagnostics.search(board)
  local rows, channels = {}, board.bench:channels()
  for i, arm in ipairs(board:of_key "m2") do
    local f = board:figures(arm)
    rows[i] = { arm.model, f.n, with_digits(f.retrievals, 2),
                with_digits(f.turns, 2), f.reach, f.full_ec_precision }
    for _, channel in ipairs(channels) do
      table.insert(rows[i], f.calls[channel] or 0)
    end
  end
  if not rows[1] then return nil end
  return { title = "Table 14a. M2: cost, submission, calls per channel, "
             .. board:where(),
           columns = { "model", "n", "retrievals", "turns", "reach L4",
                       "full-EC precision", table.unpack(channels) },
           rows = rows, notes = board:notes("Channels: numbers of calls. "
             .. "Full-EC precision: of the items that reach L4.") }
end

local function consensus_row(board, arm)
  local f = board:figures(arm)
  return { arm.model, arm.book, f.n, with_digits(f.consensus or false, 2),
           f.share or false, f.reach, f.full_ec_precision }
end

-- Panel b: M4 without and with evidence.
function diagnostics.consistency(board)
  local rows = {}
  for _, model in ipairs(board.models) do
    for _, key in ipairs { "m4-closed", "m4-open" } do
      local arm = model.arms[key]
      if arm then rows[#rows + 1] = consensus_row(board, arm) end
    end
  end
  if not rows[1] then return nil end
  return { title = "Table 14b. M4: agreement of the chains, " .. board:where(),
           key = 2, columns = { "model", "book", "n", "consensus depth",
             "winning share", "reach L4", "full-EC precision" },
           rows = rows, notes = board:notes() }
end

local function best_of(board, model)
  local best
  for _, setting in ipairs(board.settings) do
    local arm = setting.is_paper and model.arms[setting.key]
    if arm and (not best
        or board:figures(arm).l4[1] > board:figures(best).l4[1]) then
      best = arm
    end
  end
  return best
end

-- Panel c: L4 of B0 in both books and of each model's best setting.
function diagnostics.intervals(board)
  local rows = {}
  for _, model in ipairs(board.models) do
    local best = best_of(board, model)
    local function l4(arm) return arm and board:figures(arm).l4 or false end
    if best then
      rows[#rows + 1] = { model.name, #best.run, l4(model.arms["b0-closed"]),
        l4(model.arms["b0-open"]), l4(best), best.label }
    end
  end
  if not rows[1] then return nil end
  return { title = "Table 14c. L4 with its interval, " .. board:where(),
           columns = { "model", "n", "B0·closed", "B0·open", "best setting",
                       "which" },
           rows = rows, notes = board:notes("The best setting is picked on the "
             .. "same items: its figure is optimistic.") }
end

local function row_over(label, names, value)
  local row = { label }
  for i, name in ipairs(names) do row[i + 1] = value(name) or false end
  return row
end

-- Panel d: L4 by the identity of the nearest neighbour, over the models.
function diagnostics.homology(board)
  local books = board.books
  if not books or not board:has "homology" then return nil end
  local names, heads = complete.heads(board, "homology")
  local function mean(list)
    return function (name) return board:mean(list, "l4", "homology", name) end
  end
  local closed, open = books.closed, books.open
  return {
    title = "Table 14d. L4 by homology, " .. board:where(),
    columns = { "", table.unpack(heads) },
    rows = { row_over(open[1].label, names, mean(open)),
             row_over(closed[1].label, names, mean(closed)),
             row_over("open - closed", names, function (name)
               return board:gain(open, closed, "l4", "homology", name)
             end) },
    notes = board:notes("Homology: the largest BLAST identity among the item's "
      .. "hits in percent, 0 without a hit."
      .. (#open > 1 and " Means over " .. #open .. " models." or "")),
  }
end

return diagnostics
