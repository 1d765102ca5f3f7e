/* Loaded before the C library: counts what a process does to files below one directory, and makes one step go wrong.

   Python, safetensors and Arrow all reach the system through these functions, so their own writes are caught too. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { COUNT = 0, KILL = 1, NO_SPACE = 2, FAILURE = 3, STOP = 4 };

static char root[PATH_MAX];
static long target, mode, log_file = -1;
static atomic_long steps;
static int armed, no_exchange;

/* Watch `directory`; its step number `at`, counted from 1, goes wrong in the way of `how`. Steps are written to `log`,
   a descriptor, or nowhere when it is negative. */
void faults_arm(const char *directory, long at, long how, long log) {
    snprintf(root, sizeof root, "%s", directory);
    target = at, mode = how, log_file = log;
    atomic_store(&steps, 0);
    armed = 1;
}

void faults_disarm(void) { armed = 0; }

long faults_count(void) { return atomic_load(&steps); }

/* Behave like a file system that cannot exchange two names. */
void faults_refuse_exchange(int refuse) { no_exchange = refuse; }

static int is_below(const char *path) {
    size_t length = strlen(root);
    return strncmp(path, root, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static int name_of(int descriptor, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t n = readlink(link, path, PATH_MAX - 1);
    path[n < 0 ? 0 : n] = 0;
    return n > 0;
}

/* Count a step on a path; tell how it goes wrong, or COUNT when it does not. */
static long step(const char *what, const char *path) {
    if (!is_below(path)) return COUNT;
    long number = atomic_fetch_add(&steps, 1) + 1;
    if (log_file >= 0) {
        char line[PATH_MAX + 32];
        int n = snprintf(line, sizeof line, "%s %s\n", what, path + strlen(root));
        syscall(SYS_write, (int)log_file, line, (size_t)n);
    }
    return number == target ? mode : COUNT;
}

/* Let a step go wrong; return whether it must not be made at all. */
static int strike(long how) {
    if (how == KILL) kill(getpid(), SIGKILL);
    if (how == STOP) raise(SIGSTOP);
    if (how == NO_SPACE) errno = ENOSPC;
    if (how == FAILURE) errno = EIO;
    return how == NO_SPACE || how == FAILURE;
}

static int fails_at(const char *what, int folder, const char *path) {
    if (!armed || !path) return 0;
    int kept = errno;
    char whole[2 * PATH_MAX], base[PATH_MAX];
    if (path[0] == '/')
        snprintf(whole, sizeof whole, "%s", path);
    else {
        if (folder == AT_FDCWD ? !getcwd(base, sizeof base) : !name_of(folder, base)) return 0;
        snprintf(whole, sizeof whole, "%s/%s", base, path);
    }
    errno = kept;
    return strike(step(what, whole));
}

static long find_fault(const char *what, int descriptor) {
    char path[PATH_MAX];
    int kept = errno;
    long how = armed && name_of(descriptor, path) ? step(what, path) : COUNT;
    errno = kept;
    return how;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define OPENS(name)                                                         \
    int name(const char *path, int flags, ...) {                            \
        va_list more;                                                       \
        va_start(more, flags);                                              \
        mode_t bits = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; \
        va_end(more);                                                       \
        return fails_at("open", AT_FDCWD, path) ? -1 : REAL(name)(path, flags, bits); \
    }
OPENS(open)
OPENS(open64)

#define OPENS_AT(name)                                                      \
    int name(int folder, const char *path, int flags, ...) {                \
        va_list more;                                                       \
        va_start(more, flags);                                              \
        mode_t bits = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; \
        va_end(more);                                                       \
        return fails_at("open", folder, path) ? -1 : REAL(name)(folder, path, flags, bits); \
    }
OPENS_AT(openat)
OPENS_AT(openat64)

FILE *fopen(const char *path, const char *how) { return fails_at("open", AT_FDCWD, path) ? NULL : REAL(fopen)(path, how); }
FILE *fopen64(const char *path, const char *how) {
    return fails_at("open", AT_FDCWD, path) ? NULL : REAL(fopen64)(path, how);
}

/* A process that is killed in a write has written half of it. */
ssize_t write(int file, const void *bytes, size_t n) {
    long how = find_fault("write", file);
    if (how == KILL) REAL(write)(file, bytes, n / 2);
    return strike(how) ? -1 : REAL(write)(file, bytes, n);
}

#define WRITES_AT(name, place_type)                                         \
    ssize_t name(int file, const void *bytes, size_t n, place_type place) { \
        long how = find_fault("write", file);                               \
        if (how == KILL) REAL(name)(file, bytes, n / 2, place);             \
        return strike(how) ? -1 : REAL(name)(file, bytes, n, place);        \
    }
WRITES_AT(pwrite, off_t)
WRITES_AT(pwrite64, off64_t)

ssize_t writev(int file, const struct iovec *parts, int n) {
    long how = find_fault("write", file);
    if (how == KILL) REAL(writev)(file, parts, n / 2);
    return strike(how) ? -1 : REAL(writev)(file, parts, n);
}

int fsync(int file) { return strike(find_fault("fsync", file)) ? -1 : REAL(fsync)(file); }
int fdatasync(int file) { return strike(find_fault("fsync", file)) ? -1 : REAL(fdatasync)(file); }
int ftruncate(int file, off_t size) { return strike(find_fault("truncate", file)) ? -1 : REAL(ftruncate)(file, size); }
int ftruncate64(int file, off64_t size) {
    return strike(find_fault("truncate", file)) ? -1 : REAL(ftruncate64)(file, size);
}

int rename(const char *from, const char *to) { return fails_at("rename", AT_FDCWD, to) ? -1 : REAL(rename)(from, to); }
int renameat(int a, const char *from, int b, const char *to) {
    return fails_at("rename", b, to) ? -1 : REAL(renameat)(a, from, b, to);
}
int renameat2(int a, const char *from, int b, const char *to, unsigned how) {
    if (fails_at("rename", b, to)) return -1;
    if (!no_exchange) return REAL(renameat2)(a, from, b, to, how);
    errno = EINVAL;
    return -1;
}

int unlink(const char *path) { return fails_at("unlink", AT_FDCWD, path) ? -1 : REAL(unlink)(path); }
int unlinkat(int folder, const char *path, int flags) {
    return fails_at("unlink", folder, path) ? -1 : REAL(unlinkat)(folder, path, flags);
}
int rmdir(const char *path) { return fails_at("unlink", AT_FDCWD, path) ? -1 : REAL(rmdir)(path); }
int mkdir(const char *path, mode_t bits) { return fails_at("mkdir", AT_FDCWD, path) ? -1 : REAL(mkdir)(path, bits); }
int mkdirat(int folder, const char *path, mode_t bits) {
    return fails_at("mkdir", folder, path) ? -1 : REAL(mkdirat)(folder, path, bits);
}
