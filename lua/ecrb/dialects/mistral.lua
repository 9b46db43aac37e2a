-- Mistral: a name of its own for the seed; content may come as parts.
return {
  base = "compatible",
  seed = "random_seed",
  ranges = { temperature = { 0, 1.5 }, top_p = { 0, 1 } },
  json = { object = { response_format = { type = "json_object" } },
           schema = "nested" },
  choices = { shape = "schema", at = { "response_format" } },
}
