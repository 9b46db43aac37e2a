-- Replies that were accepted although something about them is odd: counted by
-- what it is, and told when the run ends.
local oddities = {}

local SENTENCES = {
  { "other_model", "name another model than the one that was asked for" },
  { "bad_usage", "tell of token counts that cannot be; they are taken as unknown" },
  { "filter_outage", "came while the endpoint's content filter was out" },
  { "bad_utf8", "held bytes that are no UTF-8; each is read as U+FFFD" },
  { "lone_surrogate", "held half a character; it is read as U+FFFD" },
  { "raw_control", "held raw line breaks or tabs within a JSON string" },
  { "unknown_part", "held content of a kind that is not read" },
}

-- Adds a reply with these flags to the counts by flag.
function oddities.count(counts, flags)
  if next(flags) == nil then return end
  for _, each in ipairs(SENTENCES) do
    local flag = each[1]
    if flags[flag] then counts[flag] = (counts[flag] or 0) + 1 end
  end
end

-- A line of text for each.
function oddities.told(counts)
  local lines = {}
  for _, each in ipairs(SENTENCES) do
    local count = counts[each[1]]
    if count then
      lines[#lines + 1] = string.format("note: %d of the replies %s", count, each[2])
    end
  end
  return lines
end

return oddities
