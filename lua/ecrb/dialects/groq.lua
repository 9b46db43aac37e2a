-- Groq. Thinking comes in a field of its own where `reasoning_format` is set.
return {
  base = "compatible",
  cap = "max_completion_tokens",
  thinking = {
    effort = { reasoning_effort = "$value" },
    efforts = { "none", "default", "low", "medium", "high" },
    off = { reasoning_effort = "none" },
  },
  json = { object = { response_format = { type = "json_object" } },
           schema = "nested", word = true },
}
