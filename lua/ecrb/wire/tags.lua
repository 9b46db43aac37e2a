-- Thinking that stands inside the answer. The answer is what follows the last
-- closing mark (some servers send only that one); an opening mark that is
-- never closed means that there is no answer. A mark that the answer merely
-- quotes is taken for a mark: such a reply is lost, never misread.
local tags = {}

local MARKS = {
  { open = "<think>", close = "</think>" },
  { open = "<thinking>", close = "</thinking>" },
  { open = "<seed:think>", close = "</seed:think>" },
  { open = "\u{25c1}think\u{25b7}", close = "\u{25c1}/think\u{25b7}" },
  { open = "<|channel|>analysis<|message|>",
    close = "<|channel|>final<|message|>" },
}

-- Where the text after the last `mark` begins, or nil.
local function after_last(text, mark)
  local after
  local first, last = string.find(text, mark, 1, true)
  while first do
    after = last + 1
    first, last = string.find(text, mark, after, true)
  end
  return after
end

local function answer_start(text)
  local start, closed_by = 1, nil
  for _, mark in ipairs(MARKS) do
    local after = after_last(text, mark.close)
    if after and after > start then start, closed_by = after, mark end
  end
  return start, closed_by
end

local function opens_again(text, start)
  for _, mark in ipairs(MARKS) do
    if string.find(text, mark.open, start, true) then return true end
  end
  return false
end

local function without_marks(text, mark)
  local first, last = string.find(text, mark.open, 1, true)
  if first then
    text = string.sub(text, 1, first - 1) .. string.sub(text, last + 1)
  end
  return text
end

local function has_marks(text)
  return string.find(text, "<", 1, true)
    or string.find(text, "\u{25c1}", 1, true)
end

-- The answer, the thinking (nil where there was none), and whether the
-- thinking was never closed.
function tags.split(text)
  if not has_marks(text) then return text, nil, false end
  local start, mark = answer_start(text)
  if opens_again(text, start) then return "", text, true end
  if not mark then return text, nil, false end
  local thinking = string.sub(text, 1, start - #mark.close - 1)
  return string.sub(text, start), without_marks(thinking, mark), false
end

return tags
