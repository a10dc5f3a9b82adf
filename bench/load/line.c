/* One seat's WebSocket: connect, upgrade, read frames, send frames. */

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "load.h"

enum { ROOM = 16384, LONGEST = 1 << 20, TEXT = 1, CLOSE = 8, PING = 9, PONG = 10 };

static const unsigned char MASK[4] = {0x5a, 0xc3, 0x1e, 0x87};

static void watch(struct seat *seat, int how, uint32_t events) {
    struct epoll_event event = {.events = events, .data.ptr = seat};
    if (epoll_ctl(waiting_for, how, seat->fd, &event) < 0) fail("epoll: %s", strerror(errno));
}

static int port_of(const struct seat *seat) {
    int number = chosen.together ? seat->table->number : seat->number;
    return chosen.ports[number % chosen.houses];
}

void line_open(struct seat *seat) {
    struct sockaddr_in house = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port_of(seat))};
    int yes = 1;
    house.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    seat->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (seat->fd < 0) fail("no socket: %s", strerror(errno));
    setsockopt(seat->fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (connect(seat->fd, (struct sockaddr *)&house, sizeof house) < 0 && errno != EINPROGRESS)
        fail("cannot connect: %s", strerror(errno));
    seat->stage = CONNECTING;
    seat->have = 0;
    watch(seat, EPOLL_CTL_ADD, EPOLLOUT);
}

void line_cut(struct seat *seat) {
    close(seat->fd);
    seat->fd = -1;
    seat->stage = AWAY;
    seat->move[0] = 0;
}

static void put(struct seat *seat, const void *bytes, size_t length) {
    /* What a player says is small and answered before the next word: it always fits. */
    ssize_t sent = send(seat->fd, bytes, length, MSG_NOSIGNAL);
    if (sent != (ssize_t)length) fail("the line takes no more: %s", strerror(errno));
}

static void frame(struct seat *seat, int opcode, const char *text, size_t length) {
    unsigned char whole[8192];
    size_t head = 2;
    if (length > sizeof whole - 8) fail("a message of %zu bytes is too long", length);
    whole[0] = (unsigned char)(0x80 | opcode);
    if (length < 126) {
        whole[1] = (unsigned char)(0x80 | length);
    } else {
        whole[1] = 0x80 | 126;
        whole[2] = (unsigned char)(length >> 8);
        whole[3] = (unsigned char)length;
        head = 4;
    }
    memcpy(whole + head, MASK, 4);
    head += 4;
    for (size_t at = 0; at < length; at++) whole[head + at] = (unsigned char)text[at] ^ MASK[at & 3];
    put(seat, whole, head + length);
}

void say(struct seat *seat, const char *form, ...) {
    char text[8000];
    va_list what;
    va_start(what, form);
    int length = vsnprintf(text, sizeof text, form, what);
    va_end(what);
    if (length < 0 || (size_t)length >= sizeof text) fail("a message is too long");
    counted.bytes_out += length;
    frame(seat, TEXT, text, (size_t)length);
}

static void upgrade(struct seat *seat) {
    char text[512];
    int wrong = 0;
    socklen_t size = sizeof wrong;
    getsockopt(seat->fd, SOL_SOCKET, SO_ERROR, &wrong, &size);
    if (wrong) fail("cannot connect: %s", strerror(wrong));
    int length = snprintf(text, sizeof text,
                          "GET /ws HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\n"
                          "Connection: Upgrade\r\nSec-WebSocket-Key: ZG9ybWllIGlzIGdvbGYuLg==\r\n"
                          "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: dormie.1\r\n\r\n",
                          port_of(seat));
    put(seat, text, (size_t)length);
    seat->stage = UPGRADING;
    watch(seat, EPOLL_CTL_MOD, EPOLLIN);
}

/* How many bytes of the answer to the upgrade there are; 0 while it is not whole. */
static size_t upgraded(struct seat *seat) {
    char *end = memmem(seat->heard, seat->have, "\r\n\r\n", 4);
    if (!end) return 0;
    if (seat->have < 12 || memcmp(seat->heard + 9, "101", 3) != 0)
        fail("not let in: %.*s", (int)(end - seat->heard), seat->heard);
    seat_connected(seat);
    return (size_t)(end - seat->heard) + 4;
}

/* Take one frame off the front of what was heard; how many bytes it was, 0 while it is not whole. */
static size_t take_frame(struct seat *seat, char *from, size_t have) {
    const unsigned char *head = (const unsigned char *)from;
    if (have < 2) return 0;
    size_t length = head[1] & 0x7f, start = 2;
    if (length == 126) {
        if (have < 4) return 0;
        length = (size_t)head[2] << 8 | head[3];
        start = 4;
    } else if (length == 127) {
        if (have < 10) return 0;
        length = 0;
        for (int at = 2; at < 10; at++) length = length << 8 | head[at];
        start = 10;
    }
    if (length > LONGEST) fail("a frame of %zu bytes", length);
    if (have < start + length) return 0;
    char *text = from + start;
    switch (head[0] & 0x0f) {
    case TEXT:
        counted.frames++;
        counted.bytes_in += (long)length;
        seat_hears(seat, text, length);
        break;
    case PING:
        frame(seat, PONG, text, length);
        break;
    case PONG:
        break;
    case CLOSE:
        fail("seat %d of table %d was cut off: %d %.*s", seat->number, seat->table->number,
             length < 2 ? 0 : (unsigned char)text[0] << 8 | (unsigned char)text[1],
             length < 2 ? 0 : (int)length - 2, text + 2);
    default:
        fail("a frame of kind %d", head[0] & 0x0f);
    }
    return start + length;
}

static void listen_in(struct seat *seat) {
    if (seat->room - seat->have < ROOM / 2) {
        seat->room = seat->room ? seat->room * 2 : ROOM;
        seat->heard = realloc(seat->heard, seat->room);
        if (!seat->heard) fail("no memory");
    }
    ssize_t got = recv(seat->fd, seat->heard + seat->have, seat->room - seat->have, 0);
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0)
        fail("seat %d of table %d lost the line: %s", seat->number, seat->table->number,
             got ? strerror(errno) : "closed");
    seat->have += (size_t)got;
}

void line_event(struct seat *seat, bool writable) {
    if (seat->stage == CONNECTING) {
        if (writable) upgrade(seat);
        return;
    }
    if (seat->stage == AWAY) return;
    listen_in(seat);
    size_t done = 0, taken = 1;
    if (seat->stage == UPGRADING && !(done = upgraded(seat))) return;
    while (taken && seat->stage != AWAY) {
        taken = take_frame(seat, seat->heard + done, seat->have - done);
        done += taken;
    }
    seat->have -= done;
    if (seat->have) memmove(seat->heard, seat->heard + done, seat->have);
}
