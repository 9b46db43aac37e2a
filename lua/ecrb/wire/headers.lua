-- Response headers. The transport hands them over as raw lines; they are read
-- only when somebody asks, which on a good reply nobody does.
local text = require "core.text"

local headers = {}

local function parse(raw)
  local fields = {}
  for line in string.gmatch(raw, "[^\r\n]+") do
    local name, after = string.match(line, "^([^:%s]+):()")
    if name then
      name = string.lower(name)
      fields[name] = fields[name]
        or text.trim(string.sub(line, after), " \t")
    end
  end
  return fields
end

-- A function from a header's name, in any case, to its text or nil.
function headers.of(raw)
  local fields
  return function(name)
    fields = fields or parse(raw or "")
    return fields[string.lower(name)]
  end
end

-- What may be recorded of a response: request ids, and which gateway, model
-- or provider answered. Nothing else, least of all cookies.
local KEPT = {
  "x-request-id", "request-id", "openai-processing-ms", "openai-version",
  "x-litellm-model-id", "x-litellm-version", "x-litellm-model-api-base",
  "x-ms-region", "x-ms-deployment-name", "cf-ray", "server", "retry-after",
}

function headers.kept(get)
  local kept
  for _, name in ipairs(KEPT) do
    local value = get(name)
    if value then
      kept = kept or {}
      kept[name] = string.sub(value, 1, 200)
    end
  end
  return kept
end

return headers
