import { sql } from 'kysely';
import type { SecretBox } from '../../../platform/secrets.ts';
import { readPersonal } from '../../access/customers/personal-data.ts';
import type { Sql } from '../../../platform/db/database.ts';

/** `phone` has the format +79990001122. */
export type MissedHistory = { clientId: string; phone: string; from: Date; to: Date };

/**
 * Records periods for clients with a phone and an unused right, and joins them (rule CMP-68).
 * Idempotent.
 */
export async function noteMissedHistory(
  { db }: Sql,
  connectionId: number,
  { from, to }: { from: Date; to: Date },
): Promise<void> {
  await sql`
    insert into client_history (client_id, connection_id, orders_from, orders_to)
    select id, connection_id, ${from}::timestamptz, ${to}::timestamptz from compensation_client client
     where connection_id = ${connectionId} and personal_data_id is not null
       and exists (select from compensation held where held.client_id = client.id and held.status in ('GRANTED', 'RESERVED', 'BLOCKED'))
     order by id
    on conflict (client_id) do update set orders_from = least(client_history.orders_from, excluded.orders_from),
      orders_to = greatest(client_history.orders_to, excluded.orders_to), asked_at = null`.execute(
    db,
  );
}

/** Returns the next clients. Clients without an attempt are first. */
export async function nextMissedHistories(
  from: Sql,
  deps: { secrets: SecretBox },
  connectionId: number,
  limit: number,
): Promise<MissedHistory[]> {
  const rows = await from.db
    .selectFrom('client_history as history')
    .innerJoin('compensation_client as client', 'client.id', 'history.clientId')
    .select([
      'history.clientId',
      'client.personalDataId',
      'history.ordersFrom as from',
      'history.ordersTo as to',
    ])
    .where('history.connectionId', '=', connectionId)
    .orderBy('history.askedAt', (order) => order.asc().nullsFirst())
    .orderBy('history.clientId')
    .limit(limit)
    .execute();

  const existing = await readPersonal<{ phone: string }>(
    from,
    deps,
    rows.flatMap((row) => row.personalDataId ?? []),
  );

  return rows.map(({ personalDataId, ...row }) => ({
    ...row,
    phone: existing.get(personalDataId ?? '')?.phone ?? '',
  }));
}

/** Deletes a history that was read, or that cannot be read. */
export async function endMissedHistory({ db }: Sql, clientId: string): Promise<void> {
  await db.deleteFrom('client_history').where('clientId', '=', clientId).execute();
}

/** Moves a client to the end of the queue. */
export async function postponeMissedHistory({ db }: Sql, clientId: string): Promise<void> {
  await db
    .updateTable('client_history')
    .set({ askedAt: sql<Date>`now()` })
    .where('clientId', '=', clientId)
    .execute();
}

/** Adds the missed history of a merged client. */
export async function takeHistoryOver(
  { db }: Sql,
  clients: { from: string; to: string },
): Promise<void> {
  await sql`
    insert into client_history (client_id, connection_id, orders_from, orders_to)
    select ${clients.to}::uuid, connection_id, orders_from, orders_to from client_history where client_id = ${clients.from}::uuid
    on conflict (client_id) do update set orders_from = least(client_history.orders_from, excluded.orders_from),
      orders_to = greatest(client_history.orders_to, excluded.orders_to), asked_at = null`.execute(
    db,
  );
}
