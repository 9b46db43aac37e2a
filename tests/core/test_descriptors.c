/* Descriptors against values that were computed by hand. */
#include "unit.h"

#include <string.h>

static ecrb_descriptors describe(const char *sequence) {
  ecrb_descriptors out;
  memset(&out, 0x55, sizeof out);
  ecrb_describe(sequence, strlen(sequence), &out);
  return out;
}

static void an_empty_sequence_gives_zeros(void **state) {
  (void)state;
  ecrb_descriptors out = describe("");
  assert_int_equal(out.length, 0);
  assert_true(out.weight_kda == 0 && out.hydropathy == 0);
  assert_true(out.entropy_bits == 0 && !out.low_complexity && !out.membrane);
  assert_int_equal(out.top[0], '\0');
}

/* M 131.1926 + K 128.1741 + V 99.1326 + water; (1.9 - 3.9 + 4.2) / 3. */
static void a_tripeptide_by_hand(void **state) {
  (void)state;
  ecrb_descriptors out = describe("MKV");
  assert_int_equal(out.length, 3);
  assert_near(out.weight_kda, 0.37651454);
  assert_near(out.hydropathy, 2.2 / 3);
  assert_near(out.hydrophobic_fraction, 2.0 / 3);
  assert_int_equal(out.longest_hydrophobic_run, 1);
  assert_near(out.positive_fraction, 1.0 / 3);
  assert_near(out.negative_fraction, 0);
  assert_int_equal(out.net_charge, 1);
  assert_memory_equal(out.top, "KMV", 3);
  assert_near(out.top_fraction[2], 1.0 / 3);
  assert_near(out.entropy_bits, log2(3));
  assert_true(out.low_complexity && !out.membrane);
}

static void every_residue_has_its_mass_and_hydropathy(void **state) {
  (void)state;
  const struct {
    char letter;
    double mass, hydropathy;
  } rows[] = {
      {'A', 71.0788, 1.8},   {'R', 156.1875, -4.5}, {'N', 114.1038, -3.5},
      {'D', 115.0886, -3.5}, {'C', 103.1388, 2.5},  {'Q', 128.1307, -3.5},
      {'E', 129.1155, -3.5}, {'G', 57.0519, -0.4},  {'H', 137.1411, -3.2},
      {'I', 113.1594, 4.5},  {'L', 113.1594, 3.8},  {'K', 128.1741, -3.9},
      {'M', 131.1926, 1.9},  {'F', 147.1766, 2.8},  {'P', 97.1167, -1.6},
      {'S', 87.0782, -0.8},  {'T', 101.1051, -0.7}, {'W', 186.2132, -0.9},
      {'Y', 163.1760, -1.3}, {'V', 99.1326, 4.2},   {'U', 150.0388, 0},
      {'O', 110, 0},         {'X', 110, 0},         {'B', 110, 0},
      {'Z', 110, 0},         {'J', 110, 0},         {'a', 110, 0},
      {'*', 110, 0},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    ecrb_descriptors out;
    ecrb_describe(&rows[i].letter, 1, &out);
    assert_near(out.weight_kda, (rows[i].mass + 18.01524) / 1000);
    assert_near(out.hydropathy, rows[i].hydropathy);
    assert_true(out.entropy_bits == 0 && !signbit(out.entropy_bits));
  }
}

/* X and U count in lengths and fractions, not in the mean of the scale. */
static void unknown_residues_are_left_out_of_the_scale(void **state) {
  (void)state;
  ecrb_descriptors out = describe("IXUI");
  assert_near(out.hydropathy, 4.5);
  assert_near(out.hydrophobic_fraction, 0.5);
  assert_int_equal(out.longest_hydrophobic_run, 1);
  assert_near(out.weight_kda,
              (2 * 113.1594 + 110 + 150.0388 + 18.01524) / 1000);
  assert_near(out.entropy_bits, 1.5);
}

static void charges_count_k_r_d_e(void **state) {
  (void)state;
  ecrb_descriptors out = describe("KRDEEEHHGG");
  assert_int_equal(out.net_charge, -2);
  assert_near(out.positive_fraction, 0.2);
  assert_near(out.negative_fraction, 0.4);
}

static void ties_are_alphabetical(void **state) {
  (void)state;
  assert_memory_equal(describe("WVVWAC").top, "VWA", 3);
  assert_memory_equal(describe("GGGA").top, "GA\0", 3);
  assert_near(describe("GGGA").top_fraction[0], 0.75);
  assert_near(describe("GGGA").top_fraction[2], 0);
  assert_near(describe("GGGA").entropy_bits, 2 - 0.75 * log2(3));
}

static void low_complexity_is_under_three_and_a_half_bits(void **state) {
  (void)state;
  /* 11 letters once each: 3.459 bits; 12: 3.585; half of the sequence in
  ** letters of 1/8, half in letters of 1/16: exactly 3.5. */
  assert_true(describe("ACDEFGHIKLM").low_complexity);
  assert_false(describe("ACDEFGHIKLMN").low_complexity);
  assert_false(describe("AACCDDEEFGHIKLMN").low_complexity);
  assert_near(describe("AACCDDEEFGHIKLMN").entropy_bits, 3.5);
}

static void membranes(void **state) {
  (void)state;
  const struct {
    const char *sequence;
    size_t run;
    bool membrane;
  } rows[] = {
      {"GGMAAAAAAAAAAAAAAGG", 15, true}, /* a run of 15 */
      {"GGAAAAAAAAAAAAAAGG", 14, false}, /* too short for a window */
      /* sixteen C (2.5), three H (-3.2): 30.4 = 19 * 1.6, met exactly */
      {"CCCCHCCCCHCCCCHCCCC", 4, true},
      /* M is 0.6 less than C */
      {"CCCCHCCCCHCCCCHCCCM", 4, false},
      {"CCCCHCCCCHCCCCHCCC", 4, false}, /* 18 residues are no window */
      /* the mean is over what the scale knows: 18 of 19 */
      {"CCCCHCCCCHCCCCXCCCM", 4, true},
      /* the window is at the end */
      {"GGGGGGGGGGGGGGGGGGGGGVGVGVGVGVGVGVGVGVGV", 1, true},
      {"XXXXXXXXXXXXXXXXXXXX", 0, false},
      {"KKKKKKKKKKKKKKKKKKKKKKK", 0, false},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    ecrb_descriptors out = describe(rows[i].sequence);
    assert_int_equal(out.longest_hydrophobic_run, rows[i].run);
    if (out.membrane != rows[i].membrane)
      fail_msg("%s", rows[i].sequence);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_empty_sequence_gives_zeros),
      cmocka_unit_test(a_tripeptide_by_hand),
      cmocka_unit_test(every_residue_has_its_mass_and_hydropathy),
      cmocka_unit_test(unknown_residues_are_left_out_of_the_scale),
      cmocka_unit_test(charges_count_k_r_d_e),
      cmocka_unit_test(ties_are_alphabetical),
      cmocka_unit_test(low_complexity_is_under_three_and_a_half_bits),
      cmocka_unit_test(membranes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
