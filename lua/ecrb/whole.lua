-- whole(least, most) converts a word of the command line to a whole number of at
-- least `least` and, where that is given, at most `most`, for argparse.

return function (least, most)
  return function (word)
    local number = math.tointeger(tonumber(word))
    if number and number >= least and number <= (most or number) then return number end
    return nil, string.format("`%s` is no whole number of at least %d%s", word,
      least, most and string.format(" and at most %d", most) or "")
  end
end
