-- Reads a genus file of prokka: FASTA whose header lines are
-- `>ID EC~~~gene~~~product`, the number and the gene often empty.

local files = require "files"

local function header(path, number, line)
  local id, number_ec, gene, product =
    string.match(line, "^>(%S+) (.-)~~~(.-)~~~(.*)$")
  if not id then
    error(path .. ":" .. number .. ": the header is not of the form"
      .. " `>ID EC~~~gene~~~product`; is this a genus file of prokka?", 0)
  end
  return { id = id, ec = number_ec, gene = gene, product = product,
    residues = {} }
end

-- All records of the file, whether they carry an EC number or not.
return function (path)
  local records, record = {}, nil
  for number, line in ipairs(files.lines(path)) do
    if string.sub(line, 1, 1) == ">" then
      record = header(path, number, line)
      records[#records + 1] = record
    else
      table.insert(record.residues, line)
    end
  end
  for _, each in ipairs(records) do
    each.sequence = string.upper(table.concat(each.residues))
    each.residues = nil
  end
  return records
end
