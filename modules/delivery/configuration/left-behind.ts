import { sql } from 'kysely';
import { ORDERING_PARTS } from '../schemas/hours.ts';
import { anyOf, type Database, type Sql } from '../../../platform/db/database.ts';
import { raiseNotification, resolveNotifications } from '../../notifications/raise-notification.ts';

const KIND = 'ORDERING_LEFT_BEHIND';
const SUBJECT = 'organization';

const isConfigured = (alias: 'organization' | 'earlier') => {
  const id = sql.ref(`${alias}.id`);
  return sql<boolean>`(exists (select 1 from ordering_config where organization_id = ${id})
    or exists (select 1 from ordering_schedule where organization_id = ${id}))`;
};

/**
 * Notifies staff about organizations that moved to another connection without their settings
 * (FUL-49).
 */
export function tellLeftBehind(db: Database, organizationIds: readonly number[]): Promise<void> {
  return db.transaction(async (tx) => {
    const rows = await leftBehind(tx, organizationIds);

    for (const { id, name, erpId, earlierId } of rows)
      await raiseNotification(tx, {
        kind: KIND,
        subjectType: SUBJECT,
        subjectId: id,
        details: {
          organization: name,
          organizationErpId: erpId,
          fromOrganizationId: earlierId,
          command: {
            call: `POST /api/admin/v1/organizations/${id}/copy-ordering`,
            body: { fromOrganizationId: earlierId, parts: ORDERING_PARTS, mode: 'APPLY' },
          },
        },
      });

    const openIds = new Set(rows.map((row) => row.id));
    await resolveLeftBehind(
      tx,
      (await underSameUuid(tx, organizationIds)).filter((id) => !openIds.has(id)),
    );
  });
}

export const resolveLeftBehind = (tx: Sql, organizationIds: readonly number[]): Promise<void> =>
  resolveNotifications(tx, KIND, SUBJECT, organizationIds);

/** After a move back, the row in the other connection may have the notification. */
async function underSameUuid({ db }: Sql, organizationIds: readonly number[]): Promise<number[]> {
  const rows = await db
    .selectFrom('mirror_organization as own')
    .innerJoin('mirror_organization as each', 'each.erpId', 'own.erpId')
    .select('each.id')
    .where('own.id', '=', anyOf(organizationIds))
    .execute();

  return rows.map(({ id }) => id);
}

/** Selects unconfigured organizations that have a configured row in another connection. */
async function leftBehind({ db }: Sql, organizationIds: readonly number[]) {
  return db
    .selectFrom('served_organization as organization')
    .innerJoin('mirror_organization as earlier', (join) =>
      join
        .onRef('earlier.erpId', '=', 'organization.erpId')
        .onRef('earlier.connectionId', '<>', 'organization.connectionId'),
    )
    .select([
      'organization.id',
      'organization.name',
      'organization.erpId',
      'earlier.id as earlierId',
    ])
    .distinctOn('organization.id')
    .where('organization.id', '=', anyOf(organizationIds))
    .where(isConfigured('earlier'))
    .where((eb) => eb.not(isConfigured('organization')))
    .orderBy('organization.id')
    .orderBy('earlier.id', 'desc')
    .execute();
}
