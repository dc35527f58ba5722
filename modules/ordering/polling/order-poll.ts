import { sql } from 'kysely';
import type { Database, Sql } from '../../../platform/db/database.ts';

/**
 * `isTooOld`: the ERP rejects the saved revision, but nothing has changed since. `catchUpRevision`:
 * polls continue from it after reading by date. `catchUpTo`: orders were read by date until then.
 */
export type PollState = {
  isTooOld: boolean;
  catchUpRevision: number | null;
  catchUpTo: Date | null;
};

const NEW: PollState = { isTooOld: false, catchUpRevision: null, catchUpTo: null };

/** Older revisions can no longer be read. */
const CATCH_UP_LIFE = sql<Date>`now() - interval '2 hours'`;

export async function pollState({ db }: Sql, connectionId: number): Promise<PollState> {
  const state = await db
    .selectFrom('order_poll')
    .select((eb) => [
      'isTooOld',
      'catchUpRevision',
      'catchUpTo',
      eb('catchUpAt', '>', CATCH_UP_LIFE).as('isFresh'),
    ])
    .where('connectionId', '=', connectionId)
    .executeTakeFirst();
  if (state === undefined) return NEW;

  const { isFresh, ...found } = state;

  return isFresh === true ? found : { ...NEW, isTooOld: found.isTooOld };
}

/** Records a successful poll, which ends reading by date. */
export async function endPoll(
  { db }: Database,
  connectionId: number,
  { isTooOld = false } = {},
): Promise<void> {
  const state = {
    succeededAt: sql<Date>`now()`,
    isTooOld,
    catchUpRevision: null,
    catchUpTo: null,
    catchUpAt: null,
  };

  await db
    .insertInto('order_poll')
    .values({ connectionId, ...state })
    .onConflict((conflict) => conflict.column('connectionId').doUpdateSet(state))
    .execute();
}

/** Time after which a poll may be requested again, after a lost signal or a failed poll. */
const HINT_LIFE = sql<Date>`now() - interval '10 seconds'`;

/** Returns false if a poll has already been requested. */
export async function requestPoll({ db }: Sql, connectionId: number): Promise<boolean> {
  const requested = await db
    .insertInto('order_poll')
    .values({ connectionId, hintedAt: sql<Date>`now()` })
    .onConflict((conflict) =>
      conflict
        .column('connectionId')
        .doUpdateSet({ hintedAt: sql<Date>`now()` })
        .where((eb) =>
          eb.or([eb('order_poll.hintedAt', 'is', null), eb('order_poll.hintedAt', '<', HINT_LIFE)]),
        ),
    )
    .returning('connectionId')
    .executeTakeFirst();

  return requested !== undefined;
}

/** Lets later changes request another poll. */
export async function endRequest({ db }: Sql, connectionId: number): Promise<void> {
  await db
    .updateTable('order_poll')
    .set({ hintedAt: null })
    .where('connectionId', '=', connectionId)
    .where('hintedAt', 'is not', null)
    .execute();
}

export async function saveCatchUp(
  { db }: Database,
  connectionId: number,
  { revision, to }: { revision: number; to: Date },
): Promise<void> {
  const state = { catchUpRevision: revision, catchUpTo: to };
  await db
    .insertInto('order_poll')
    .values({ connectionId, ...state, catchUpAt: sql<Date>`now()` })
    .onConflict((conflict) =>
      conflict.column('connectionId').doUpdateSet({
        ...state,
        catchUpAt: sql<Date>`case when order_poll.catch_up_revision = excluded.catch_up_revision
                                  then order_poll.catch_up_at else excluded.catch_up_at end`,
      }),
    )
    .execute();
}
