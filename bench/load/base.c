/* What every part needs: the clock, luck that can be had again, and a way to give up. */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "load.h"

_Noreturn void fail(const char *form, ...) {
    va_list what;
    va_start(what, form);
    fputs("load: ", stderr);
    vfprintf(stderr, form, what);
    fputc('\n', stderr);
    va_end(what);
    exit(1);
}

int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * SECOND + time.tv_nsec;
}

uint64_t lucky(void) { /* xorshift64 */
    static uint64_t luck;
    if (!luck) luck = chosen.luck * 0x9e3779b97f4a7c15ULL | 1;
    luck ^= luck << 13;
    luck ^= luck >> 7;
    return luck ^= luck << 17;
}
