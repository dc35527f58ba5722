import { sql } from 'kysely';
import type { Session } from './schemas/access.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Actor } from '../../kernel/actor.ts';
import { recordAudit } from './audit/record-audit.ts';
import type { Database, Sql } from '../../platform/db/database.ts';
import { readPage, type Page, type Paging } from '../../kernel/pages.ts';
import { ENDS_AT, IS_ALIVE } from './session-life.ts';

type Who = Extract<Actor, { type: 'USER' }> & { sessionId: string };

/** The sessions in which a user is signed in now, the one used last first (rule ACC-10). */
export function listSessions({ db }: Sql, { userId, sessionId }: Who, paging: Paging): Promise<Page<Session>> {
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

/** Ends one session of a user; its tokens stop working at once. Problem not-found for one that is not theirs or is over. */
export async function endSession(deps: { db: Database }, who: Who, id: string): Promise<void> {
  if ((await endOpen(deps.db, who, { id })) === 0) throw new Problem('not-found');
}

/** Ends the sessions of a user but the one that asks, and returns their number. */
export function endOtherSessions(deps: { db: Database }, who: Who): Promise<number> {
  return endOpen(deps.db, who, { except: who.sessionId });
}

function endOpen(db: Database, who: Who, { id, except }: { id?: string; except?: string }): Promise<number> {
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
