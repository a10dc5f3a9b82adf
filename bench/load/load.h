/* The load generator: people at many tables who answer as fast as the server does.
 *
 * line.c speaks WebSocket for one seat, table.c knows what a player says, load.c gives out the work,
 * window.c measures it, base.c is beneath them all. One thread, one core, no library.
 */

#ifndef DORMIE_LOAD_H
#define DORMIE_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SECOND 1000000000LL
enum { MOST_SEATS = 6, MOST_HOUSES = 4 };

enum stage { AWAY, CONNECTING, UPGRADING, GREETING, GREETED, WATCHING, WATCHED };

struct table;

struct seat {
    int fd; /* -1 when away */
    enum stage stage;
    int number; /* at its table */
    struct table *table;
    char *heard; /* bytes read and not yet understood */
    size_t have, room;
    char token[64];
    char chain[40];
    long version; /* the newest this seat has heard of */
    long count;   /* moves it has made */
    char move[96]; /* a legal move, or "" when the table does not wait for this seat */
    bool asked;    /* for another match, or with something for luck */
};

struct table {
    int number;
    int step; /* of sitting down */
    char code[16];
    struct seat seats[MOST_SEATS];
    long moves;    /* made since it was opened */
    int mover;     /* the seat whose move is under way, -1 for none */
    bool answered; /* that move was acknowledged */
    long wanted;   /* the version that move makes */
    int64_t sent_at;
    int64_t fanned_at; /* when the last seat had heard of it, 0 before */
    bool queued;       /* waits in the line of tables that may move */
};

/* What is chosen on the command line. */
struct choices {
    int ports[MOST_HOUSES]; /* one seat after the other goes to the next house... */
    int houses;
    bool together; /* ...or one table after the other */
    int seats; /* at each table */
    int holes; /* in a match; another one follows */
    bool plain; /* a yardstick: no Golf, any message is a move */
    int message; /* bytes of a yardstick's message */
    uint64_t luck;
};

/* What is counted in a window. */
struct counts {
    long moves, frames, bytes_in, bytes_out;
    int64_t latest; /* how late this program itself was with a move at a fixed rate */
};

extern struct choices chosen;
extern struct counts counted;

/* base.c */
_Noreturn void fail(const char *form, ...) __attribute__((format(printf, 1, 2)));
int64_t now(void); /* nanoseconds */
uint64_t lucky(void);

/* line.c */
void line_open(struct seat *seat);
void line_cut(struct seat *seat);
void line_event(struct seat *seat, bool writable);
void say(struct seat *seat, const char *form, ...) __attribute__((format(printf, 2, 3)));

/* table.c */
void table_set_up(struct table *table, int number);
void table_sit(struct table *table); /* the next step of create, join, watch, ready */
void seat_connected(struct seat *seat);
void seat_hears(struct seat *seat, char *text, size_t length);
bool table_able(const struct table *table);
void table_move(struct table *table);

/* window.c */
void window_begin(void);
void window_move(const struct table *table); /* one that is over */
void window_report(long jobs, int tables, long moves_ever);

/* load.c: what the other two report */
extern int waiting_for; /* the epoll */
extern bool resuming;   /* whether a watcher begins with what it saw last */
void seat_settled(struct seat *seat);  /* greeted, or watching again */
void table_seated(struct table *table); /* its match has begun */
void table_moved(struct table *table);  /* a move was acknowledged, and heard of by all */
void table_waits(struct table *table);  /* somebody there may move */

#endif
