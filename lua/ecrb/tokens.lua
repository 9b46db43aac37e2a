-- An estimate of tokens for what no endpoint has counted: one for three bytes.
-- Prose takes fewer and sequences, which tokenizers cut far more finely, take
-- more; for a prompt that holds both it is good to about a third.

local tokens = {}

function tokens.estimate(text)
  return math.ceil(#text / 3)
end

-- Of all messages of a request, with four for the frame of each.
function tokens.of_messages(messages)
  local sum = 0
  for _, message in ipairs(messages) do sum = sum + 4 + tokens.estimate(message.content) end
  return sum
end

return tokens
