import { countInWindow, type Limit } from '../../app/window-count.ts';
import type { Deps } from '../deps.ts';
import { WINDOW_SECONDS } from './hot-rate-limit.ts';
import { budgetHeaders, type RateVerdict } from './rate-limits.ts';

/**
 * Counts one request that changes a cart or an order, for all processes together (rule HTTP-13): against the caller and, where it names
 * one, against the cart, because whoever has many addresses has one cart.
 */
export async function takeOrdering(
  { db, env }: Pick<Deps, 'db' | 'env'>,
  caller: string,
  cartId: string | null,
): Promise<RateVerdict> {
  const most = env.RATE_LIMIT_ORDERING;
  if (most === null) return { allowed: true, headers: {} };
  const limits: Limit[] = [{ kind: 'ordering', of: caller, most }];
  if (cartId !== null) limits.push({ kind: 'ordering-cart', of: cartId, most });
  const { isOver, times, seconds } = await countInWindow(db.prepared, WINDOW_SECONDS, limits);
  const policy = `"ordering";q=${most};w=${WINDOW_SECONDS}`;
  return {
    allowed: !isOver,
    headers: budgetHeaders({ name: 'ordering', policy }, { allowed: !isOver, remaining: times, resetSeconds: seconds }),
  };
}
