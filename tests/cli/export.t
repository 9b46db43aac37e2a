Records for other programs.

  $ ecrb vote --split price --limit 2 --runs $TMP/runs --quiet >$TMP/said 2>&1
  $ ecrb export $TMP/runs/*
  {"answer":"2.7.1.56","channels":[],"confidences":[],"item":"6PFK-2-MONOMER","labels":["2.7.1.11"],"name":"price\/1","notes":[],"outcome":"answered","path":["2.-.-.-","2.7.-.-","2.7.1.-","2.7.1.56"],"score":{"depth":4,"exists":true,"hf":0.75,"hp":0.75,"hr":0.75,"l1":1,"l2":1,"l3":1,"l4":0,"valid":true},"share":1,"shown":"QYQEPXKZD","split":"price","turns":0,"usage":{"calls":0,"completion":0,"prompt":0,"reasoning":0,"unknown":0},"visible":false}
  {"answer":"2.3.1.29","channels":[],"confidences":[],"item":"7KAPSYN-MONOMER","labels":["2.3.1.47"],"name":"price\/2","notes":[],"outcome":"answered","path":["2.-.-.-","2.3.-.-","2.3.1.-","2.3.1.29"],"score":{"depth":4,"exists":true,"hf":0.75,"hp":0.75,"hr":0.75,"l1":1,"l2":1,"l3":1,"l4":0,"valid":true},"share":1,"shown":"QHLVJS65H","split":"price","turns":0,"usage":{"calls":0,"completion":0,"prompt":0,"reasoning":0,"unknown":0},"visible":false}
  $ ecrb export $TMP/runs/* --format inspect -o $TMP/log.json && head -c 33 $TMP/log.json
  $TMP/log.json: 2 items
  {"version":2,"status":"success",
  $ ecrb export $TMP/runs/* --format html
  ecrb: argument for option `--format` must be one of `jsonl`, `lm-eval`, `inspect` (`ecrb export --help` explains)
  [exit 2]
  $ ecrb export $TMP
  ecrb: $TMP: there is no run here (no run.json); name a run's folder
  [exit 2]
  $ ecrb export $TMP/runs/* -o $TMP/none/x.jsonl
  ecrb: cannot be written: $TMP/none/x.jsonl.new: No such file or directory
  [exit 2]
