/* macro.c: the macro average over the top-level classes: every class present
** weighs the same, and a multi-label item belongs to each class it names. */
#include "ecrb.h"

#define CLASSES 32

typedef struct mean {
  double sum;
  double n;
} mean;

uint32_t ecrb_classes(const ecrb_ec *labels, size_t n_labels) {
  uint32_t classes = 0;
  for (size_t i = 0; i < n_labels; i++)
    if (labels[i].part[0] >= 1 && labels[i].part[0] <= CLASSES)
      classes |= UINT32_C(1) << (labels[i].part[0] - 1);
  return classes;
}

static void add(mean *means, uint32_t classes, double value, double times) {
  for (; classes != 0; classes &= classes - 1) {
    mean *lowest = &means[__builtin_ctz(classes)];
    lowest->sum += times * value;
    lowest->n += times;
  }
}

double ecrb_macro(const double *value, const uint32_t *classes,
                  const uint32_t *weight, size_t n, int *present) {
  mean means[CLASSES] = {{0, 0}};
  double sum = 0;
  int count = 0;
  for (size_t i = 0; i < n; i++)
    add(means, classes[i], value[i], weight == NULL ? 1 : weight[i]);
  for (int i = 0; i < CLASSES; i++)
    if (means[i].n > 0) {
      sum += means[i].sum / means[i].n;
      count++;
    }
  if (present != NULL)
    *present = count;
  return count > 0 ? sum / count : 0;
}
