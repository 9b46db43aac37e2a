-- Addresses of endpoints.
local address = {}

local SECRETS = { "key", "token", "secret", "password", "signature" }

-- Whether a parameter of the query is named like something that is kept secret.
local function holds_secret(url)
  for name in string.gmatch(string.lower(url), "[?&]([^=&]*)=[^&]") do
    for _, word in ipairs(SECRETS) do
      if string.find(name, word, 1, true) then return true end
    end
  end
  return false
end

-- What is wrong with a base URL, or nil.
function address.fault(url)
  local authority = string.match(url, "^https?://([^/?#]+)")
  if not authority then
    return "the base URL must begin with http:// or https://: " .. url
  end
  if string.find(authority, "@", 1, true) then
    return "a base URL must hold no password: put the key into a variable"
  end
  if holds_secret(url) then
    return "a base URL is recorded and must hold no key: put it into a variable"
  end
  if string.find(url, "[%s%c#]") then
    return "the base URL holds a blank or a #"
  end
  return nil
end

-- The address of `path` under a base URL: joined with one slash, the query
-- kept (Azure's ?api-version=...).
function address.join(base, path)
  local place, query = string.match(base, "^([^?]*)(.*)$")
  return string.gsub(place, "/+$", "") .. path .. query
end

function address.host(url)
  return string.match(url, "^%a+://([^/?]+)")
end

return address
