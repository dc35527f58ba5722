import { countInWindow, siteOf, takeBack, type Limit } from '../../../kernel/window-count.ts';
import { Problem } from '../../../kernel/problem.ts';
import { isPrivateClient } from '../../../platform/trusted-proxies.ts';
import type { Deps } from '../../deps.ts';
import { BUDGETS_OF_SITE } from './hot-rate-limit.ts';

const DAY_SECONDS = 24 * 3_600;

/**
 * Runs `work` and counts a new guest cart for the client address in all processes (rule HTTP-33).
 * Problem `rate-limited`.
 */
export async function countingNewCart<T>(
  { db, env }: Pick<Deps, 'db' | 'env'>,
  clientAddress: string,
  work: () => Promise<T>,
  isNew: (result: T) => boolean = () => true,
): Promise<T> {
  const most = env.RATE_LIMIT_NEW_CARTS;
  if (most === null || isPrivateClient(clientAddress)) return work();
  const site = siteOf(clientAddress);
  const limits: Limit[] = [{ kind: 'new-cart', of: clientAddress, most }];
  if (site !== undefined) limits.push({ kind: 'new-cart-site', of: site, most: most * BUDGETS_OF_SITE });
  const { isOver, seconds } = await countInWindow(db.prepared, DAY_SECONDS, limits);
  let isMade = false;
  try {
    if (isOver)
      throw new Problem('rate-limited', {
        detail: `One client address can create at most ${most} guest carts in 24 hours. Change an existing cart, or sign in.`,
        headers: { 'Retry-After': String(seconds) },
      });
    const result = await work();
    isMade = isNew(result);
    return result;
  } finally {
    if (!isMade) await takeBack(db.prepared, { all: [], one: limits });
  }
}
