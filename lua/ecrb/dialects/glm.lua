-- GLM (Zhipu, Z.ai). Narrower sampling ranges; no budget of thinking; streams
-- must not be asked for their usage.
return {
  base = "compatible",
  seed = false,
  stop = 1,
  ranges = { temperature = { 0, 1 }, top_p = { 0.01, 1 } },
  usage = false,
  thinking = {
    on = { thinking = { type = "enabled" } },
    off = { thinking = { type = "disabled" } },
  },
}
