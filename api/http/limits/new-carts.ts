import { countingWork } from '../../../kernel/window-count.ts';
import { isPrivateClient } from '../../../platform/trusted-proxies.ts';
import type { Deps } from '../../deps.ts';
import { limitsOfClient } from './shared-limit.ts';

const DAY_SECONDS = 24 * 3_600;

/**
 * Counts a new guest cart across processes (rule HTTP-33), then runs `work`. Problem
 * `rate-limited`.
 */
export async function countingNewCart<T>(
  { db, env }: Pick<Deps, 'db' | 'env'>,
  clientAddress: string,
  work: () => Promise<T>,
  isCounted: (result: T) => boolean = () => true,
): Promise<T> {
  const most = env.RATE_LIMIT_NEW_CARTS;
  if (most === null || isPrivateClient(clientAddress)) return work();

  return countingWork(
    db.prepared,
    {
      windowSeconds: DAY_SECONDS,
      limits: limitsOfClient('new-cart', clientAddress, most),
      detail: `One client address can create at most ${most} guest carts in 24 hours. Change an existing cart, or sign in.`,
      isCounted,
    },
    work,
  );
}
