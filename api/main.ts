// `npm run api`. Nothing else is imported here: the restart would discard it.
import { restartWith } from '../platform/restart-with.ts';

/**
 * Answers of the hot path leave their garbage in the young generation. By default it begins at a
 * megabyte and is collected a hundred times a second under load, each time with the roots of
 * everything that an API has loaded; that was a tenth of the cost of a menu (decision 55).
 */
const YOUNG_GENERATION = ['--min-semi-space-size=8', '--max-semi-space-size=32'];

// Compressing a menu takes megabytes for a moment, which glibc would keep for each thread.
restartWith(YOUNG_GENERATION, { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' });

await import('./api.ts');
