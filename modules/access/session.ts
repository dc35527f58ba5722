import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database, Sql } from '../../platform/db/database.ts';
import { recordAudit } from './audit/record-audit.ts';
import { issueAccessToken } from './access-token.ts';
import type { Keyring } from './keyring.ts';
import { writeRefreshToken } from './refresh-token.ts';
import { SESSION_DAYS } from './sessions.ts';

/** Enough to distinguish browsers. */
const MOST_OF_AGENT = 200;

export type AccessDeps = { db: Database; keyring: Keyring };

export type Tokens = { accessToken: string; refreshToken: string };

export type SignIn = {
  userId: number;
  requestId: string;
  userAgent: string | undefined;
  how:
    | { method: 'PASSWORD'; secondFactor?: 'CODE' | 'RECOVERY_CODE' }
    | { method: 'SSO'; issuer: string };
};

export async function openSession(
  tx: Sql,
  { userId, requestId, userAgent, how }: SignIn,
): Promise<string> {
  const sessionId = randomUUID();
  await tx.db
    .insertInto('access_session')
    .values({
      id: sessionId,
      userId,
      method: how.method,
      userAgent: userAgent?.slice(0, MOST_OF_AGENT) ?? null,
      expiresAt: sql<Date>`now() + ${SESSION_DAYS} * interval '1 day'`,
    })
    .execute();

  const actor = { type: 'USER', userId, requestId } as const;
  await recordAudit(tx, actor, {
    entityType: 'user',
    entityId: userId,
    action: 'sign-in',
    after: how,
  });

  return sessionId;
}

/** The refresh token depends only on the session and the counter. */
export async function issueTokens(
  keyring: Keyring,
  session: { sessionId: string; userId: number; counter: number },
): Promise<Tokens> {
  return {
    accessToken: await issueAccessToken(keyring, session),
    refreshToken: await writeRefreshToken(keyring, session),
  };
}
