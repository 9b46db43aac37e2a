Benchmarks out of other people's files: UniProt's flat file and download, Expasy's
enzyme.dat, ExplorEnz's dump. All records are made up, in the published formats.

needs blastp

  $ cd $TMP; cat >enzymes.dat <<'END'
  > ID   ADH1_TESTA              Reviewed;          60 AA.
  > AC   P90001; Q90011;
  > DT   21-JUL-1986, integrated into UniProtKB/Swiss-Prot.
  > DT   23-JAN-2007, sequence version 2.
  > DT   27-MAR-2024, entry version 100.
  > DE   RecName: Full=Alcohol dehydrogenase 1;
  > DE            EC=1.1.1.1 {ECO:0000269|PubMed:1234567};
  > DE   AltName: Full=ADH-1;
  > GN   Name=adh1;
  > OS   Testus alpha.
  > OC   Bacteria.
  > OX   NCBI_TaxID=1;
  > CC   -!- CATALYTIC ACTIVITY:
  > CC       Reaction=a primary alcohol + NAD(+) = an aldehyde + H(+) + NADH;
  > CC         EC=1.1.1.1; Evidence={ECO:0000255|PROSITE-ProRule:PRU10001};
  > PE   1: Evidence at protein level;
  > KW   NAD; Oxidoreductase.
  > SQ   SEQUENCE   60 AA;  6500 MW;  0123456789ABCDEF CRC64;
  >      MSTAGKVIKC KAAVLWELKK PFSIEEVEVA PPKAHEVRIK MVATGICRSD DHVVSGTLVT
  > //
  > ID   HXKB_TESTA              Reviewed;          60 AA.
  > AC   P90002;
  > DT   01-FEB-1991, integrated into UniProtKB/Swiss-Prot.
  > DT   01-FEB-1991, sequence version 1.
  > DT   27-MAR-2024, entry version 90.
  > DE   RecName: Full=Bifunctional kinase/dehydratase;
  > DE   Includes:
  > DE     RecName: Full=Hexokinase;
  > DE              EC=2.7.1.1 {ECO:0000269|PubMed:7654321};
  > DE   Includes:
  > DE     RecName: Full=Serine dehydratase;
  > DE              EC=4.2.1.13;
  > DE   Flags: Precursor;
  > OS   Testus alpha.
  > SQ   SEQUENCE   60 AA;  6500 MW;  1123456789ABCDEF CRC64;
  >      MVHLGPKKPQ ARKGSMADVP KELMDEIHQL EDMFTVDSET LRKVVKHFID ELNKGLTKKG
  > //
  > ID   YXXA_TESTA              Reviewed;          20 AA.
  > AC   P90003;
  > DT   01-FEB-1995, integrated into UniProtKB/Swiss-Prot.
  > DE   RecName: Full=Uncharacterized protein yxxA;
  > SQ   SEQUENCE   20 AA;  2200 MW;  2123456789ABCDEF CRC64;
  >      MKTAYIAKQR QISFVKSHFS
  > //
  > ID   YDHX_TESTB              Reviewed;          30 AA.
  > AC   P90004;
  > DT   03-MAY-2024, integrated into UniProtKB/Swiss-Prot.
  > DE   RecName: Full=Probable oxidoreductase ydhX;
  > DE            EC=1.1.1.- {ECO:0000250};
  > SQ   SEQUENCE   30 AA;  3300 MW;  3123456789ABCDEF CRC64;
  >      MKALVLGGGG ARGAYQVGVL QALEEAGLRP
  > //
  > ID   SDHA_TESTB              Reviewed;          40 AA.
  > AC   P90005;
  > DT   29-MAY-2024, integrated into UniProtKB/Swiss-Prot.
  > DE   RecName: Full=L-serine ammonia-lyase;
  > DE            EC=4.3.1.17 {ECO:0000269|PubMed:111};
  > DE   AltName: Full=Threonine deaminase;
  > DE            EC=4.3.1.19;
  > SQ   SEQUENCE   40 AA;  4400 MW;  4123456789ABCDEF CRC64;
  >      MISVFDMFKV GIGPSSSHTV GPMKAGKQFV DDLVEKGLLD
  > //
  > ID   ADH2_TESTB              Reviewed;          60 AA.
  > AC   P90006;
  > DT   29-MAY-2024, integrated into UniProtKB/Swiss-Prot.
  > DE   RecName: Full=Alcohol dehydrogenase 2;
  > DE            EC=1.1.1.1;
  > SQ   SEQUENCE   60 AA;  6500 MW;  5123456789ABCDEF CRC64;
  >      MSTAGKVIKC KAAVLWEIKK PFSIEEVEVA PPKAHEVRIK MVATGICRSD DHVVSGTLVA
  > //
  > END
  $ cd $TMP; cat >enzyme.dat <<'END'
  > CC   -----------------------------------------------------------------------
  > CC   ENZYME nomenclature database
  > CC   Release of 24-Jul-2024
  > CC   -----------------------------------------------------------------------
  > //
  > ID   1.1.1.1
  > DE   alcohol dehydrogenase.
  > AN   aldehyde reductase.
  > CA   (1) a primary alcohol + NAD(+) = an aldehyde + H(+) + NADH.
  > PR   PROSITE; PDOC00058;
  > DR   P90001, ADH1_TESTA;  P90006, ADH2_TESTB;
  > //
  > ID   1.1.1.2
  > DE   alcohol dehydrogenase (NADP(+)).
  > //
  > ID   2.7.1.1
  > DE   hexokinase.
  > //
  > ID   4.2.1.13
  > DE   Transferred entry: 4.3.1.17.
  > //
  > ID   4.2.1.15
  > DE   Deleted entry.
  > //
  > ID   4.2.1.16
  > DE   Transferred entry: 4.3.1.19.
  > //
  > ID   4.3.1.17
  > DE   L-serine ammonia-lyase.
  > //
  > ID   4.3.1.19
  > DE   threonine ammonia-lyase.
  > //
  > END

Entries since a day are the items, the older ones train. A label that the
nomenclature knows to be gone is told, with what it is now.

  $ cd $TMP; ecrb bench import uniprot enzymes.dat --tree enzyme.dat --since 2024-05-01 -o since
  tree: 5 leaves of enzyme.dat
  uniprot: 6 entries of enzymes.dat; left out: 1 without an EC number, 1 with incomplete ones alone, 2 older
  training: 2 older enzymes; 0 more have the sequence of an item and are left out
  split uniprot: 2 items, 1 with several labels
  nomenclature: 3 numbers are transferred or deleted; 0 of them are labels here
  near-identical training sequences among the hits: 0, listed in decontamination.tsv
  wrote since
  $ cd $TMP; cat since/labels.tsv since/superseded.tsv
  item	ec
  P90005	4.3.1.17;4.3.1.19
  P90006	1.1.1.1
  ec	status	now
  4.2.1.13	transferred	4.3.1.17
  4.2.1.15	deleted	-
  4.2.1.16	transferred	4.3.1.19
  $ cd $TMP; cut -f 1,3 since/train.tsv; cat since/train.fasta
  enzyme	ec
  P90001	1.1.1.1
  P90002	2.7.1.1;4.2.1.13
  >P90001
  MSTAGKVIKCKAAVLWELKKPFSIEEVEVAPPKAHEVRIKMVATGICRSDDHVVSGTLVT
  >P90002
  MVHLGPKKPQARKGSMADVPKELMDEIHQLEDMFTVDSETLRKVVKHFIDELNKGLTKKG
  $ cd $TMP; ecrb bench import uniprot enzymes.dat --tree enzyme.dat --visible 1 -o whole
  tree: 5 leaves of enzyme.dat
  uniprot: 6 entries of enzymes.dat; left out: 1 without an EC number, 1 with incomplete ones alone, 0 older
  split uniprot: 4 items, 2 with several labels
  tree: 1 leaf comes from labels alone: 4.2.1.13 (P90002)
  nomenclature: 3 numbers are transferred or deleted; 1 of them is a label here
  superseded label: 4.2.1.13 is now 4.3.1.17 (P90002)
  near-identical training sequences among the hits: 0, listed in decontamination.tsv
  wrote whole
  $ cd $TMP; cut -f 1-4 whole/items.tsv
  item	split	shown	flags
  P90001	uniprot	P90001	visible
  P90002	uniprot	Q5QP6KKDW	-
  P90005	uniprot	QZFA6N7RC	-
  P90006	uniprot	QOQXXHPPU	-
  $ cd $TMP; ecrb bench check since --train-fasta since/train.fasta
  tree: 3 / 3 / 3 / 5 nodes
  (a) items, items with several labels, difficulty
  split    n  multi  D1  D2  D3  D4  D5
  -------------------------------------
  uniprot  2      1   1   1   0   0   0
  -------------------------------------
  all      2      1   1   1   0   0   0

  (b) items with a record, by channel
  split    n  blast  hmmer  esm_knn  structure  active_site  pfam
  ---------------------------------------------------------------
  uniprot  2      0      0        0          0            0     0
  ---------------------------------------------------------------
  all      2      0      0        0          0            0     0

  near-identical training sequences among the hits: 0
  no findings: evidence and labels hold together

What the seed does not draw is found.

  $ cd $TMP; sed 's/\(Q[A-Z0-9]*\)\t-\t\(MVHL\)/P90002\tvisible\t\2/; s/P90001\tvisible/QAAAAAAAA\t-/' \
  >   whole/items.tsv >items && mv items whole/items.tsv
  $ cd $TMP; ecrb bench check whole | tail -1
  ecrb: whole: 4 findings
    whole/items.tsv: is not the file that bench.json names (SHA-256 differs)
    whole/items.tsv:2: `P90001` is shown as `QAAAAAAAA`, but seed and id give `Q5NTMN3YK`
    whole/items.tsv:2: `P90001` is not `visible`, but the seed draws it into the control subset
    whole/items.tsv:3: `P90002` is `visible`, but the seed does not draw it into the control subset
  near-identical training sequences among the hits: 0

The same as a download, and the tree out of a dump.

  $ cd $TMP; tr '|' '\t' >download.tsv <<'END'
  > Entry|Reviewed|Entry Name|Protein names|EC number|Length|Date of creation|Sequence
  > P90001|reviewed|ADH1_TESTA|Alcohol dehydrogenase 1 (EC 1.1.1.1) (ADH-1)|1.1.1.1|20|1986-07-21|MSTAGKVIKCKAAVLWELKK
  > P90002|reviewed|HXKB_TESTA|Bifunctional|2.7.1.1; 4.2.1.13|20|1991-02-01|MVHLGPKKPQARKGSMADVP
  > P90003|reviewed|YXXA_TESTA|Uncharacterized protein yxxA||20|1995-02-01|MKTAYIAKQRQISFVKSHFS
  > P90004|reviewed|YDHX_TESTB|Probable oxidoreductase ydhX (EC 1.1.1.-)|1.1.1.-|20|2024-05-03|MKALVLGGGGARGAYQVGVL
  > P90005|reviewed|SDHA_TESTB|L-serine ammonia-lyase|4.3.1.17; 4.3.1.19|20|2024-05-29|MISVFDMFKVGIGPSSSHTV
  > END
  $ cd $TMP; cat >dump.xml <<'END'
  > <?xml version="1.0"?>
  > <mysqldump xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  > <database name="enzymedb">
  > 	<table_data name="class">
  > 	<row>
  > 		<field name="id">1</field>
  > 		<field name="class">1</field>
  > 		<field name="subclass">0</field>
  > 		<field name="subsubclass">0</field>
  > 		<field name="heading">Oxidoreductases</field>
  > 		<field name="note" xsi:nil="true" />
  > 	</row>
  > 	<row>
  > 		<field name="id">2</field>
  > 		<field name="class">1</field>
  > 		<field name="subclass">1</field>
  > 		<field name="subsubclass">0</field>
  > 		<field name="heading">Acting on the CH-OH group of donors</field>
  > 	</row>
  > 	</table_data>
  > 	<table_data name="entry">
  > 	<row>
  > 		<field name="ec_num">1.1.1.1</field>
  > 		<field name="accepted_name">alcohol dehydrogenase</field>
  > 		<field name="reaction">(1) a primary alcohol + NAD&lt;small&gt;&lt;sup&gt;+&lt;/sup&gt;&lt;/small&gt; = an aldehyde</field>
  > 	</row>
  > 	<row>
  > 		<field name="ec_num">2.7.1.1</field>
  > 		<field name="accepted_name">hexokinase</field>
  > 	</row>
  > 	<row>
  > 		<field name="ec_num">4.3.1.17</field>
  > 		<field name="accepted_name">&lt;small&gt;L&lt;/small&gt;-serine ammonia-lyase</field>
  > 	</row>
  > 	<row>
  > 		<field name="ec_num">4.3.1.19</field>
  > 		<field name="accepted_name">threonine ammonia-lyase</field>
  > 	</row>
  > 	</table_data>
  > 	<table_data name="hist">
  > 	<row>
  > 		<field name="ec_num">4.2.1.13</field>
  > 		<field name="action">transferred</field>
  > 		<field name="note">Transferred entry: serine dehydratase. Now EC 4.3.1.17, L-serine ammonia-lyase</field>
  > 		<field name="history">EC 4.2.1.13 created 1961, deleted 2001</field>
  > 	</row>
  > 	<row>
  > 		<field name="ec_num">4.2.1.15</field>
  > 		<field name="action">deleted</field>
  > 		<field name="note">Deleted entry: homoserine dehydratase</field>
  > 		<field name="history">EC 4.2.1.15 created 1961, deleted 1972</field>
  > 	</row>
  > 	</table_data>
  > </database>
  > </mysqldump>
  > END
  $ cd $TMP; gzip -k download.tsv
  $ cd $TMP; ecrb bench import uniprot download.tsv.gz --tree dump.xml -o download
  tree: 4 leaves of dump.xml
  2 EC lists joined by `; ` (first: download.tsv.gz:3)
  uniprot: 5 entries of download.tsv.gz; left out: 1 without an EC number, 1 with incomplete ones alone, 0 older
  split uniprot: 3 items, 2 with several labels
  tree: 1 leaf comes from labels alone: 4.2.1.13 (P90002)
  nomenclature: 2 numbers are transferred or deleted; 1 of them is a label here
  superseded label: 4.2.1.13 is now 4.3.1.17 (P90002)
  near-identical training sequences among the hits: 0, listed in decontamination.tsv
  wrote download
  $ cd $TMP; cat download/ec.tsv download/superseded.tsv
  ec	name	origin
  1.-.-.-	Oxidoreductases	name
  1.1.-.-	Acting on the CH-OH group of donors	name
  1.1.1.1	alcohol dehydrogenase	list
  2.7.1.1	hexokinase	list
  4.2.1.13	-	labels
  4.3.1.17	L-serine ammonia-lyase	list
  4.3.1.19	threonine ammonia-lyase	list
  ec	status	now
  4.2.1.13	transferred	4.3.1.17
  4.2.1.15	deleted	-

Hits of structures, whose file has ids of its own; both are kept, also where a channel
is searched later.

  $ cd $TMP; printf 'id\tec\nP90005\t4.3.1.17;4.3.1.19\nP90006\t1.1.1.1\n' >labels.tsv
  $ cd $TMP; printf '>P90005\nMISVFDMFKVGIGPSSSHTV\n>P90006\nMSTAGKVIKCKAAVLWEIKK\n' >items.fasta
  $ cd $TMP; printf 'id\tec\nP90001\t1.1.1.1\nP90002\t2.7.1.1;4.2.1.13\n' >train.tsv
  $ cd $TMP; printf 'AF-P90005-F1-model_v4\tAF-P90002-F1-model_v4\t0.412\t20\t9\t1\t1\t20\t1\t20\t1e-12\t150\n' >m8
  $ cd $TMP; ecrb bench import table labels.tsv --fasta items.fasta --tree enzyme.dat --train train.tsv \
  >   --structure m8 -o own
  tree: 5 leaves of enzyme.dat
  split all: 2 items, 1 with several labels
  training: 2 enzymes of train.tsv
  training: without --train-fasta nobody checked that none has an item's sequence under another id
  nomenclature: 3 numbers are transferred or deleted; 0 of them are labels here
  structure: 1 row of m8, 1 hit of 1 item kept
  structure: 1 item of which the file says nothing
  structure: 1 row whose ids are known without their decoration
  structure: items with a hit: all 1
  near-identical training sequences among the hits: 0, listed in decontamination.tsv
  wrote own
  $ cd $TMP; cat own/raw_ids.tsv
  item	channel	neighbour	item_as	neighbour_as
  P90005	structure	P90002	AF-P90005-F1-model_v4	AF-P90002-F1-model_v4
  $ cd $TMP; ecrb bench check own
  tree: 3 / 3 / 3 / 5 nodes
  (a) items, items with several labels, difficulty
  split       n  multi  D1  D2  D3  D4  D5
  ----------------------------------------
  all         2      1   1   1   0   0   0
  ----------------------------------------
  all splits  2      1   1   1   0   0   0

  (b) items with a record, by channel
  split       n  blast  hmmer  esm_knn  structure  active_site  pfam
  ------------------------------------------------------------------
  all         2      0      0        0          1            0     0
  ------------------------------------------------------------------
  all splits  2      0      0        0          1            0     0

  near-identical training sequences among the hits: 0
  no findings: evidence and labels hold together
  $ cd $TMP; ecrb bench show P90005 --bench own --labels | sed -n '/^Evidence/,$p'
  Evidence, structure
  rank  neighbour  shown      EC numbers        bits  identity %  coverage %  E-value
  -----------------------------------------------------------------------------------
  1     P90002     T5QP6KKDW  2.7.1.1;4.2.1.13  150   41.2                 -  1e-12

  rank  in the file
  ---------------------------
  1     AF-P90002-F1-model_v4

  No record: blast, hmmer, esm_knn, active_site, pfam

  Candidates below -.-.-.-:
  - 1.-.-.-
  - 2.-.-.-
  - 4.-.-.-
  - UNSURE  stop here, none of these can be chosen responsibly

  Candidates below 4.-.-.-:
  - 2.7.-.-
  - 4.3.-.-
  - 1.1.-.-
  - UNSURE  stop here, none of these can be chosen responsibly

  Candidates below 4.3.-.-:
  - 4.3.1.-
  - 1.1.1.-
  - 2.7.1.-
  - UNSURE  stop here, none of these can be chosen responsibly

  Candidates below 4.3.1.-:
  - 4.3.1.19  threonine ammonia-lyase
  - 1.1.1.1  alcohol dehydrogenase
  - 2.7.1.1  hexokinase
  - 4.3.1.17  L-serine ammonia-lyase
  - 1.1.1.2  alcohol dehydrogenase (NADP(+))
  - UNSURE  stop here, none of these can be chosen responsibly

  Label: 4.3.1.17  L-serine ammonia-lyase
  Label: 4.3.1.19  threonine ammonia-lyase
  Difficulty: D2 (d 0.685185: split -, tail 1.000000, branch 1.000000, distractors 0.055556); homology 41.200% (40-50); with the evidence known 0.794000
  $ cd $TMP; ecrb bench evidence own --train since/train.fasta --channels blast --quiet >said && tail -n 1 said
  finished batches are kept in own.search; remove it when they are not wanted
  $ cd $TMP; cut -f 1-4,6 own/evidence.tsv; cat own/raw_ids.tsv
  item	channel	rank	neighbour	ec
  P90005	structure	1	P90002	2.7.1.1;4.2.1.13
  P90006	blast	1	P90001	1.1.1.1
  item	channel	neighbour	item_as	neighbour_as
  P90005	structure	P90002	AF-P90005-F1-model_v4	AF-P90002-F1-model_v4
  $ cd $TMP; ecrb bench check own | tail -n 1
  no findings: evidence and labels hold together
