import { systemActor } from '../../kernel/actor.ts';
import { readClock } from '../../platform/db/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { moveRights } from './move-rights.ts';

const EXPIRY = systemActor('right-expiry');
/** Rights that end in one transaction. */
const RIGHTS_PER_BATCH = 500;

/**
 * Ends every granted right whose term is over (rule CMP-12), batch by batch, and returns how many. One that an order has goes on until the
 * order is decided. The clock of the database decides (rule ORD-108); tests name another moment. A second call finds nothing; of two at
 * once each right is ended by one.
 */
export async function expireRights({ db }: { db: Database }, moment?: Date): Promise<{ expired: number }> {
  const at = moment ?? (await readClock(db));
  let expired = 0;
  for (;;) {
    const due = await db.db
      .selectFrom('compensation')
      .select('id')
      .where('status', '=', 'GRANTED')
      .where('expiresAt', '<=', at)
      .orderBy('expiresAt')
      .orderBy('id')
      .limit(RIGHTS_PER_BATCH)
      .execute();
    if (due.length === 0) return { expired };
    const ids = due.map((each) => each.id);
    const { moved } = await db.transaction((tx) => moveRights(tx, EXPIRY, { ids }, { move: 'EXPIRE', at }));
    expired += moved.length;
    if (due.length < RIGHTS_PER_BATCH) return { expired };
  }
}
