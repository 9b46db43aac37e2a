-- contents(path) -> the bytes of a file, or nil and why not, with the path. A folder
-- can be opened and not read, which is a reason like any other.

return function (path)
  local file, reason = io.open(path, "rb")
  if not file then return nil, reason end
  local bytes, problem = file:read("a")
  file:close()
  if not bytes then return nil, path .. ": " .. problem end
  return bytes
end
