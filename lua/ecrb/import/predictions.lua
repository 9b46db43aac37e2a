-- Outputs of EC predictors, as answers by protein: a list {ec, confidence}, best
-- first, empty where the tool says that it predicts nothing. What a number means
-- is declared, not guessed: CLEAN writes distances and probabilities alike.

local ec = require "core.ec"
local fail = require "ecrb.fail"
local import = require "core.import"

local predictions = {}

local function refuse(path, line, format, ...)
  fail("%s:%d: %s", path, line, string.format(format, ...))
end

local function number_of(path, line, text)
  local number = ec.parse(text)
  if not number or ec.level(number) == 0 then
    refuse(path, line, "`%s` is no EC number", string.sub(text, 1, 60))
  end
  return number
end

local function share_of(path, line, what, text)
  local value = tonumber(text)
  if value and value >= 0 and value <= 1 then return value end
  refuse(path, line, "%s `%s` is no number from 0 to 1", what, string.sub(text, 1, 60))
end

-- The answers to a protein, made at its first mention.
local function answers_of(found, id)
  id = string.match(id, "^%S+") or ""
  if not found[id] then
    found[id] = {}
    found[#found + 1] = id
  end
  return found[id]
end

local formats = {}

local function clean_answer(path, line, part, confidence)
  local number, value = string.match(part, "^EC:([^/]+)/(.+)$")
  if not number then
    refuse(path, line, "`%s` is not EC:NUMBER/VALUE", string.sub(part, 1, 60))
  end
  if not tonumber(value) then
    refuse(path, line, "`%s` is no number", string.sub(value, 1, 60))
  end
  return { ec = number_of(path, line, number), confidence = confidence == "probability"
    and share_of(path, line, "probability (is it a distance?)", value) or nil }
end

-- CLEAN: `id,EC:1.1.1.1/0.91,EC:...`, up to ten, no header. It always answers.
formats.clean = { title = "CLEAN", always = true, read = function (path, found, options)
  if not options.confidence then
    fail("%s: CLEAN writes distances or probabilities behind the slash; say which with "
      .. "--confidence distance or --confidence probability", path)
  end
  for line, text in import.lines(path) do
    local id, rest = string.match(text, "^([^,]+),(.+)$")
    if id then
      local list = answers_of(found, id)
      for part in string.gmatch(rest, "[^,]+") do
        list[#list + 1] = clean_answer(path, line, part, options.confidence)
      end
    elseif text ~= "" then
      refuse(path, line, "is not id,EC:NUMBER/VALUE")
    end
  end
end }

-- ProteInfer: a row per label and protein; its labels include all ancestors,
-- and labels of other kinds.
formats.proteinfer = { title = "ProteInfer", read = function (path, found)
  local columns = { "sequence_name", "predicted_label", "confidence" }
  for line, id, label, confidence in import.table(path, columns, "\t") do
    local list = answers_of(found, id)
    local number = string.match(label, "^EC:(.+)$")
    if number then
      list[#list + 1] = { ec = number_of(path, line, number),
        confidence = share_of(path, line, "confidence", confidence) }
    end
  end
end }

local function is_none(text)
  local plain = string.lower(string.gsub(text, "%s", ""))
  return plain == "" or plain == "none" or plain == "-" or plain == "noprediction"
    or plain == "nonenzyme" or plain == "ecnumbernotpredicted"
end

-- DeepEC and DeepECtransformer: a row per protein and number, `EC:1.1.1.1`.
formats.deepec = { title = "DeepEC", read = function (path, found)
  local names = import.columns(path, "\t")
  if #names < 2 then
    fail("%s:1: needs two columns, the protein and its EC number", path)
  end
  for line, id, text in import.table(path, { names[1], names[2] }, "\t") do
    local list = answers_of(found, id)
    for part in string.gmatch(is_none(text) and "" or text, "[^;,%s]+") do
      list[#list + 1] = { ec = number_of(path, line, (string.gsub(part, "^EC:", ""))) }
    end
  end
end }

-- ECPred: `no Prediction`, `non Enzyme`, or an EC number of any level.
formats.ecpred = { title = "ECPred", read = function (path, found)
  local columns = { "Protein ID", "EC Number", "Confidence Score(max 1.0)" }
  for line, id, text, confidence in import.table(path, columns, "\t") do
    local list = answers_of(found, id)
    if not is_none(text) then
      list[#list + 1] = { ec = number_of(path, line, text),
        confidence = share_of(path, line, "confidence", confidence) }
    end
  end
end }

-- Any table with the columns `id`, `ec` and, if there is one, `confidence`;
-- several rows of a protein are several answers, an empty `ec` is none.
formats.table = { title = "table", read = function (path, found)
  for line, id, text, confidence in import.table(path, { "id", "ec", "confidence?" }) do
    local list = answers_of(found, id)
    local numbers = is_none(text) and {} or ec.list(text)
    if not numbers then refuse(path, line, "`%s` is no list of EC numbers", text) end
    for _, number in ipairs(numbers) do
      list[#list + 1] = { ec = number, confidence = confidence and confidence ~= ""
        and share_of(path, line, "confidence", confidence) or nil }
    end
  end
end }

predictions.formats = { "clean", "proteinfer", "deepec", "ecpred", "table" }

function predictions.title(format)
  return formats[format].title
end

-- Whether the tool can say that it predicts nothing.
function predictions.abstains(format)
  return not formats[format].always
end

-- Only the deepest of nested answers: an ancestor says nothing more.
local function without_ancestors(list)
  local above, kept = {}, {}
  for _, answer in ipairs(list) do
    for level = 1, ec.level(answer.ec) - 1 do above[ec.prefix(answer.ec, level)] = true end
  end
  local seen = {}
  for _, answer in ipairs(list) do
    if not above[answer.ec] and not seen[answer.ec] then kept[#kept + 1] = answer end
    seen[answer.ec] = true
  end
  return kept
end

-- By confidence where every answer has one; else as the file has them.
local function in_order(list)
  for i, answer in ipairs(list) do
    if not answer.confidence then return list end
    answer.at = i
  end
  table.sort(list, function (a, b)
    if a.confidence ~= b.confidence then return a.confidence > b.confidence end
    return a.at < b.at
  end)
  return list
end

-- The answers of a file by protein, which also lists the proteins.
function predictions.read(format, path, options)
  local found = {}
  formats[format].read(path, found, options)
  for _, id in ipairs(found) do found[id] = in_order(without_ancestors(found[id])) end
  return found
end

return predictions
