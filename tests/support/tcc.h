/* What tcc lacks of what the runtime uses. It compiles a small model in a hundredth of a second. */
#ifdef __TINYC__
static inline int whorl_tcc_ctz(unsigned long long x) {
  int n = 0;
  for (; !(x & 1); x >>= 1) n++;
  return n;
}
static inline int whorl_tcc_clz(unsigned long long x) {
  int n = 0;
  for (; !(x >> 63); x <<= 1) n++;
  return n;
}
static inline int whorl_tcc_popcount(unsigned long long x) {
  int n = 0;
  for (; x; x &= x - 1) n++;
  return n;
}
#define __builtin_ctz whorl_tcc_ctz
#define __builtin_ctzll whorl_tcc_ctz
#define __builtin_clz(x) (whorl_tcc_clz(x) - 32)
#define __builtin_clzll whorl_tcc_clz
#define __builtin_popcount whorl_tcc_popcount
#define __builtin_popcountll whorl_tcc_popcount
#define __builtin_prefetch(...) ((void)0)
#define __builtin_unreachable() abort()
#define __builtin_expect(value, expected) (value)
#endif
