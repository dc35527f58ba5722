import { randomUUID } from 'node:crypto';
import { Problem } from '../../contracts/problem.ts';
import { clearLoginAttempts, countLoginAttempt } from './login-throttle.ts';
import { passwordMatches } from './password.ts';
import { REFRESH_DAYS } from './refresh-token.ts';
import { tokensOf, type AccessDeps, type Tokens } from './session.ts';

/**
 * Opens a session for an e-mail and a password (spec 1, Authentication). Throws `unauthorized`, the same for an unknown
 * e-mail, a wrong password and a disabled user, and `rate-limited` after too many attempts. Every success is a new session.
 */
export async function login(
  { db, keyring }: AccessDeps,
  input: { email: string; password: string; address: string },
): Promise<Tokens> {
  const email = input.email.trim().toLowerCase();
  const attempt = { account: email, address: input.address };
  await countLoginAttempt(db, attempt);

  const [user] = await db.query<{ id: number; password_hash: string | null }>(
    'select id, password_hash from access_user where lower(email) = $1 and is_active',
    [email],
  );
  const matches = await passwordMatches(user?.password_hash ?? null, input.password);
  if (user === undefined || !matches) throw new Problem('unauthorized', { detail: 'E-mail or password is wrong' });

  await clearLoginAttempts(db, attempt);
  const sessionId = randomUUID();
  await db.query(
    `insert into access_session (id, user_id, expires_at) values ($1, $2, now() + $3 * interval '1 day')`,
    [sessionId, user.id, REFRESH_DAYS],
  );
  return tokensOf(keyring, { sessionId, userId: user.id, counter: 0 });
}
