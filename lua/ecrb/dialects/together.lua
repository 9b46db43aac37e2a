-- Together.
return {
  base = "compatible",
  thinking = {
    on = { reasoning = { enabled = true } },
    off = { reasoning = { enabled = false } },
  },
  json = { object = { response_format = { type = "json_object" } },
           schema = "nested" },
  choices = { shape = "schema", at = { "response_format" } },
}
