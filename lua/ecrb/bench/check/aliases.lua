-- Anonymized ids are those that seed and id make (core/aliases.c), and the control
-- subset is the one that the seed draws.

local import = require "core.import"
local subset = require "ecrb.import.subset"

local aliases = {}

-- The alias that an id has among those that are `taken`.
local function alias_of(letter, seed, id, taken)
  local collisions = 0
  repeat
    local alias = import.alias(letter, seed, id, collisions)
    collisions = collisions + 1
    if not taken[alias] then return alias end
  until false
end

local function check_alias(find, letter, seed, id, shown, taken)
  local expected = alias_of(letter, seed, id, taken)
  if shown ~= expected then
    find("`%s` is shown as `%s`, but seed and id give `%s`", id, shown, expected)
  end
  taken[shown] = true
end

-- Checks the items; ids stand in items.tsv in their order, a line each.
function aliases.items(findings, bench)
  local path, taken = bench.folder .. "/items.tsv", {}
  for index = 1, #bench.core do
    local item = bench.core:item(index)
    if item.visible then
      taken[item.shown] = true
    else
      check_alias(function (format, ...) findings:at(path, index + 1, format, ...) end, "Q",
        bench.seed, item.id, item.shown, taken)
    end
  end
end

-- A function that checks the rows of train.tsv, one by one.
function aliases.training(findings, bench, path)
  local taken = {}
  return function (line, id, shown)
    check_alias(function (format, ...) findings:at(path, line, format, ...) end, "T",
      bench.seed, id, shown, taken)
  end
end

-- How many items of each split are visible, and whether each is.
local function visible_of(bench)
  local ids, counts, visible = {}, {}, {}
  for index = 1, #bench.core do
    local item = bench.core:item(index)
    ids[index], visible[index] = { id = item.id, split = item.split }, item.visible
    if item.visible then counts[item.split] = (counts[item.split] or 0) + 1 end
  end
  return ids, counts, visible
end

-- Checks that as many items as are visible are those that come first by their
-- draw. The bundled benchmark has a choice of its own (data/README.md).
function aliases.control(findings, bench)
  if not bench.manifest.made_by then return end
  local ids, counts, visible = visible_of(bench)
  if not next(counts) then return end
  local path, drawn = bench.folder .. "/items.tsv", subset.drawn(ids, bench.seed, counts)
  for index = 1, #ids do
    if drawn[index] and not visible[index] then
      findings:at(path, index + 1, "`%s` is not `visible`, but the seed draws it into the "
        .. "control subset", ids[index].id)
    elseif visible[index] and not drawn[index] then
      findings:at(path, index + 1, "`%s` is `visible`, but the seed does not draw it into the "
        .. "control subset", ids[index].id)
    end
  end
end

return aliases
