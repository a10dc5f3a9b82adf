/* What a player says: how people sit down, what they hear, and a legal move at random. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load.h"

void table_set_up(struct table *table, int number) {
    memset(table, 0, sizeof *table);
    table->number = number;
    table->mover = -1;
    for (int at = 0; at < chosen.seats; at++) {
        table->seats[at].fd = -1;
        table->seats[at].number = at;
        table->seats[at].table = table;
    }
}

/* Where the value of a field begins in a message of so many bytes, or NULL. */
static char *find(char *text, size_t length, const char *field) {
    size_t size = strlen(field);
    char *at = memmem(text, length, field, size);
    return at ? at + size : NULL;
}

static void copy(char *into, size_t room, const char *from) {
    size_t length = strcspn(from, "\"");
    if (length >= room) fail("too long: %.40s", from);
    memcpy(into, from, length);
    into[length] = 0;
}

void seat_connected(struct seat *seat) {
    seat->stage = GREETING;
    if (chosen.plain)
        say(seat, "%d", seat->table->number);
    else if (seat->token[0])
        say(seat, "{\"type\":\"hello\",\"id\":\"h\",\"token\":\"%s\"}", seat->token);
    else
        say(seat, "{\"type\":\"hello\",\"id\":\"h\",\"name\":\"Player %d\"}", seat->number + 1);
}

/* One step of sitting down after the other, each when the last one was answered. */
void table_sit(struct table *table) {
    int step = table->step++, seats = chosen.seats, at = step % seats;
    struct seat *seat = &table->seats[at];
    if (chosen.plain || step == 3 * seats) {
        seat = NULL;
    } else if (step == 0) {
        say(seat, "{\"type\":\"create\",\"id\":\"s\",\"variant\":\"six_card\",\"options\":"
                  "{\"holes\":%d},\"size\":%d,\"turn_seconds\":3600}", chosen.holes, seats);
    } else if (step < seats) {
        say(seat, "{\"type\":\"join\",\"id\":\"s\",\"table\":\"%s\"}", table->code);
    } else if (step < 2 * seats) {
        say(seat, "{\"type\":\"watch\",\"id\":\"w\",\"table\":\"%s\",\"after\":0}", table->code);
    } else {
        say(seat, "{\"type\":\"ready\",\"id\":\"r\",\"table\":\"%s\",\"entropy\":\"%016llx%016llx\"}",
            table->code, (unsigned long long)lucky(), (unsigned long long)lucky());
    }
    if (seat) return;
    for (at = 0; at < seats; at++) table->seats[at].stage = WATCHED;
    table_seated(table);
}

static void watch(struct seat *seat) {
    seat->stage = WATCHING;
    say(seat, "{\"type\":\"watch\",\"id\":\"w\",\"table\":\"%s\",\"after\":%ld,\"chain\":\"%s\"}",
        seat->table->code, resuming ? seat->version : 0L, resuming ? seat->chain : "");
}

static void greeted(struct seat *seat, char *text, size_t length) {
    char *token = find(text, length, "\"token\":\"");
    if (token) copy(seat->token, sizeof seat->token, token);
    seat->stage = GREETED;
    if (seat->table->step && !chosen.plain) {
        watch(seat);
        return;
    }
    if (seat->table->step) seat->stage = WATCHED;
    seat_settled(seat);
}

/* One of the moves that are listed; a move is a flat object. */
static void choose(struct seat *seat, char *list, size_t length) {
    char *end = memchr(list, ']', length), *at = list;
    int many = 0;
    if (!end) fail("the list of moves has no end");
    for (char *look = list; look < end; look++) many += *look == '{';
    if (!many) return;
    for (int skip = (int)(lucky() % (uint64_t)many); skip; skip--) at = strchr(at, '}') + 1;
    at = strchr(at, '{');
    size_t size = (size_t)((char *)memchr(at, '}', (size_t)(end - at)) - at) + 1;
    if (size >= sizeof seat->move) fail("a move of %zu bytes", size);
    memcpy(seat->move, at, size);
    seat->move[size] = 0;
}

/* A match that is over is followed by another one. */
static void go_on(struct seat *seat, const char *phase) {
    if (!strncmp(phase, "playing", 7)) {
        seat->asked = false;
    } else if (!strncmp(phase, "over", 4) && !seat->asked) {
        seat->asked = true;
        say(seat, "{\"type\":\"rematch\",\"id\":\"o%ld\",\"table\":\"%s\"}", seat->version,
            seat->table->code);
    } else if (!strncmp(phase, "starting", 8) && seat->asked) {
        seat->asked = false;
        say(seat, "{\"type\":\"ready\",\"id\":\"r%ld\",\"table\":\"%s\",\"entropy\":\"%016llx%016llx\"}",
            seat->version, seat->table->code, (unsigned long long)lucky(),
            (unsigned long long)lucky());
    }
}

static bool all_heard(const struct table *table, long version) {
    for (int at = 0; at < chosen.seats; at++)
        if (table->seats[at].version < version) return false;
    return true;
}

/* Whether nothing is under way any more: then the table may move, or is waited for no longer. */
static void settle(struct table *table) {
    if (table->mover >= 0) {
        if (!table->fanned_at && all_heard(table, table->wanted)) table->fanned_at = now();
        if (!table->fanned_at || !table->answered) return;
        table->mover = -1;
        table->moves++;
        counted.moves++;
        table_moved(table);
    }
    if (table_able(table)) table_waits(table);
}

static void saw(struct seat *seat, char *text, size_t length) {
    char *version = find(text, length, "\"version\":");
    char *chain = find(text, length, "\"chain\":\"");
    char *phase = find(text, length, "\"phase\":\"");
    char *moves = find(text, length, "\"moves\":[{");
    if (!version || !chain) fail("a seen without version or chain: %.*s", (int)length, text);
    seat->version = strtol(version, NULL, 10);
    copy(seat->chain, sizeof seat->chain, chain);
    seat->move[0] = 0;
    if (moves) choose(seat, moves - 1, length - (size_t)(moves - 1 - text));
    if (phase && seat->table->step > 3 * chosen.seats) go_on(seat, phase);
    settle(seat->table);
}

static void done(struct seat *seat, char *text, size_t length) {
    struct table *table = seat->table;
    char *re = find(text, length, "\"re\":\"");
    char *code = find(text, length, "\"table\":\"");
    if (!re) fail("an answer to nothing: %.*s", (int)length, text);
    if (*re == 'p') {
        if (table->mover != seat->number) fail("an answer to a move that nobody made");
        seat->count++;
        table->answered = true;
        settle(table);
    } else if (seat->stage == WATCHING) {
        seat->stage = WATCHED;
        seat_settled(seat);
    } else if (table->step <= 3 * chosen.seats) {
        if (code) copy(table->code, sizeof table->code, code);
        table_sit(table);
    }
}

static bool is(const char *text, size_t length, const char *type) {
    size_t size = strlen(type);
    return length > 9 + size && !memcmp(text + 9, type, size);
}

/* Every message begins {"type":"... */
void seat_hears(struct seat *seat, char *text, size_t length) {
    if (chosen.plain) {
        if (seat->stage == GREETING) {
            greeted(seat, text, length);
            return;
        }
        seat->version++;
        settle(seat->table);
    } else if (is(text, length, "seen\"")) {
        saw(seat, text, length);
    } else if (is(text, length, "done\"")) {
        done(seat, text, length);
    } else if (is(text, length, "welcome\"")) {
        greeted(seat, text, length);
    } else if (!is(text, length, "replaced\"")) {
        fail("seat %d of table %d, count %ld, version %ld: %.*s", seat->number, seat->table->number,
             seat->count, seat->version, (int)length, text);
    }
}

/* Whether everybody knows the same and somebody has a move. */
bool table_able(const struct table *table) {
    bool waits = false;
    if (table->mover >= 0 || table->step <= (chosen.plain ? 0 : 3 * chosen.seats)) return false;
    for (int at = 0; at < chosen.seats; at++) {
        const struct seat *seat = &table->seats[at];
        if (seat->stage != WATCHED || seat->version != table->seats[0].version) return false;
        waits = waits || seat->move[0];
    }
    return waits || chosen.plain;
}

void table_move(struct table *table) {
    static char stuff[8000];
    int at = 0;
    if (chosen.plain) at = (int)(table->moves % chosen.seats);
    else while (!table->seats[at].move[0]) at++;
    struct seat *seat = &table->seats[at];
    table->mover = at;
    table->answered = chosen.plain;
    table->wanted = seat->version + 1;
    table->fanned_at = 0;
    table->sent_at = now();
    if (chosen.plain) {
        memset(stuff, 'x', sizeof stuff - 1);
        say(seat, "%.*s", chosen.message, stuff);
        return;
    }
    say(seat, "{\"type\":\"play\",\"id\":\"p%ld\",\"table\":\"%s\",\"count\":%ld,\"move\":%s}",
        seat->count + 1, table->code, seat->count + 1, seat->move);
    seat->move[0] = 0;
}
