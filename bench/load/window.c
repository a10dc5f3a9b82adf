/* A window: what is counted in it, how long moves took, and what it cost this program itself. */

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "load.h"

enum { MOST_TIMES = 20000000 };

struct counts counted;

static float *times; /* of moves, in microseconds, from sent to heard of by all */
static long have;
static int64_t began;
static double own_cpu;

static double cpu(void) {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

void window_begin(void) {
    if (!times) times = malloc(sizeof *times * MOST_TIMES);
    if (!times) fail("no memory");
    counted = (struct counts){0};
    have = 0;
    own_cpu = cpu();
    began = now();
}

void window_move(const struct table *table) {
    if (have < MOST_TIMES) times[have++] = (float)(table->fanned_at - table->sent_at) / 1000.0f;
}

static int by_time(const void *one, const void *other) {
    float a = *(const float *)one, b = *(const float *)other;
    return (a > b) - (a < b);
}

static double share(double part) { /* the time that this part of the moves took at most */
    return have ? (double)times[(long)(part * (double)(have - 1))] : 0;
}

void window_report(long jobs, int tables, long moves_ever) {
    double seconds = (double)(now() - began) / SECOND, used = cpu() - own_cpu;
    qsort(times, (size_t)have, sizeof *times, by_time);
    printf("{\"seconds\":%.6f,\"cpu\":%.6f,\"jobs\":%ld,\"moves\":%ld,\"frames\":%ld,"
           "\"bytes_in\":%ld,\"bytes_out\":%ld,\"p50\":%.1f,\"p99\":%.1f,\"most\":%.1f,"
           "\"late\":%.1f,\"tables\":%d,\"moves_ever\":%ld}\n",
           seconds, used, jobs, counted.moves, counted.frames, counted.bytes_in, counted.bytes_out,
           share(0.5), share(0.99), share(1), (double)counted.latest / 1000, tables, moves_ever);
    fflush(stdout);
}
