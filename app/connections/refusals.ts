import type { Refusal } from '../../erp/ports.ts';
import type { Database, Sql } from '../database.ts';
import { raiseNotification, resolveNotification } from '../notifications/raise-notification.ts';

const SUBJECT = 'connection';

/** Raises the notification that the ERP refuses the connection; a connection has at most one open one, whatever is refused. */
export async function reportRefusal(
  tx: Sql,
  connectionId: number,
  details: { endpoint: string; status: number },
): Promise<void> {
  await raiseNotification(tx, { kind: 'CREDENTIALS_REFUSED', subjectType: SUBJECT, subjectId: connectionId, details });
}

/** Resolves the notification unless an endpoint still refuses the connection; returns the endpoints that do. */
export async function clearRefusals(tx: Sql, connectionId: number): Promise<Refusal[]> {
  const refusals = await tx.query<Refusal>(
    'select endpoint, generation, status from erp_refusal where connection_id = $1',
    [connectionId],
  );
  if (refusals.length === 0) await resolveNotification(tx, 'CREDENTIALS_REFUSED', SUBJECT, connectionId);
  return refusals;
}

/** Records that an endpoint refuses the connection and notifies administrators. A second call records the same again. */
export async function recordRefusal(db: Database, connectionId: number, refusal: Refusal): Promise<void> {
  const { endpoint, generation, status } = refusal;
  await db.transaction(async (tx) => {
    await tx.query(
      `insert into erp_refusal (connection_id, endpoint, generation, status) values ($1, $2, $3, $4)
       on conflict (connection_id, endpoint) do update
         set generation = excluded.generation, status = excluded.status, refused_at = now()`,
      [connectionId, endpoint, generation, status],
    );
    await reportRefusal(tx, connectionId, { endpoint, status });
  });
}

/** Forgets the refusal of an endpoint that has answered. A second call changes nothing. */
export async function forgetRefusal(db: Database, connectionId: number, endpoint: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query('delete from erp_refusal where connection_id = $1 and endpoint = $2', [connectionId, endpoint]);
    await clearRefusals(tx, connectionId);
  });
}

/** Forgets everything the ERP has done to the credential: a new one, or another try, begins with nothing against it. */
export async function forgetAllRefusals(tx: Sql, connectionId: number): Promise<void> {
  for (const table of ['erp_refusal', 'erp_circuit', 'erp_hold'])
    await tx.query(`delete from ${table} where connection_id = $1`, [connectionId]);
  await tx.query(
    `update erp_token set token_encrypted = null, expires_at = null, lease_owner = null, lease_until = null, refused_at = null
      where connection_id = $1`,
    [connectionId],
  );
  await resolveNotification(tx, 'CREDENTIALS_REFUSED', SUBJECT, connectionId);
}
