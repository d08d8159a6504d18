/* Included before each file of a wheel (packaging/wheels.sh): glibc 2.29 has new versions of these functions,
 * which differ in how they report errors. Their first versions let the library run with older ones. */
#ifdef __x86_64__
#define FIRST "GLIBC_2.2.5"
#else
#define FIRST "GLIBC_2.17"
#endif
__asm__(".symver exp,exp@" FIRST);
__asm__(".symver exp2,exp2@" FIRST);
__asm__(".symver log,log@" FIRST);
__asm__(".symver log2,log2@" FIRST);
__asm__(".symver pow,pow@" FIRST);
#undef FIRST
