-- whole(least) converts a word of the command line to a whole number of at
-- least `least`, for argparse.

return function (least)
  return function (word)
    local number = math.tointeger(tonumber(word))
    if number and number >= least then return number end
    return nil, string.format("`%s` is no whole number of at least %d", word,
      least)
  end
end
