-- Writes .npy files for specs.

local vectors = {}

-- Writes rows of numbers as float32 (or float16 bits given as integers).
function vectors.write(path, rows, type)
  local header = string.format(
    "{'descr': '%s', 'fortran_order': False, 'shape': (%d, %d), }",
    type or "<f4", #rows, #rows[1])
  header = header .. string.rep(" ", 117 - #header) .. "\n"
  local parts = { "\x93NUMPY\1\0" .. string.pack("<I2", #header) .. header }
  for _, row in ipairs(rows) do
    for _, number in ipairs(row) do
      parts[#parts + 1] = string.pack(type == "<f2" and "<I2" or "<f", number)
    end
  end
  local file = assert(io.open(path, "wb"))
  file:write(table.concat(parts))
  file:close()
  return path
end

return vectors
