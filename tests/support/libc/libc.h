/* What the runtime uses of the C library, for tcc on Linux x86-64 with glibc.
 *
 * The other headers here include this one, and stand for those of the system, which take tcc as
 * long to read as a whole verifier. Used by together.py.
 */
#ifndef LIBC_H
#define LIBC_H
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef unsigned long size_t, uintptr_t;
typedef long ssize_t, ptrdiff_t, intptr_t, off_t, time_t;
#define bool _Bool
#define true 1
#define false 0
#define NULL ((void *)0)
#define offsetof(type, field) ((size_t) & ((type *)0)->field)
#define UINT64_C(n) n##UL
#define INT64_C(n) n##L
#define UINT32_C(n) n##U
#define INT8_MAX 127
#define INT16_MAX 32767
#define INT32_MAX 2147483647
#define INT32_MIN (-2147483647 - 1)
#define INT64_MAX 9223372036854775807L
#define UINT8_MAX 255
#define UINT16_MAX 65535
#define UINT32_MAX 4294967295U
#define UINT64_MAX 18446744073709551615UL
#define SIZE_MAX 18446744073709551615UL
#define DBL_MAX 1.7976931348623157e+308
#define PRId32 "d"
#define PRIu32 "u"
#define PRId64 "ld"
#define PRIu64 "lu"
#define PRIx64 "lx"
typedef struct _IO_FILE FILE;
extern FILE *stdout, *stderr;
int printf(const char *, ...), fprintf(FILE *, const char *, ...), sscanf(const char *, const char *, ...);
int putc(int, FILE *), fputc(int, FILE *), putchar(int), fflush(FILE *), fclose(FILE *);
int fputs(const char *, FILE *);
FILE *fopen(const char *, const char *);
char *fgets(char *, int, FILE *);
void *malloc(size_t), *calloc(size_t, size_t), *realloc(void *, size_t), free(void *);
void exit(int), abort(void);
double strtod(const char *, char **);
unsigned long long strtoull(const char *, char **, int);
int memcmp(const void *, const void *, size_t), strcmp(const char *, const char *);
void *memcpy(void *, const void *, size_t), *memmove(void *, const void *, size_t), *memset(void *, int, size_t);
/* Who aborts is run once more by itself, and says then what did not hold. */
#define assert(fact) ((fact) ? (void)0 : abort())
struct timespec { long tv_sec, tv_nsec; };
struct timeval { long tv_sec, tv_usec; };
int clock_gettime(int, struct timespec *);
#define CLOCK_MONOTONIC 1
struct rusage { struct timeval ru_utime, ru_stime; long ru_maxrss, rest[13]; };
int getrusage(int, struct rusage *);
#define RUSAGE_SELF 0
struct rlimit { unsigned long rlim_cur, rlim_max; };
int getrlimit(int, struct rlimit *);
#define RLIMIT_AS 9
#define RLIM_INFINITY (~0UL)
void *mmap(void *, size_t, int, int, int, off_t);
int munmap(void *, size_t), mprotect(void *, size_t, int), madvise(void *, size_t, int);
#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define MAP_PRIVATE 2
#define MAP_ANONYMOUS 0x20
#define MAP_NORESERVE 0x4000
#define MAP_FAILED ((void *)-1)
#define MADV_HUGEPAGE 14
typedef int sig_atomic_t;
struct sigaction { void (*sa_handler)(int); unsigned long sa_mask[16]; int sa_flags; void (*sa_restorer)(void); };
int sigaction(int, const struct sigaction *, struct sigaction *);
#define SIGHUP 1
#define SIGINT 2
#define SIGKILL 9
#define SIGTERM 15
long sysconf(int);
#define _SC_PAGESIZE 30
#define _SC_PHYS_PAGES 85
int prctl(int, ...);
#define PR_SET_PDEATHSIG 1
#endif
