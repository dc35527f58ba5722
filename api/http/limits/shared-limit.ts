import { toSite, countInWindow, type Limit } from '../../../kernel/window-count.ts';
import type { Deps } from '../../deps.ts';
import { BUDGETS_OF_SITE, WINDOW_SECONDS } from './hot-rate-limit.ts';
import { budgetHeaders, type RateVerdict } from './rate-limits.ts';
import type { RateLimitClass } from '../route.ts';

/** Expensive requests and guesses of secrets are counted across processes. */
const SHARED = { ordering: 'RATE_LIMIT_ORDERING', 'sign-in': 'RATE_LIMIT_SIGN_IN' } as const;
type Shared = keyof typeof SHARED;

export const isShared = (limit: RateLimitClass): limit is Shared => limit in SHARED;

/** Includes the IPv6 site (rule HTTP-24). */
export function limitsOfClient(kind: string, client: string, most: number): Limit[] {
  const site = toSite(client);
  const own = { kind, of: client, most };
  return site === undefined
    ? [own]
    : [own, { kind: `${kind}-site`, of: site, most: most * BUDGETS_OF_SITE }];
}

/**
 * Counts a request across processes (rules HTTP-13, HTTP-23) in three budgets: of the caller, of
 * its IPv6 site, and of its cart. The budget of a cart covers clients that use many addresses.
 */
export async function takeShared(
  { db, env }: Pick<Deps, 'db' | 'env'>,
  name: Shared,
  caller: string,
  cartId: string | null,
): Promise<RateVerdict> {
  const most = env[SHARED[name]];
  if (most === null) return { allowed: true, headers: {} };
  const limits = limitsOfClient(name, caller, most);
  if (cartId !== null) limits.push({ kind: `${name}-cart`, of: cartId, most });
  const { isOver, times, seconds } = await countInWindow(db.prepared, WINDOW_SECONDS, limits);
  const policy = `"${name}";q=${most};w=${WINDOW_SECONDS}`;

  return {
    allowed: !isOver,
    headers: budgetHeaders(
      { name, policy },
      { allowed: !isOver, remaining: times, resetSeconds: seconds },
    ),
  };
}
