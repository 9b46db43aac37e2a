-- A LiteLLM proxy. It answers an unknown parameter with an error unless it was
-- told to drop them; do not tell it so.
return {
  base = "compatible",
  thinking = {
    effort = { reasoning_effort = "$value" },
    efforts = { "none", "minimal", "low", "medium", "high" },
    off = { reasoning_effort = "none" },
  },
  json = { object = { response_format = { type = "json_object" } },
           schema = "nested" },
}
