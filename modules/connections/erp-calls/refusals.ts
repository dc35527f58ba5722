import { sql } from 'kysely';
import type { Refusal } from '../../../erp/ports.ts';
import type { Database, Sql } from '../../../platform/db/database.ts';
import { raiseNotification, resolveNotification } from '../../notifications/raise-notification.ts';

const SUBJECT = 'connection';

/** Notifies administrators of a rejected connection, once for all endpoints. */
export async function reportRefusal(
  tx: Sql,
  connectionId: number,
  details: { endpoint: string; status: number },
): Promise<void> {
  await raiseNotification(tx, {
    kind: 'CREDENTIALS_REFUSED',
    subjectType: SUBJECT,
    subjectId: connectionId,
    details,
  });
}

/**
 * Resolves the notification unless some endpoints still reject the connection. Returns these
 * endpoints.
 */
export async function clearRefusals(tx: Sql, connectionId: number): Promise<Refusal[]> {
  const refusals = await tx.db
    .selectFrom('erp_refusal')
    .select(['endpoint', 'generation', 'status'])
    .where('connectionId', '=', connectionId)
    .execute();
  if (refusals.length === 0)
    await resolveNotification(tx, 'CREDENTIALS_REFUSED', SUBJECT, connectionId);

  return refusals;
}

/** Records a rejection and notifies administrators. Idempotent. */
export async function recordRefusal(
  db: Database,
  connectionId: number,
  refusal: Refusal,
): Promise<void> {
  const { endpoint, generation, status } = refusal;
  await db.transaction(async (tx) => {
    await tx.db
      .insertInto('erp_refusal')
      .values({ connectionId, endpoint, generation, status })
      .onConflict((conflict) =>
        conflict.columns(['connectionId', 'endpoint']).doUpdateSet((eb) => ({
          generation: eb.ref('excluded.generation'),
          status: eb.ref('excluded.status'),
          refusedAt: sql<Date>`now()`,
        })),
      )
      .execute();

    await reportRefusal(tx, connectionId, { endpoint, status });
  });
}

/** Deletes the rejection of an endpoint that has accepted a request. Idempotent. */
export async function forgetRefusal(
  db: Database,
  connectionId: number,
  endpoint: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.db
      .deleteFrom('erp_refusal')
      .where('connectionId', '=', connectionId)
      .where('endpoint', '=', endpoint)
      .execute();

    await clearRefusals(tx, connectionId);
  });
}

export async function forgetAllRefusals(tx: Sql, connectionId: number): Promise<void> {
  await tx.db.deleteFrom('erp_refusal').where('connectionId', '=', connectionId).execute();
  await tx.db.deleteFrom('erp_circuit').where('connectionId', '=', connectionId).execute();
  await tx.db.deleteFrom('erp_hold').where('connectionId', '=', connectionId).execute();
  await tx.db
    .updateTable('erp_token')
    .set({
      tokenEncrypted: null,
      expiresAt: null,
      leaseOwner: null,
      leaseUntil: null,
      refusedAt: null,
    })
    .where('connectionId', '=', connectionId)
    .execute();

  await resolveNotification(tx, 'CREDENTIALS_REFUSED', SUBJECT, connectionId);
}
