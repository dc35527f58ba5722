import type { Credentials } from '../../contracts/access.ts';
import { Problem } from '../../contracts/problem.ts';
import type { SecurityEventKind } from '../../contracts/security-events.ts';
import type { Database, Sql } from '../database.ts';
import { readKnownBrowser, writeKnownBrowser } from './known-browser.ts';
import { clearLoginAttempts, countLoginAttempt } from './login-throttle.ts';
import { passwordMatches } from './password.ts';
import { noteSecurityEvent, type SecurityDeps } from './security-events.ts';
import { openSession, tokensOf, type AccessDeps, type Tokens } from './session.ts';

/**
 * Opens a session for an e-mail and a password (rule ACC-2). Throws `unauthorized`, the same for an unknown
 * e-mail, a wrong password and a disabled user, and `rate-limited` after too many attempts. Every success is a new session, and none
 * outlives a change of the password that came before it. `knownBrowser` is what the browser got from its last sign-in, and gets from this one.
 */
export async function login(
  deps: AccessDeps & SecurityDeps & { db: Database },
  input: Credentials & {
    address: string;
    requestId: string;
    userAgent: string | undefined;
    knownBrowser: string | undefined;
  },
): Promise<Tokens & { knownBrowser: string }> {
  const { db, keyring } = deps;
  const { requestId, userAgent, address } = input;
  const note = (kind: SecurityEventKind, userId?: number) =>
    noteSecurityEvent(deps, { kind, userId, address, requestId });
  const email = input.email.trim().toLowerCase();
  const browserId = await readKnownBrowser(keyring, email, input.knownBrowser);
  const attempt = { account: email, address, browserId };
  await countLoginAttempt(db, attempt).catch(async (error: unknown) => {
    if (error instanceof Problem) await note('SIGN_IN_THROTTLED');
    throw error;
  });

  const user = await db.db
    .selectFrom('access_user')
    .select(['id', 'passwordHash'])
    .where((eb) => eb.fn<string>('lower', ['email']), '=', email)
    .where('isActive', '=', true)
    .executeTakeFirst();
  const matches = await passwordMatches(user?.passwordHash ?? null, input.password);
  if (user === undefined || !matches) {
    await note('SIGN_IN_REFUSED', user?.id);
    throw refused();
  }

  await clearLoginAttempts(db, attempt);
  const { id: userId } = user;
  const sessionId = await db.transaction(async (tx) => {
    if (!(await isStill(tx, user))) throw refused();
    return openSession(tx, { userId, requestId, userAgent, how: { method: 'PASSWORD' } });
  });
  if (browserId === null) await note('SIGN_IN_NEW_BROWSER', userId);
  return {
    ...(await tokensOf(keyring, { sessionId, userId, counter: 0 })),
    knownBrowser: await writeKnownBrowser(keyring, email, browserId),
  };
}

type Known = { id: number; passwordHash: string | null };

/** Whether the password that was checked is still the one of an active user; waits for a change of it that has begun. */
async function isStill({ db }: Sql, { id, passwordHash }: Known): Promise<boolean> {
  const found = await db
    .selectFrom('access_user')
    .select('id')
    .where('id', '=', id)
    .where('isActive', '=', true)
    .where('passwordHash', '=', passwordHash)
    .forShare()
    .executeTakeFirst();
  return found !== undefined;
}

function refused(): Problem {
  return new Problem('unauthorized', { detail: 'E-mail or password is wrong' });
}
