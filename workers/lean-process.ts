/**
 * Imported first, and alone, by a worker's main: restarts the program in the same process (same pid, same streams) with settings that can
 * only be given at its start. By default V8 lets the young generation of each of our two isolates grow to tens of megabytes
 * before it looks for garbage, and the old one with the machine; glibc keeps a heap per thread of Temporal's runtime. Together
 * that is more than the data: an importing worker peaks at 280 MB instead of 490 MB.
 */
const V8_OPTIONS = ['--max-semi-space-size=2', '--max-old-space-size=512'];
const ENVIRONMENT = { MALLOC_ARENA_MAX: '2' };

const isLean = V8_OPTIONS.every((option) => process.execArgv.includes(option));
if (!isLean && process.platform !== 'win32') {
  const [, ...args] = process.argv;
  process.execve?.(process.execPath, [process.execPath, ...process.execArgv, ...V8_OPTIONS, ...args], {
    ...process.env,
    ...ENVIRONMENT,
  });
}
