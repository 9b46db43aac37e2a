-- Public archives that `ecrb bench fetch NAME` knows: where they are, what is in
-- them, and what to do then. `folder` is what the archive unpacks to. The address
-- is the record that CARE's repository names; it was never reached from where this
-- was written, so neither it nor a checksum is known to be right.

return {
  care = {
    url = "https://zenodo.org/records/14004425/files/CARE_datasets.zip",
    file = "CARE_datasets.zip",
    folder = "CARE_datasets",
    about = "CARE's datasets and splits, the record that its repository names",
    next = "ecrb bench import care %s --train %s/splits/task1/protein_train.csv -o BENCH",
  },
}
