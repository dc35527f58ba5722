import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Frees the garbage of the start (40 MB in the API). Blocks for 100 ms: call it before the
 * process is ready.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: object) => void;
  // The regular flavor sometimes keeps half of the garbage.
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
