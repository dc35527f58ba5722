// `npm run worker -- <role>`. Nothing else is imported here: what the restart would throw away must
// not be loaded before it.
import { restartWith } from '../platform/restart-with.ts';

/**
 * By default V8 grows the young generation of each of our two isolates to tens of megabytes before
 * it collects garbage, and the old one with the machine; glibc keeps a heap per thread of
 * Temporal's runtime. Together that is more than the data: an importing worker peaks at 280 MB
 * instead of 490 MB.
 */
const OLD_SPACE = '--max-old-space-size=512';
const LEAN = ['--max-semi-space-size=2', OLD_SPACE];
/**
 * A build makes tens of thousands of objects that live until its end. In a young generation of 2 MB
 * each of them is copied while it grows, which was a third of all that a worker of builds did
 * (decision 125).
 */
const OF_BUILDS = ['--min-semi-space-size=16', '--max-semi-space-size=32', OLD_SPACE];
/** A worker with all roles builds as well, on hosts with little memory. */
const OF_ALL = ['--min-semi-space-size=4', '--max-semi-space-size=8', OLD_SPACE];
const V8_OPTIONS = new Map([
  ['build', OF_BUILDS],
  ['all', OF_ALL],
]);

restartWith(V8_OPTIONS.get(process.argv[2] ?? '') ?? LEAN, {
  MALLOC_ARENA_MAX: '2',
  // glibc returns a freed answer of the ERP to the system. Without a fixed threshold it keeps
  // it.
  MALLOC_MMAP_THRESHOLD_: '131072',
});

await import('./worker.ts');
