-- One tolerant reader for what servers call an error: OpenAI's object, a bare
-- string, FastAPI's `detail`, old vLLM's `object = "error"`, Google's array
-- around it, Cloudflare's JSON page. Gives
--   {message=, code=, type=, param=, status=, details=, metadata=}
-- with `code` and `type` as text, and `status` where the code is a number
-- between 400 and 599; nil where the value holds no error.
local errors = {}

local function text_of(value)
  if type(value) == "string" then return value end
  if math.type(value) == "float" and value % 1 == 0 then
    return string.format("%.0f", value)
  end
  if type(value) == "number" then return tostring(value) end
  return nil
end

local function status_of(code)
  local number = math.tointeger(tonumber(code))
  if number and number >= 400 and number <= 599 then return number end
  return nil
end

local function of_object(object)
  local code = text_of(object.code)
  return {
    message = text_of(object.message) or text_of(object.msg) or "",
    code = code,
    type = text_of(object.type) or text_of(object.status),
    param = text_of(object.param),
    status = status_of(code or object.status),
    details = type(object.details) == "table" and object.details or nil,
    metadata = type(object.metadata) == "table" and object.metadata or nil,
  }
end

local function messages_of(list)
  local parts = {}
  for _, entry in ipairs(list) do
    local part = type(entry) == "table" and text_of(entry.msg)
    parts[#parts + 1] = part or text_of(entry)
  end
  return table.concat(parts, "; ")
end

local function of_error(value)
  local inner = value.error
  if type(inner) == "string" and inner ~= "" then
    return { message = inner, code = text_of(value.code),
             status = status_of(value.code) }
  end
  return type(inner) == "table" and of_object(inner) or nil
end

local function of_detail(value)
  local detail = value.detail
  if type(detail) == "string" then return { message = detail } end
  if type(detail) ~= "table" then return nil end
  if #detail > 0 then return { message = messages_of(detail) } end
  return of_object(detail)
end

local function of_cloudflare(value)
  if value.cloudflare_error ~= true then return nil end
  return { message = text_of(value.title) or "Cloudflare error",
           code = text_of(value.status), status = status_of(value.status) }
end

local function of_flat(value)
  local named = value.object == "error" or text_of(value.code)
  if not named or not text_of(value.message) then return nil end
  return of_object(value)
end

local SHAPES = { of_error, of_cloudflare, of_detail, of_flat }

function errors.extract(value)
  if type(value) ~= "table" then return nil end
  if type(value[1]) == "table" then return errors.extract(value[1]) end
  for _, shape in ipairs(SHAPES) do
    local found = shape(value)
    if found then return found end
  end
  return nil
end

return errors
