import { setTimeout as delay } from 'node:timers/promises';
import { collectGarbage } from '../../platform/collect-garbage.ts';

/**
 * Returns the bytes of live objects of this process. Collects garbage twice, because a collection
 * may free objects for the next one.
 */
export async function collectedHeap(): Promise<number> {
  for (let round = 0; round < 2; round += 1) {
    collectGarbage();
    // WeakRefs that were read keep their objects until the end of the turn.
    await delay(1);
  }
  return process.memoryUsage().heapUsed;
}
