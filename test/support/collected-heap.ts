import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Returns the bytes of live objects of this process. Collects garbage twice, because a collection
 * may free objects for the next one.
 */
export async function collectedHeap(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 2; round += 1) {
    collect();
    // WeakRefs that were read keep their objects until the end of the turn.
    await delay(1);
  }
  return process.memoryUsage().heapUsed;
}
