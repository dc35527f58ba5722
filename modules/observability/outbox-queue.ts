import { sql } from 'kysely';
import type { Sql } from '../../platform/db/database.ts';

/** Events that are not delivered yet and still tried; `oldestAgeSeconds` null when there are none. */
export function readOutboxQueue({ db }: Sql): Promise<{ pending: number; oldestAgeSeconds: number | null }> {
  return db
    .selectFrom('outbox')
    .select((eb) => [
      eb.fn.countAll<number>().as('pending'),
      sql<number | null>`extract(epoch from now() - min(created_at))::double precision`.as('oldestAgeSeconds'),
    ])
    .where('deliveredAt', 'is', null)
    .where('parkedAt', 'is', null)
    .executeTakeFirstOrThrow();
}
