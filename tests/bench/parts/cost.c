/* cost OUT COMMAND ARGS: runs a command and writes into the file OUT what it
** took, its children included: seconds of processor, seconds of clock, the most
** kilobytes that one process held. Ends as the command did. */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double seconds(struct timeval t) {
  return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

int main(int argc, char **argv) {
  struct rusage used;
  int status = 0;
  double from = now();
  FILE *out;
  pid_t child = argc > 2 ? fork() : -1;
  if (child == 0) {
    execvp(argv[2], argv + 2);
    _exit(127);
  }
  if (child < 0 || waitpid(child, &status, 0) != child)
    return 1;
  from = now() - from;
  getrusage(RUSAGE_CHILDREN, &used);
  out = fopen(argv[1], "w");
  if (!out)
    return 1;
  fprintf(out, "%.4f %.4f %ld\n", seconds(used.ru_utime) + seconds(used.ru_stime),
          from, used.ru_maxrss);
  return fclose(out) == 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
