import { sql } from 'kysely';
import type { Session } from './schemas/access.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Actor } from '../../kernel/actor.ts';
import { recordAudit } from './audit/record-audit.ts';
import type { Database, Sql } from '../../platform/db/database.ts';
import { readPage, type Page, type Paging } from '../../kernel/pages.ts';

/** Rotating tokens does not prolong a session (rule ACC-3). */
export const SESSION_DAYS = 30;
/**
 * For users of identity providers, because the provider may have closed the account, and for users
 * who manage users.
 */
const SHORT_SESSION_HOURS = 12;

/** Depends on current rights, so that new rights shorten open sessions. */
const ENDS_AT = sql<Date>`
  session.created_at + case
    when session.method = 'SSO' or exists (
      select from access_user_role link join access_role role on role.id = link.role_id
       where link.user_id = session.user_id and 'users.manage' = any (role.permissions))
    then ${sql.lit(SHORT_SESSION_HOURS)} * interval '1 hour' else ${sql.lit(SESSION_DAYS)} * interval '1 day' end`;

/** SQL condition of a usable `session`. */
export const IS_ALIVE = sql<boolean>`(session.ended_at is null and session.expires_at > now() and ${ENDS_AT} > now())`;

type Who = Extract<Actor, { type: 'USER' }> & { sessionId: string };

/** Lists a user's open sessions, last used first (rule ACC-10). */
export function listSessions(
  { db }: Sql,
  { userId, sessionId }: Who,
  paging: Paging,
): Promise<Page<Session>> {
  const open = db
    .selectFrom('access_session as session')
    .select((eb) => [
      'session.id',
      'session.method',
      'session.userAgent',
      'session.createdAt',
      'session.rotatedAt as lastUsedAt',
      ENDS_AT.as('endsAt'),
      eb('session.id', '=', sessionId).$castTo<boolean>().as('isCurrent'),
    ])
    .where('session.userId', '=', userId)
    .where(IS_ALIVE)
    .orderBy('session.rotatedAt', 'desc')
    .orderBy('session.id');

  return readPage(open, paging);
}

/** Throws `not-found` if the session has ended or belongs to another user. */
export async function endSession(deps: { db: Database }, who: Who, id: string): Promise<void> {
  if ((await endOpen(deps.db, who, { id })) === 0) throw new Problem('not-found');
}

export function endOtherSessions(deps: { db: Database }, who: Who): Promise<number> {
  return endOpen(deps.db, who, { except: who.sessionId });
}

function endOpen(
  db: Database,
  who: Who,
  { id, except }: { id?: string; except?: string },
): Promise<number> {
  return db.transaction(async (tx) => {
    const ended = await tx.db
      .updateTable('access_session as session')
      .set({ endedAt: sql<Date>`now()`, endReason: 'ENDED_BY_USER' })
      .where('session.userId', '=', who.userId)
      .where(IS_ALIVE)
      .$if(id !== undefined, (query) => query.where('session.id', '=', id!))
      .$if(except !== undefined, (query) => query.where('session.id', '<>', except!))
      .returning('session.id')
      .execute();

    if (ended.length > 0)
      await recordAudit(tx, who, {
        entityType: 'user',
        entityId: who.userId,
        action: 'end-sessions',
        after: { sessions: ended.length },
      });

    return ended.length;
  });
}
