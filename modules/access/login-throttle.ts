import { requireInWindow, toSite, takeBack, type Limit } from '../../kernel/window-count.ts';
import type { Sql } from '../../platform/db/database.ts';

const WINDOW_SECONDS = 15 * 60;

/** Wrong passwords per window: a hundred an hour for an account, from all addresses together. */
const MOST = {
  address: 50,
  site: 200,
  accountAtAddress: 10,
  account: 25,
  knownBrowser: 10,
  password: 10,
  code: 10,
} as const;

const DAY_SECONDS = 86_400;
/**
 * Wrong codes after the right password. With three valid codes in a million, guessing takes 45
 * years on average.
 */
const MOST_CODES_A_DAY = 20;

export type LoginAttempt = { account: string; address: string; browserId: string | null };

/**
 * The address is first, so that an exhausted address uses no attempts of its site or an account.
 */
function listLimits({ account, address, browserId }: LoginAttempt) {
  if (browserId !== null)
    return [
      { kind: 'login-browser', of: `${account} ${browserId}`, most: MOST.knownBrowser },
    ] as const;

  const site = toSite(address);

  return [
    { kind: 'login-address', of: address, most: MOST.address },
    ...(site === undefined ? [] : [{ kind: 'login-site', of: site, most: MOST.site } as const]),
    { kind: 'login-account-address', of: `${account} ${address}`, most: MOST.accountAtAddress },
    { kind: 'login-account', of: account, most: MOST.account },
  ] as const;
}

/**
 * Counts an attempt before the password is checked (rule ACC-6). Recognized browsers are counted
 * separately, so that strangers cannot lock out users. Throws `rate-limited`.
 */
export async function countLoginAttempt(sql: Sql, attempt: LoginAttempt): Promise<void> {
  for (const limit of listLimits(attempt)) await count(sql, limit, 'Too many sign-in attempts');
}

/**
 * Reverts a successful attempt, and resets the failures of its browser, or of its account and
 * address.
 */
export function clearLoginAttempts(sql: Sql, attempt: LoginAttempt): Promise<void> {
  const limits = listLimits(attempt);
  const isOwn = ({ kind }: { kind: string }) =>
    kind === 'login-browser' || kind === 'login-account-address';
  return takeBack(sql, { all: limits.filter(isOwn), one: limits.filter((limit) => !isOwn(limit)) });
}

/** Reverts an attempt with the right password but no code. */
export function forgiveLoginAttempt(sql: Sql, attempt: LoginAttempt): Promise<void> {
  return takeBack(sql, { all: [], one: listLimits(attempt) });
}

const factorLimit = ({ account }: LoginAttempt) => ({
  kind: 'second-factor',
  of: account,
  most: MOST_CODES_A_DAY,
});

/** Counts a code from an unrecognized browser (rule ACC-18). Throws `rate-limited`. */
export async function countFactorAttempt(sql: Sql, attempt: LoginAttempt): Promise<void> {
  if (attempt.browserId === null)
    await count(sql, factorLimit(attempt), 'Too many wrong codes', DAY_SECONDS);
}

export function clearFactorAttempts(sql: Sql, attempt: LoginAttempt): Promise<void> {
  return takeBack(sql, { all: [factorLimit(attempt)], one: [] });
}

/** Counts a code separately from passwords. Throws `rate-limited`. */
export function countCodeAttempt(sql: Sql, sessionId: string): Promise<void> {
  return count(sql, { kind: 'code', of: sessionId, most: MOST.code }, 'Too many wrong codes');
}

export function clearCodeAttempts(sql: Sql, sessionId: string): Promise<void> {
  return takeBack(sql, { all: [{ kind: 'code', of: sessionId }], one: [] });
}

/** Counts a password attempt in a session. Throws `rate-limited`. */
export function countPasswordAttempt(sql: Sql, sessionId: string): Promise<void> {
  return count(
    sql,
    { kind: 'password', of: sessionId, most: MOST.password },
    'Too many wrong passwords',
  );
}

export function clearPasswordAttempts(sql: Sql, sessionId: string): Promise<void> {
  return takeBack(sql, { all: [{ kind: 'password', of: sessionId }], one: [] });
}

const count = (
  sql: Sql,
  limit: Limit,
  detail: string,
  windowSeconds = WINDOW_SECONDS,
): Promise<void> => requireInWindow(sql, windowSeconds, [limit], detail);
