-- homology_channel(bench) -> the channel that homology is measured in: BLAST's, or
-- else that of the first one that was read, as bench.json tells; nil without any.

return function (bench)
  local channels, told = bench.core:channels(), bench.manifest.evidence
  for _, name in ipairs(channels) do
    if name == "blast" then return name end
  end
  local first = type(told) == "table" and told[1]
  return type(first) == "table" and first.channel or channels[1]
end
