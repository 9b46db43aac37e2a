-- The difference between two texts by words: longest common subsequence over
-- words and line ends, so that a changed wording shows and nothing else.

local diff = {}

-- Words, runs of blanks, and line ends, as they stand.
local function pieces(text)
  local list = {}
  for piece in string.gmatch(text, "[^%s]+[ \t]*\n?\n*") do list[#list + 1] = piece end
  return list
end

local function lengths(a, b)
  local table_of = {}
  for i = #a + 1, 1, -1 do
    table_of[i] = {}
    for j = #b + 1, 1, -1 do
      if i > #a or j > #b then
        table_of[i][j] = 0
      elseif a[i] == b[j] then
        table_of[i][j] = table_of[i + 1][j + 1] + 1
      else
        table_of[i][j] = math.max(table_of[i + 1][j], table_of[i][j + 1])
      end
    end
  end
  return table_of
end

-- What two lists share at their ends takes no part in the comparison.
local function shared_ends(a, b)
  local head, tail = 0, 0
  while head < #a and head < #b and a[head + 1] == b[head + 1] do head = head + 1 end
  while tail < #a - head and tail < #b - head and a[#a - tail] == b[#b - tail] do
    tail = tail + 1
  end
  return head, tail
end

local function middle(list, head, tail)
  return { table.unpack(list, head + 1, #list - tail) }
end

-- The steps from `old` to `new`: {kind=, text=} with kind "same", "gone" or
-- "new", neighbours of one kind joined.
function diff.words(old, new)
  local a, b = pieces(old), pieces(new)
  local head, tail = shared_ends(a, b)
  local steps = {}
  local function add(kind, text)
    local last = steps[#steps]
    if last and last.kind == kind then
      last.text = last.text .. text
    else
      steps[#steps + 1] = { kind = kind, text = text }
    end
  end
  for i = 1, head do add("same", a[i]) end
  local x, y = middle(a, head, tail), middle(b, head, tail)
  local common, i, j = lengths(x, y), 1, 1
  while i <= #x or j <= #y do
    if i <= #x and j <= #y and x[i] == y[j] then
      add("same", x[i])
      i, j = i + 1, j + 1
    elseif j > #y or (i <= #x and common[i + 1][j] >= common[i][j + 1]) then
      add("gone", x[i])
      i = i + 1
    else
      add("new", y[j])
      j = j + 1
    end
  end
  for k = #a - tail + 1, #a do add("same", a[k]) end
  return steps
end

local marks = { same = { "", "" }, gone = { "[-", "-]" }, new = { "{+", "+}" } }
local colours = { same = { "", "" }, gone = { "\27[31m[-", "-]\27[0m" },
                  new = { "\27[32m{+", "+}\27[0m" } }

-- The steps as text: [-gone-] {+new+}, coloured on a terminal. Trailing blanks
-- stand outside the marks.
function diff.show(steps, colour)
  local out = {}
  for i, step in ipairs(steps) do
    local around = (colour and colours or marks)[step.kind]
    local word, rest = string.match(step.text, "^(.-)(%s*)$")
    out[i] = around[1] .. word .. around[2] .. rest
  end
  return table.concat(out)
end

function diff.changed(steps)
  for _, step in ipairs(steps) do
    if step.kind ~= "same" then return true end
  end
  return false
end

return diff
