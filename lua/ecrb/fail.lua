-- fail(format, ...) refuses what the user asked for or handed in: the command
-- line prints the message after `ecrb: ` and ends with exit code 2.

return function (format, ...)
  error(string.format(format, ...), 0)
end
