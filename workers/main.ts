// `npm run worker -- <role>`. Imports nothing else here, because the restart would discard it.
import { restartWith } from '../platform/restart-with.ts';

/**
 * By default, V8 grows the young generation of both isolates before it collects garbage, and glibc
 * keeps a heap per thread. These limits reduce the peak of an importing worker from 490 to 280 MB.
 */
const OLD_SPACE = '--max-old-space-size=512';
const LEAN = ['--max-semi-space-size=2', OLD_SPACE];
/**
 * Objects live until the build ends. With a young generation of 2 MB, copying them was a third of
 * the work (decision 125).
 */
const OF_BUILDS = ['--min-semi-space-size=16', '--max-semi-space-size=32', OLD_SPACE];
/** Imports and builds on hosts with little memory. */
const OF_ALL = ['--min-semi-space-size=4', '--max-semi-space-size=8', OLD_SPACE];

const V8_OPTIONS = new Map([
  ['build', OF_BUILDS],
  ['all', OF_ALL],
]);

restartWith(V8_OPTIONS.get(process.argv[2] ?? '') ?? LEAN, {
  MALLOC_ARENA_MAX: '2',
  // Without a fixed threshold, glibc would keep freed ERP answers.
  MALLOC_MMAP_THRESHOLD_: '131072',
});

await import('./worker.ts');
