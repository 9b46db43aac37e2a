-- An estimate of tokens for what was not counted by an endpoint: a token for
-- four bytes of prose, and for two letters of a sequence, which tokenizers cut
-- far more finely. Good to about a third; always called an estimate.

local tokens = {}

local sequence = string.rep("%u", 20) .. "+" -- no prose has so long a word

function tokens.estimate(text)
  local letters = 0
  for run in string.gmatch(text, sequence) do letters = letters + #run end
  return math.ceil((#text - letters) / 4 + letters / 2)
end

-- Of all messages of a request, with four for the frame of each.
function tokens.of_messages(messages)
  local sum = 0
  for _, message in ipairs(messages) do sum = sum + 4 + tokens.estimate(message.content) end
  return sum
end

return tokens
