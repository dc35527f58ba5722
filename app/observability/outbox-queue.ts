import type { Sql } from '../database.ts';

/** Events that are not delivered yet and still tried; `oldestAgeSeconds` null when there are none. */
export async function readOutboxQueue(sql: Sql): Promise<{ pending: number; oldestAgeSeconds: number | null }> {
  const [row] = await sql.query<{ pending: number; oldestAgeSeconds: number | null }>(
    `select count(*) as pending, extract(epoch from now() - min(created_at))::double precision as "oldestAgeSeconds"
       from outbox where delivered_at is null and parked_at is null`,
  );
  return row ?? { pending: 0, oldestAgeSeconds: null };
}
