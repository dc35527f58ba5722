import type { Credentials } from './schemas/access.ts';
import { Problem } from '../../kernel/problem.ts';
import { typedText } from '../../kernel/pure/typed-text.ts';
import type { SecurityEventKind } from './schemas/security-events.ts';
import type { Database, Sql } from '../../platform/db/database.ts';
import { readKnownBrowser, writeKnownBrowser } from './known-browser.ts';
import {
  clearFactorAttempts,
  clearLoginAttempts,
  countFactorAttempt,
  countLoginAttempt,
  forgiveLoginAttempt,
} from './login-throttle.ts';
import { passwordMatches } from './password.ts';
import {
  hasSecondFactor,
  proveFactor,
  type Proof,
  type ProofDeps,
} from './second-factor/prove-factor.ts';
import { noteSecurityEvent, type SecurityDeps } from './security-events.ts';
import { openSession, issueTokens, type AccessDeps, type Tokens } from './session.ts';

/**
 * Signs in with e-mail and password (rule ACC-2). Throws the same `unauthorized` for any wrong
 * input and for a disabled user, `second-factor-required` (rule ACC-18) or `rate-limited`. Replaces
 * the cookie `knownBrowser` of the last sign-in.
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
  const email = typedText(input.email).toLowerCase();
  const browserId = await readKnownBrowser(keyring, email, input.knownBrowser);
  const attempt = { account: email, address, browserId };
  const throttled = async (error: unknown) => {
    if (error instanceof Problem) await note('SIGN_IN_THROTTLED');
    throw error;
  };

  await countLoginAttempt(db, attempt).catch(throttled);

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

  const { id: userId } = user;
  if (input.code !== undefined) await countFactorAttempt(db, attempt).catch(throttled);
  const outcome = await db.transaction(async (tx): Promise<Outcome> => {
    if (!(await isStill(tx, user))) return 'REFUSED';
    const secondFactor = await checkSecondFactor({ tx, secrets: deps.secrets }, userId, input.code);
    if (typeof secondFactor === 'string') return secondFactor;
    const how = { method: 'PASSWORD', ...secondFactor } as const;

    return {
      sessionId: await openSession(tx, { userId, requestId, userAgent, how }),
      ...secondFactor,
    };
  });

  if (outcome === 'ASK') {
    await forgiveLoginAttempt(db, attempt);
    throw new Problem('second-factor-required', {
      detail: 'Send the code of the authenticator app, or a recovery code',
    });
  }

  if (outcome === 'WRONG') await note('SECOND_FACTOR_REFUSED', userId);
  if (typeof outcome === 'string') throw refused();

  await clearLoginAttempts(db, attempt);
  if (input.code !== undefined) await clearFactorAttempts(db, attempt);
  if (outcome.secondFactor === 'RECOVERY_CODE') await note('RECOVERY_CODE_USED', userId);
  if (browserId === null) await note('SIGN_IN_NEW_BROWSER', userId);

  return {
    ...(await issueTokens(keyring, { sessionId: outcome.sessionId, userId, counter: 0 })),
    knownBrowser: await writeKnownBrowser(keyring, email, browserId),
  };
}

/** `ASK` means that the code is missing. */
type Outcome = 'REFUSED' | 'ASK' | 'WRONG' | { sessionId: string; secondFactor?: Proof };

/** Requires the lock of {@link isStill}. */
async function checkSecondFactor(
  deps: ProofDeps,
  userId: number,
  code: string | undefined,
): Promise<'ASK' | 'WRONG' | { secondFactor?: Proof }> {
  if (!(await hasSecondFactor(deps.tx, userId))) return {};
  if (code === undefined) return 'ASK';
  const secondFactor = await proveFactor(deps, userId, code);
  return secondFactor === null ? 'WRONG' : { secondFactor };
}

type Known = { id: number; passwordHash: string | null };

/** Locks the user, so that no session survives a concurrent password change. */
async function isStill({ db }: Sql, { id, passwordHash }: Known): Promise<boolean> {
  const user = await db
    .selectFrom('access_user')
    .select('id')
    .where('id', '=', id)
    .where('isActive', '=', true)
    .where('passwordHash', '=', passwordHash)
    .forShare()
    .executeTakeFirst();

  return user !== undefined;
}

function refused(): Problem {
  return new Problem('unauthorized', { detail: 'E-mail, password or code is wrong' });
}
