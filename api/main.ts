// `npm run api`. Nothing else is imported here: the restart would discard it.
import { restartWith } from '../platform/restart-with.ts';

/**
 * Answers of the hot path leave their garbage in the young generation. By default it begins at a
 * megabyte and is collected a hundred times a second under load, each time with the roots of
 * everything that an API has loaded; that was a tenth of the cost of a menu (decision 55).
 */
restartWith(['--min-semi-space-size=16', '--max-semi-space-size=32']);

await import('./api.ts');
