-- file_word(name): a name as a part of a file's or a folder's: what a path may not
-- hold, and blanks, become `_`.

return function (name)
  return (string.gsub(name, "[^%w._-]+", "_"))
end
