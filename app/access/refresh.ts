import { Problem } from '../../contracts/problem.ts';
import type { Database } from '../../db/database.ts';
import { systemActor } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { readRefreshToken, REFRESH_DAYS, type RefreshToken } from './refresh-token.ts';
import { tokensOf, type AccessDeps, type Tokens } from './session.ts';

/** Two tabs may refresh with the same token at nearly the same moment. */
const TWIN_SECONDS = 10;

/**
 * Exchanges a refresh token for its successor and a new access token. The token before the current one gets the same
 * successor within 10 s of the rotation; any older one was stolen or replayed and ends the session for everybody.
 * Throws `unauthorized` otherwise. Counting up is one conditional UPDATE: of two parallel calls one rotates, both get
 * the same successor.
 */
export async function refresh({ db, keyring }: AccessDeps, text: string): Promise<Tokens> {
  const token = await readRefreshToken(keyring, text);
  if (token === null) throw refused();
  const session = (await rotate(db, token)) ?? (await twin(db, token));
  if (session === null) {
    await endReused(db, token);
    throw refused();
  }
  return tokensOf(keyring, { sessionId: token.sessionId, userId: session.user_id, counter: session.counter });
}

type SessionRow = { user_id: number; counter: number };

async function rotate(db: Database, token: RefreshToken): Promise<SessionRow | null> {
  const [row] = await db.query<SessionRow>(
    `update access_session s set counter = counter + 1, rotated_at = now(), expires_at = now() + $3 * interval '1 day'
       from access_user u
      where s.id = $1 and s.counter = $2 and s.ended_at is null and s.expires_at > now() and u.id = s.user_id and u.is_active
      returning s.user_id, s.counter`,
    [token.sessionId, token.counter, REFRESH_DAYS],
  );
  return row ?? null;
}

async function twin(db: Database, token: RefreshToken): Promise<SessionRow | null> {
  const [row] = await db.query<SessionRow>(
    `select s.user_id, s.counter from access_session s join access_user u on u.id = s.user_id and u.is_active
      where s.id = $1 and s.counter = $2 + 1 and s.ended_at is null and s.expires_at > now()
        and s.rotated_at > now() - $3 * interval '1 second'`,
    [token.sessionId, token.counter, TWIN_SECONDS],
  );
  return row ?? null;
}

/** Ends a session whose old token came back. A second call finds it ended and writes nothing. */
async function endReused(db: Database, token: RefreshToken): Promise<void> {
  await db.transaction(async (tx) => {
    const ended = await tx.query<{ user_id: number }>(
      `update access_session set ended_at = now(), end_reason = 'REUSED'
        where id = $1 and counter > $2 and ended_at is null returning user_id`,
      [token.sessionId, token.counter],
    );
    for (const { user_id } of ended)
      await recordAudit(tx, systemActor('refresh-token-reuse'), {
        entityType: 'user',
        entityId: user_id,
        action: 'session-ended',
        reason: 'An old refresh token was used again',
      });
  });
}

function refused(): Problem {
  return new Problem('unauthorized', { detail: 'The session has ended; sign in again' });
}
