/* Give out the work that is asked for line by line on standard input, and answer each with one line
 * of JSON: what was done, how long it took, and what it cost this program itself.
 *
 *   greet TABLES           connect and say hello for all seats of so many tables
 *   seat TABLES            open tables until there are so many, and start their matches
 *   closed SECONDS [MOST]  every table moves again as soon as its last move was heard of by all;
 *                          with MOST, tables take turns and so many moves at most are under way
 *   until MOVES            the same until each table has made so many moves
 *   spread MOVES           the same, but each table another number of them, from none to so many
 *   open RATE SECONDS      so many moves a second over all tables, which take turns
 *   leave                  cut every line
 *   join fresh|resume      come back to every seat, anew or from what was seen last
 *   sleep SECONDS          only listen
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "load.h"

enum { EVENTS = 256, AT_ONCE = 16, MOST_TABLES = 5000 };
static const int64_t PATIENCE = 30 * SECOND;

struct choices chosen = {.seats = 4, .holes = 9, .message = 158, .luck = 1};
int waiting_for = -1;
bool resuming;

enum work { NOTHING, GREET, SEAT, CLOSED, UNTIL, OPEN, JOIN, SLEEP };

static enum work work;
static struct table *tables[MOST_TABLES];
static int there, seated;             /* tables with greeted seats, tables that play */
static long first_job, next_job, jobs, settled; /* of GREET, SEAT, JOIN */
static int64_t began, ends, progress; /* nanoseconds */
static long goal, under_way, most;    /* moves of each table; not yet heard of by all; at most so */
static bool spread;                   /* whether each table has another goal */
static int64_t step_size, due;        /* between two moves of OPEN, and when the next one is due */
static struct table *line_up[MOST_TABLES + 1]; /* tables that may move, for OPEN */
static int first, last;
static int timer;

/* ---- many small jobs, a few at a time */

static void start_job(long job) {
    struct table *table = tables[work == SEAT ? job : job / chosen.seats];
    if (work == SEAT) table_sit(table);
    else line_open(&table->seats[job % chosen.seats]);
}

static void start_jobs(void) {
    while (next_job < jobs && next_job - settled < AT_ONCE) start_job(next_job++);
}

static void job_done(void) {
    settled++;
    progress = now();
}

void seat_settled(struct seat *seat) {
    (void)seat;
    job_done();
}

void table_seated(struct table *table) {
    (void)table;
    job_done();
}

/* ---- moves */

static long goal_of(const struct table *table) {
    return spread ? goal * (table->number * 37 % 100) / 100 : goal;
}

static bool goes_on(const struct table *table) {
    if (work == CLOSED) return now() < ends && under_way < most;
    return work == UNTIL && table->moves < goal_of(table);
}

static void move(struct table *table) {
    under_way++;
    table_move(table);
}

void table_moved(struct table *table) {
    under_way--;
    progress = table->fanned_at;
    window_move(table);
}

void table_waits(struct table *table) {
    if (goes_on(table)) {
        move(table);
    } else if ((work == OPEN || work == CLOSED) && !table->queued) {
        table->queued = true;
        line_up[last] = table;
        last = (last + 1) % (MOST_TABLES + 1);
    }
}

static void set_timer(void) {
    struct itimerspec when = {.it_value = {.tv_sec = due / SECOND, .tv_nsec = due % SECOND}};
    timerfd_settime(timer, TFD_TIMER_ABSTIME, &when, NULL);
}

static struct table *next_in_line(void) {
    struct table *table = line_up[first];
    first = (first + 1) % (MOST_TABLES + 1);
    table->queued = false;
    return table;
}

/* Send every move that is due, as long as there are tables that may move. */
static void move_in_time(void) {
    while (work == CLOSED && first != last && under_way < most && now() < ends) {
        struct table *table = next_in_line();
        if (table_able(table)) move(table);
    }
    while (work == OPEN && due < ends && due <= now() && first != last) {
        struct table *table = next_in_line();
        if (!table_able(table)) continue;
        if (now() - due > counted.latest) counted.latest = now() - due;
        move(table);
        due += step_size;
        set_timer();
    }
}

/* ---- orders */

static void add_tables(int until) {
    if (until > MOST_TABLES) fail("at most %d tables", MOST_TABLES);
    for (; there < until; there++) {
        tables[there] = malloc(sizeof(struct table));
        if (!tables[there]) fail("no memory");
        table_set_up(tables[there], there);
    }
}

static void begin_moves(void) {
    for (int at = 0; at < seated; at++) tables[at]->queued = false;
    first = last = 0;
    for (int at = 0; at < seated; at++)
        if (table_able(tables[at])) table_waits(tables[at]);
}

static void begin(const char *order) {
    double rate = 0, seconds = 0;
    int many = 0;
    char how[16] = "";
    began = progress = now();
    most = MOST_TABLES;
    first_job = jobs = 0;
    window_begin();
    if (sscanf(order, "greet %d", &many) == 1) {
        first_job = (long)there * chosen.seats;
        add_tables(many);
        jobs = (long)there * chosen.seats;
        work = GREET;
    } else if (sscanf(order, "seat %d", &many) == 1 && many <= there) {
        first_job = seated;
        jobs = seated = many > seated ? many : seated;
        work = SEAT;
    } else if (sscanf(order, "join %15s", how) == 1) {
        resuming = !strcmp(how, "resume");
        jobs = (long)seated * chosen.seats;
        work = JOIN;
    } else if (sscanf(order, "closed %lf %ld", &seconds, &most) >= 1) {
        ends = began + (int64_t)(seconds * SECOND);
        work = CLOSED;
    } else if ((spread = sscanf(order, "spread %ld", &goal) == 1) ||
               sscanf(order, "until %ld", &goal) == 1) {
        work = UNTIL;
    } else if (sscanf(order, "open %lf %lf", &rate, &seconds) == 2) {
        ends = began + (int64_t)(seconds * SECOND);
        step_size = (int64_t)(SECOND / rate);
        due = began + step_size;
        set_timer();
        work = OPEN;
    } else if (sscanf(order, "sleep %lf", &seconds) == 1) {
        ends = began + (int64_t)(seconds * SECOND);
        work = SLEEP;
    } else if (!strncmp(order, "leave", 5)) {
        for (int at = 0; at < seated * chosen.seats; at++)
            line_cut(&tables[at / chosen.seats]->seats[at % chosen.seats]);
        work = SLEEP;
        ends = began;
    } else {
        fail("what is %s?", order);
    }
    next_job = settled = first_job;
    start_jobs();
    begin_moves();
}

static long all_moves(void) {
    long sum = 0;
    for (int at = 0; at < seated; at++) sum += tables[at]->moves;
    return sum;
}

static void report(void) {
    window_report(jobs - first_job, seated, all_moves());
    work = NOTHING;
}

static bool all_reached(void) {
    for (int at = 0; at < seated; at++)
        if (tables[at]->moves < goal_of(tables[at])) return false;
    return true;
}

static bool finished(void) {
    switch (work) {
    case NOTHING: return false;
    case GREET: case SEAT: case JOIN: return settled >= jobs;
    case UNTIL: return !under_way && all_reached();
    case CLOSED: case OPEN: case SLEEP: return !under_way && now() >= ends;
    }
    return false;
}

static void read_order(void) {
    static char text[256];
    static size_t have;
    ssize_t got = read(STDIN_FILENO, text + have, sizeof text - 1 - have);
    if (got <= 0) exit(0); /* whoever gave the orders is gone */
    have += (size_t)got;
    text[have] = 0;
    if (!strchr(text, '\n')) return;
    have = 0;
    if (work != NOTHING) fail("an order before the last one was done");
    begin(text);
}

static void listen_on(int fd, void *mark) {
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = mark};
    if (epoll_ctl(waiting_for, EPOLL_CTL_ADD, fd, &event) < 0) fail("epoll: %s", strerror(errno));
}

static int patience(void) { /* milliseconds */
    if (work != CLOSED && work != OPEN && work != SLEEP) return 1000;
    int64_t left = (ends - now()) / 1000000 + 1;
    return left < 0 ? 10 : left > 1000 ? 1000 : (int)left;
}

static void quieten(void) {
    uint64_t rung; /* what is due is asked of the clock */
    while (read(timer, &rung, sizeof rung) > 0) continue;
}

static void turn(void) {
    struct epoll_event events[EVENTS];
    int many = epoll_wait(waiting_for, events, EVENTS, patience());
    for (int at = 0; at < many; at++) {
        void *mark = events[at].data.ptr;
        if (mark == &work) read_order();
        else if (mark == &timer) quieten();
        else line_event(mark, (events[at].events & (EPOLLOUT | EPOLLERR | EPOLLHUP)) != 0);
    }
    start_jobs();
    move_in_time();
    if (finished()) report();
    if (work != NOTHING && now() - progress > PATIENCE && now() - ends > PATIENCE)
        fail("nothing has happened for half a minute: %ld of %ld done, %ld moves under way", settled,
             jobs, under_way);
}

int main(int many, char **words) {
    for (int option; (option = getopt(many, words, "p:ts:o:m:l:y")) != -1;) {
        if (option == 'p' && chosen.houses < MOST_HOUSES) chosen.ports[chosen.houses++] = atoi(optarg);
        else if (option == 't') chosen.together = true;
        else if (option == 's') chosen.seats = atoi(optarg);
        else if (option == 'o') chosen.holes = atoi(optarg);
        else if (option == 'm') chosen.message = atoi(optarg);
        else if (option == 'l') chosen.luck = strtoull(optarg, NULL, 10);
        else if (option == 'y') chosen.plain = true;
        else fail("load -p PORT [-p PORT... [-t]] [-s SEATS] [-o HOLES] [-l LUCK] [-y [-m BYTES]]");
    }
    if (!chosen.houses) fail("no house: -p PORT");
    if (chosen.seats < 1 || chosen.seats > MOST_SEATS) fail("1 to %d seats", MOST_SEATS);
    waiting_for = epoll_create1(EPOLL_CLOEXEC);
    timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (waiting_for < 0 || timer < 0) fail("cannot begin");
    listen_on(STDIN_FILENO, &work);
    listen_on(timer, &timer);
    for (;;) turn();
}
