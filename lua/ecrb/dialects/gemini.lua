-- Gemini's OpenAI-compatible endpoint. It refuses unknown fields by name; a
-- level and a budget of thinking exclude each other.
return {
  base = "compatible",
  seed = false,
  thinking = {
    effort = { reasoning_effort = "$value" },
    efforts = { "none", "minimal", "low", "medium", "high" },
    off = { reasoning_effort = "none" },
    budget = { extra_body = { google = { thinking_config = {
      thinking_budget = "$value" } } } },
  },
  json = { object = { response_format = { type = "json_object" } },
           schema = "nested" },
  choices = { shape = "schema", at = { "response_format" } },
}
