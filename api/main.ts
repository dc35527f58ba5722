// Nothing else is imported here: the restart would discard it.
import { restartWith } from '../platform/restart-with.ts';

/**
 * Keeps the garbage of hot responses in the young generation. Collecting its default 1 MB was a
 * tenth of the cost of a menu (decision 55).
 */
const YOUNG_GENERATION = ['--min-semi-space-size=8', '--max-semi-space-size=32'];

// glibc would keep the megabytes of a compression for each thread.
restartWith(YOUNG_GENERATION, { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' });

await import('./api.ts');
