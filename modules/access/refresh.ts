import { sql } from 'kysely';
import { Problem } from '../../kernel/problem.ts';
import type { Database } from '../../platform/db/database.ts';
import { systemActor } from '../../kernel/actor.ts';
import { recordAudit } from './audit/record-audit.ts';
import { readRefreshToken, type RefreshToken } from './refresh-token.ts';
import { insertSecurityEvent } from './security-events.ts';
import { IS_ALIVE } from './sessions.ts';
import { issueTokens, type AccessDeps, type Tokens } from './session.ts';

/** Two tabs may refresh concurrently. */
const TWIN_SECONDS = 10;

/**
 * Exchanges a refresh token. For 10 s the previous token gets the same new token. An older token is
 * considered stolen and ends the session. Throws `unauthorized`. One conditional UPDATE serializes
 * calls.
 */
export async function refresh({ db, keyring }: AccessDeps, text: string): Promise<Tokens> {
  const token = await readRefreshToken(keyring, text);
  if (token === null) throw refused();
  const session = (await rotate(db, token)) ?? (await twin(db, token));
  if (session === undefined) {
    await endReused(db, token);
    throw refused();
  }

  return issueTokens(keyring, {
    sessionId: token.sessionId,
    userId: session.userId,
    counter: session.counter,
  });
}

type Session = { userId: number; counter: number };

async function rotate({ db }: Database, token: RefreshToken): Promise<Session | undefined> {
  return db
    .updateTable('access_session as session')
    .from('access_user as user')
    .set((eb) => ({
      counter: eb('session.counter', '+', 1),
      rotatedAt: sql<Date>`now()`,
    }))
    .where('session.id', '=', token.sessionId)
    .where('session.counter', '=', token.counter)
    .where(IS_ALIVE)
    .whereRef('user.id', '=', 'session.userId')
    .where('user.isActive', '=', true)
    .returning(['session.userId', 'session.counter'])
    .executeTakeFirst();
}

async function twin({ db }: Database, token: RefreshToken): Promise<Session | undefined> {
  return db
    .selectFrom('access_session as session')
    .innerJoin('access_user as user', 'user.id', 'session.userId')
    .select(['session.userId', 'session.counter'])
    .where('user.isActive', '=', true)
    .where('session.id', '=', token.sessionId)
    .where('session.counter', '=', token.counter + 1)
    .where(IS_ALIVE)
    .where('session.rotatedAt', '>', sql<Date>`now() - ${TWIN_SECONDS} * interval '1 second'`)
    .executeTakeFirst();
}

/** Idempotent. */
async function endReused(db: Database, token: RefreshToken): Promise<void> {
  await db.transaction(async (tx) => {
    const ended = await tx.db
      .updateTable('access_session')
      .set({ endedAt: sql<Date>`now()`, endReason: 'REUSED' })
      .where('id', '=', token.sessionId)
      .where('counter', '>', token.counter)
      .where('endedAt', 'is', null)
      .returning('userId')
      .execute();

    for (const { userId } of ended) {
      await insertSecurityEvent(tx, { kind: 'TOKEN_REUSED', userId });
      await recordAudit(tx, systemActor('refresh-token-reuse'), {
        entityType: 'user',
        entityId: userId,
        action: 'session-ended',
        reason: 'An old refresh token was used again',
      });
    }
  });
}

function refused(): Problem {
  return new Problem('unauthorized', { detail: 'The session has ended; sign in again' });
}
