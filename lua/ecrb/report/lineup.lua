-- Who stands where in a report: models, settings, answerers and items, out of a
-- list of arms (ecrb.report.arms).

local lineup = {}

-- The same method without and with evidence: keys of arms.
lineup.pairs = { { "b0-closed", "b0-open" }, { "m1-closed", "cascade-open" },
                 { "m3-closed", "m3-open" }, { "m4-closed", "m4-open" } }

-- The models in the order of the command line, each with its arms by key.
function lineup.models(list)
  local by_position = table.move(list, 1, #list, 1, {})
  table.sort(by_position, function (a, b) return a.position < b.position end)
  local models, by_name = {}, {}
  for _, arm in ipairs(by_position) do
    local model = by_name[arm.model]
    if not model and not arm.control then
      model = { name = arm.model, word = arm.run.settings.model.name,
                arms = {} }
      by_name[arm.model] = model
      models[#models + 1] = model
    end
    if model then model.arms[arm.key] = arm end
  end
  return models
end

-- All items that any arm has a record of, in the order of the benchmark.
function lineup.items(list)
  local first, seen = list[1].run, {}
  local rows = { folder = first.folder, benchmark = first.benchmark,
                 bench = first.bench, settings = first.settings }
  for _, arm in ipairs(list) do
    for _, record in ipairs(arm.run) do
      if not seen[record.key] then
        seen[record.key] = true
        rows[#rows + 1] = record
      end
    end
  end
  table.sort(rows, function (a, b) return a.index < b.index end)
  return rows
end

-- The names of the items' splits in their order, and how many items each has.
function lineup.splits(items)
  local names, counts = {}, {}
  for _, item in ipairs(items) do
    if not counts[item.split] then names[#names + 1] = item.split end
    counts[item.split] = (counts[item.split] or 0) + 1
  end
  return names, counts
end

-- The keys of the arms in the order of the tables: {key=, label=, arms=,
-- control=, is_paper=, book=}, an entry a setting.
function lineup.settings(list_of_arms)
  local list, seen = {}, {}
  for _, arm in ipairs(list_of_arms) do
    local key = arm.control and arm or arm.key
    if not seen[key] then
      seen[key] = { key = arm.key, label = arm.label, book = arm.book,
                    control = arm.control, is_paper = arm.is_paper,
                    arms = {} }
      list[#list + 1] = seen[key]
    end
    table.insert(seen[key].arms, arm)
  end
  return list
end

-- The arms by whoever answered: {name=, word=, arms = list} each, the
-- models in their order, then what asked none.
function lineup.answerers(list_of_arms, models)
  local list, by_name, last = {}, {}, {}
  for _, model in ipairs(models) do
    by_name[model.name] = { name = model.name, word = model.word, arms = {} }
    list[#list + 1] = by_name[model.name]
  end
  for _, arm in ipairs(list_of_arms) do
    local entry = not arm.control and by_name[arm.model]
    table.insert(entry and entry.arms or last, arm)
  end
  if last[1] then
    list[#list + 1] = { name = "no model", word = "no-model", arms = last }
  end
  return list
end

-- The first pair of settings, closed and open, that models were asked in both:
-- {closed=, open=} lists of arms, the same models in both. Nil without one.
function lineup.books(models)
  for _, pair in ipairs(lineup.pairs) do
    local closed, open = {}, {}
    for _, model in ipairs(models) do
      if model.arms[pair[1]] and model.arms[pair[2]] then
        closed[#closed + 1] = model.arms[pair[1]]
        open[#open + 1] = model.arms[pair[2]]
      end
    end
    if closed[1] then return { closed = closed, open = open } end
  end
end

return lineup
