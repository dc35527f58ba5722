import { systemActor } from '../../../kernel/actor.ts';
import { readClock } from '../../../platform/db/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import { moveRights } from './move-rights.ts';

const EXPIRY = systemActor('right-expiry');
const RIGHTS_PER_BATCH = 500;

/**
 * Expires rights. A reserved right stays until its order is decided (rule CMP-12). Uses the
 * database clock (rule ORD-108), except in tests. Idempotent.
 */
export async function expireRights(
  { db }: { db: Database },
  moment?: Date,
): Promise<{ expired: number }> {
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

    const ids = due.map((entry) => entry.id);
    const { moved } = await db.transaction((tx) =>
      moveRights(tx, EXPIRY, { ids }, { move: 'EXPIRE', at }),
    );
    expired += moved.length;
    if (due.length < RIGHTS_PER_BATCH) return { expired };
  }
}
