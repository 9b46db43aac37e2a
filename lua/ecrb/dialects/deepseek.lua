-- DeepSeek. Thinking is on by default; while it is, sampling parameters are
-- accepted without effect. JSON mode wants the word json in the prompt.
return {
  base = "compatible",
  seed = false,
  stop = 16,
  ignores = { temperature = "thinking mode does not use it" },
  thinking = {
    on = { thinking = { type = "enabled" } },
    off = { thinking = { type = "disabled" } },
    effort = { thinking = { type = "enabled" },
               reasoning_effort = "$value" },
    efforts = { "low", "medium", "high", "xhigh", "max" },
  },
  json = { object = { response_format = { type = "json_object" } },
           word = true },
}
