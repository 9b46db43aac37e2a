-- The paper's nine settings in the order of its Table 1: {key, method, book, label}.

return {
  { "b0-closed", "b0", "closed", "B0·closed" },
  { "m1-closed", "m1", "closed", "M1·closed" },
  { "m3-closed", "m3", "closed", "M3·closed" },
  { "m4-closed", "m4", "closed", "M4·closed" },
  { "b0-open", "b0", "open", "B0·open" },
  { "m2", "m2", "open", "M2·active" },
  { "cascade-open", "m1", "open", "cascade·open" },
  { "m3-open", "m3", "open", "M3·open" },
  { "m4-open", "m4", "open", "M4·open" },
}
