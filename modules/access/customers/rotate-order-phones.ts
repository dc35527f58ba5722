import type { Sql } from '../../../platform/db/database.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import { readPersonal } from './personal-data.ts';

const ROWS_PER_BATCH = 200;

type Person = { customer?: { phone?: string } };

/**
 * Recomputes phone digests with the current key. Records of earlier releases have no digest yet.
 */
export async function rotateOrderPhones(
  deps: { db: Sql; secrets: SecretBox },
  digestOf: (phone: string) => string,
): Promise<{ rotated: number; current: number; unreadable: number }> {
  const { db, secrets } = deps;
  const count = { rotated: 0, current: 0, unreadable: 0 };
  let after = '00000000-0000-0000-0000-000000000000';

  for (;;) {
    const rows = await db.db
      .selectFrom('personal_data')
      .select(['id', 'phoneDigest', 'dataEncrypted'])
      .where('id', '>', after)
      .where('purpose', '=', 'ORDER')
      .orderBy('id')
      .limit(ROWS_PER_BATCH)
      .execute();

    const stale = rows.filter(
      ({ phoneDigest }) => phoneDigest === null || secrets.isStale(phoneDigest),
    );
    const readable = stale.filter(({ dataEncrypted }) => secrets.canOpen(dataEncrypted));
    count.current += rows.length - stale.length;
    count.unreadable += stale.length - readable.length;
    const people = await readPersonal<Person>(
      db,
      deps,
      readable.map(({ id }) => id),
    );

    for (const { id, phoneDigest } of readable) {
      const phone = people.get(id)?.customer?.phone;
      if (phone === undefined || phone === '') count.current += 1;
      else {
        const { numUpdatedRows } = await db.db
          .updateTable('personal_data')
          .set({ phoneDigest: digestOf(phone) })
          .where('id', '=', id)
          // Keeps a digest that was changed concurrently.
          .where((eb) => eb('phoneDigest', 'is not distinct from', phoneDigest))
          .executeTakeFirst();

        count[numUpdatedRows > 0n ? 'rotated' : 'current'] += 1;
      }
    }

    if (rows.length < ROWS_PER_BATCH) return count;
    after = rows.at(-1)!.id;
  }
}
