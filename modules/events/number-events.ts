import { sql } from 'kysely';
import { touchedBy, type Database } from '../../platform/db/database.ts';
import { advisory } from '../../platform/db/locks.ts';

/** Limits the length of a transaction. */
const EVENTS_PER_TRANSACTION = 2_000;

/**
 * Numbers committed events, in one transaction at a time (rule EVT-3). Since ids are assigned after
 * the commit, no event appears later with a lower id than a visible one, and recording needs no
 * lock. Idempotent.
 */
export async function numberEvents(db: Database): Promise<number> {
  let total = 0;
  for (;;) {
    if (!(await hasUnnumbered(db))) return total;
    const numbered = await db.transaction(async (tx) => {
      await advisory.eventNumbers(tx);
      return touchedBy(
        await sql`
          update public_event set id = numbered.id
            from (select seq, nextval('public_event_number') as id
                    from (select seq from public_event where id is null order by seq
                           limit ${EVENTS_PER_TRANSACTION}) as waiting) as numbered
           where public_event.seq = numbered.seq`.execute(tx.db),
      );
    });

    total += numbered;
    if (numbered < EVENTS_PER_TRANSACTION) return total;
  }
}

async function hasUnnumbered({ db }: Database): Promise<boolean> {
  return (
    (await db.selectFrom('public_event').select('seq').where('id', 'is', null).limit(1).execute())
      .length > 0
  );
}
