/* A disk that can lose power, for tests: what was never synced can be taken away afterwards.

   Build:  cc -shared -fPIC -O2 -o power.so power.c -ldl -lpthread
   Use:    LD_PRELOAD=power.so DORMIE_POWER_FILES=/folder/dormie.db DORMIE_POWER_SHADOW=/shadow PROGRAM

   DORMIE_POWER_SYNC is how many microseconds every sync takes more.

   A file of another program than SQLite must be written by write, pwrite and ftruncate, and nothing else.

   Files whose path begins with DORMIE_POWER_FILES are watched. Every write goes where it should; beside
   that, the shadow folder has of each file what its last fsync or fdatasync made safe, under a number, and
   in `names` which number has which name, as of the last fsync of the folder. A process that is killed
   leaves both: power.py makes of them what the disk might hold.

   Nothing here opens or closes a file a second time that SQLite has open: that would drop its locks. */

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_FDS = 65536, MOST_FILES = 4096, NOT_OURS = 0, FOLDER = -1 };

struct range { off_t from, to; };

struct file {
    dev_t dev;
    ino_t ino;
    int unlinked;
    off_t shortest; /* the least it was truncated to since the last sync; -1: not at all */
    struct range *written; /* since the last sync */
    size_t count, room;
};

static struct file files[MOST_FILES]; /* a file's number is its place here; 0 is nobody */
static int file_count = 1;
static int what_is[MOST_FDS]; /* NOT_OURS, FOLDER, or the number of a file */
static char folder[4096], prefix[256], shadow[4096];
static useconds_t slowness;
static int awake;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) \
    ((__typeof__(&name))({ static void *found; \
        if (!found) found = dlsym(RTLD_NEXT, #name); \
        found; }))

static void die(const char *what) {
    perror(what);
    abort(); /* a disk that cannot remember would prove nothing */
}

static void shadow_path(char *into, size_t size, const char *name) {
    if ((size_t)snprintf(into, size, "%s/%s", shadow, name) >= size) die("power: path too long");
}

/* The number of the file that has this inode now, or 0. */
static int known(const struct stat *is) {
    for (int at = 1; at < file_count; at++)
        if (!files[at].unlinked && files[at].ino == is->st_ino && files[at].dev == is->st_dev) return at;
    return 0;
}

static int remember_file(const struct stat *is) {
    if (file_count == MOST_FILES) die("power: too many files");
    struct file *file = &files[file_count];
    file->dev = is->st_dev;
    file->ino = is->st_ino;
    file->shortest = -1;
    return file_count++;
}

static int ours(const char *path) {
    size_t length = strlen(folder);
    return awake && strncmp(path, folder, length) == 0 && path[length] == '/' &&
           strncmp(path + length + 1, prefix, strlen(prefix)) == 0;
}

/* What the files were when the process began is safe: power.py has put it under these numbers. */
__attribute__((constructor)) static void begin(void) {
    const char *watch = getenv("DORMIE_POWER_FILES"), *where = getenv("DORMIE_POWER_SHADOW");
    const char *slash = watch ? strrchr(watch, '/') : NULL;
    if (!slash || !where) return;
    snprintf(folder, sizeof folder, "%.*s", (int)(slash - watch), watch);
    snprintf(prefix, sizeof prefix, "%s", slash + 1);
    snprintf(shadow, sizeof shadow, "%s", where);
    if (getenv("DORMIE_POWER_SYNC")) slowness = (useconds_t)atoi(getenv("DORMIE_POWER_SYNC"));
    char path[8192], line[512], name[256];
    shadow_path(path, sizeof path, "names");
    FILE *names = fopen(path, "r");
    if (!names) die("power: names");
    while (fgets(line, sizeof line, names)) {
        int number;
        struct stat is;
        if (sscanf(line, "%d %255s", &number, name) != 2) continue;
        snprintf(path, sizeof path, "%s/%s", folder, name);
        if (stat(path, &is)) die("power: a name without a file");
        file_count = number;
        remember_file(&is);
    }
    fclose(names);
    awake = 1;
}

static void opened(int fd, const char *path) {
    if (fd < 0 || fd >= MOST_FDS || !awake) return;
    pthread_mutex_lock(&lock);
    struct stat is;
    what_is[fd] = NOT_OURS;
    if (strcmp(path, folder) == 0) {
        what_is[fd] = FOLDER;
    } else if (ours(path) && fstat(fd, &is) == 0) {
        int number = known(&is);
        what_is[fd] = number ? number : remember_file(&is);
    }
    pthread_mutex_unlock(&lock);
}

static void wrote(int fd, off_t from, ssize_t length) {
    if (length <= 0 || fd < 0 || fd >= MOST_FDS || what_is[fd] <= 0) return;
    pthread_mutex_lock(&lock);
    struct file *file = &files[what_is[fd]];
    struct range *last = file->count ? &file->written[file->count - 1] : NULL;
    if (last && last->to == from) {
        last->to = from + length;
    } else {
        if (file->count == file->room) {
            file->room = file->room ? 2 * file->room : 64;
            file->written = realloc(file->written, file->room * sizeof *file->written);
            if (!file->written) die("power: memory");
        }
        file->written[file->count++] = (struct range){from, from + length};
    }
    pthread_mutex_unlock(&lock);
}

static void truncated(int fd, off_t length) {
    if (fd < 0 || fd >= MOST_FDS || what_is[fd] <= 0) return;
    pthread_mutex_lock(&lock);
    struct file *file = &files[what_is[fd]];
    if (file->shortest < 0 || length < file->shortest) file->shortest = length;
    pthread_mutex_unlock(&lock);
}

static void copy(int from, int into, off_t at, off_t end) {
    static char buffer[65536];
    while (at < end) {
        size_t want = end - at < (off_t)sizeof buffer ? (size_t)(end - at) : sizeof buffer;
        ssize_t got = REAL(pread)(from, buffer, want, at);
        if (got < 0) die("power: read");
        if (got == 0) return;
        if (REAL(pwrite)(into, buffer, (size_t)got, at) != got) die("power: write");
        at += got;
    }
}

/* The same file, to be read. A file that SQLite has locked is open for that already; Redis only writes. */
static int readable(int fd) {
    char path[64];
    if ((fcntl(fd, F_GETFL) & O_ACCMODE) != O_WRONLY) return fd;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    int again = REAL(open)(path, O_RDONLY);
    if (again < 0) die("power: open");
    return again;
}

/* The file is safe as it is now. */
static void keep(int fd) {
    int number = what_is[fd];
    struct file *file = &files[number];
    char name[16], path[8192];
    struct stat is;
    snprintf(name, sizeof name, "%d", number);
    shadow_path(path, sizeof path, name);
    int into = REAL(open)(path, O_RDWR | O_CREAT, 0600);
    if (into < 0 || fstat(fd, &is)) die("power: keep");
    int from = readable(fd);
    if (file->shortest >= 0) copy(from, into, file->shortest, is.st_size);
    for (size_t at = 0; at < file->count; at++) {
        struct range *one = &file->written[at];
        copy(from, into, one->from, one->to < is.st_size ? one->to : is.st_size);
    }
    if (REAL(ftruncate)(into, is.st_size)) die("power: size");
    if (from != fd) REAL(close)(from);
    REAL(close)(into);
    file->count = 0;
    file->shortest = -1;
}

/* The folder is safe as it is now: which names there are, and what they stand for. */
static void keep_names(void) {
    char path[8192], fresh[8192];
    shadow_path(path, sizeof path, "names");
    shadow_path(fresh, sizeof fresh, "names.new");
    FILE *names = fopen(fresh, "w");
    DIR *listing = opendir(folder);
    if (!names || !listing) die("power: names");
    for (struct dirent *one; (one = readdir(listing));) {
        char entry[8192];
        struct stat is;
        snprintf(entry, sizeof entry, "%s/%s", folder, one->d_name);
        if (ours(entry) && stat(entry, &is) == 0 && known(&is))
            fprintf(names, "%d %s\n", known(&is), one->d_name);
    }
    closedir(listing);
    if (fclose(names) || rename(fresh, path)) die("power: names");
}

static void synced(int fd) {
    if (fd < 0 || fd >= MOST_FDS || what_is[fd] == NOT_OURS) return;
    usleep(slowness); /* so that a kill often comes while a commit waits for the disk */
    pthread_mutex_lock(&lock);
    if (what_is[fd] == FOLDER) keep_names();
    else keep(fd);
    pthread_mutex_unlock(&lock);
}

/* ------------------------------------------------------- what SQLite and Python call */

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        va_list more; \
        va_start(more, flags); \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; \
        va_end(more); \
        int fd = REAL(name)(path, flags, mode); \
        opened(fd, path); \
        return fd; \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name) \
    int name(int at, const char *path, int flags, ...) { \
        va_list more; \
        va_start(more, flags); \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; \
        va_end(more); \
        int fd = REAL(name)(at, path, flags, mode); \
        opened(fd, path); \
        return fd; \
    }
OPENAT(openat)
OPENAT(openat64)

int close(int fd) {
    if (fd >= 0 && fd < MOST_FDS) what_is[fd] = NOT_OURS;
    return REAL(close)(fd);
}

#define PWRITE(name, offset) \
    ssize_t name(int fd, const void *data, size_t length, offset at) { \
        ssize_t done = REAL(name)(fd, data, length, at); \
        wrote(fd, at, done); \
        return done; \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

ssize_t write(int fd, const void *data, size_t length) {
    ssize_t done = REAL(write)(fd, data, length);
    int ours_too = done > 0 && fd >= 0 && fd < MOST_FDS && what_is[fd] > 0;
    /* Where it went is known afterwards: a file that is only appended to is written at its end. */
    if (ours_too) wrote(fd, lseek(fd, 0, SEEK_CUR) - done, done);
    return done;
}

#define FTRUNCATE(name, offset) \
    int name(int fd, offset length) { \
        int failed = REAL(name)(fd, length); \
        if (!failed) truncated(fd, length); \
        return failed; \
    }
FTRUNCATE(ftruncate, off_t)
FTRUNCATE(ftruncate64, off64_t)

int unlink(const char *path) {
    struct stat is;
    int number = 0;
    if (ours(path) && stat(path, &is) == 0) number = known(&is);
    int failed = REAL(unlink)(path);
    if (!failed && number) files[number].unlinked = 1; /* the system will use its inode again */
    return failed;
}

#define SYNC(name) \
    int name(int fd) { \
        synced(fd); /* first, so that nothing written while the disk is busy counts as safe */ \
        return REAL(name)(fd); \
    }
SYNC(fsync)
SYNC(fdatasync)
