import type { Sql } from '../../../platform/db/database.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import { readPersonal } from '../../access/customers/personal-data.ts';
import { phoneDigest } from './clients.ts';

const ROWS_PER_BATCH = 200;

/**
 * Recomputes digests with the current key. Digests of unreadable or erased phones stay valid while
 * their key is configured.
 */
export async function rotatePhoneDigests(deps: {
  db: Sql;
  secrets: SecretBox;
}): Promise<{ rotated: number; current: number; unreadable: number }> {
  const { db, secrets } = deps;
  const count = { rotated: 0, current: 0, unreadable: 0 };
  let after = '00000000-0000-0000-0000-000000000000';

  for (;;) {
    const rows = await db.db
      .selectFrom('compensation_client as client')
      .innerJoin('personal_data as data', 'data.id', 'client.personalDataId')
      .select(['client.id', 'client.phoneDigest', 'client.personalDataId', 'data.dataEncrypted'])
      .where('client.id', '>', after)
      .where('client.phoneDigest', 'is not', null)
      .orderBy('client.id')
      .limit(ROWS_PER_BATCH)
      .execute();

    const stale = rows.filter((row) => secrets.isStale(row.phoneDigest ?? ''));
    const readable = stale.filter((row) => secrets.canOpen(row.dataEncrypted));
    count.current += rows.length - stale.length;
    count.unreadable += stale.length - readable.length;
    const phones = await readPersonal<{ phone: string }>(
      db,
      deps,
      readable.map((row) => row.personalDataId!),
    );

    for (const row of readable) {
      const phone = phones.get(row.personalDataId!)?.phone;
      if (phone === undefined) continue;
      const { numUpdatedRows } = await db.db
        .updateTable('compensation_client')
        .set({ phoneDigest: phoneDigest(deps, phone) })
        .where('id', '=', row.id)
        // Keeps a digest that was changed concurrently.
        .where('phoneDigest', '=', row.phoneDigest)
        .executeTakeFirst();

      count[numUpdatedRows > 0n ? 'rotated' : 'current'] += 1;
    }

    if (rows.length < ROWS_PER_BATCH) return count;
    after = rows.at(-1)!.id;
  }
}
