import { sql } from 'kysely';
import type { ErpFailure } from '../../../erp/failure.ts';
import { anyOf, type Database, type Sql } from '../../../platform/db/database.ts';
import { raiseNotification, resolveNotifications } from '../../notifications/raise-notification.ts';
import type { Job } from '../rules/jobs.ts';

/** `externalMenuId` is set only for MENU. */
export type RefusedImport = { connectionId: number; job: Job | 'ORDERS'; externalMenuId?: number };

const [KIND, SUBJECT] = ['ORGANIZATION_REFUSED', 'organization'] as const;
const menuOf = ({ externalMenuId = 0 }: RefusedImport): number => externalMenuId;

/** Returns the organizations that the ERP rejected at the last request, oldest first. */
export async function refusedOrganizations(
  { db }: Sql,
  of: RefusedImport,
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('refused_organization as refused')
    .innerJoin('served_organization as organization', 'organization.id', 'refused.organizationId')
    .select('refused.organizationId as id')
    .where('organization.connectionId', '=', of.connectionId)
    .where('refused.job', '=', of.job)
    .where('refused.externalMenuId', '=', menuOf(of))
    .orderBy('refused.askedAt')
    .orderBy('id')
    .execute();

  return rows.map(({ id }) => id);
}

/**
 * Records rejected organizations and, unless all are rejected, notifies administrators (MIR-67).
 * Idempotent.
 */
export async function recordRefusedOrganizations(
  database: Database,
  of: RefusedImport,
  refused: readonly { id: number; failure: ErpFailure }[],
  { notifies = true }: { notifies?: boolean } = {},
): Promise<void> {
  if (refused.length === 0) return;
  await database.transaction(async (tx) => {
    for (const { id, failure } of refused) {
      const status = failure.status ?? null;
      const row = {
        organizationId: id,
        job: of.job,
        externalMenuId: menuOf(of),
        status,
        endpoint: failure.endpoint,
      };

      const { isNew } = await tx.db
        .insertInto('refused_organization')
        .values(row)
        .onConflict((conflict) =>
          conflict.columns(['organizationId', 'job', 'externalMenuId']).doUpdateSet({
            // A time-out does not change the stored rejection.
            status: sql`coalesce(excluded.status, refused_organization.status)`,
            endpoint: failure.endpoint,
            askedAt: sql<Date>`now()`,
          }),
        )
        .returning(sql<boolean>`xmax = 0`.as('isNew'))
        .executeTakeFirstOrThrow();
      if (notifies && (isNew || !(await isNotified(tx, id))))
        await notifyRefused(tx, of.connectionId, id);
    }
  });
}

async function isNotified({ db }: Sql, id: number): Promise<boolean> {
  const open = await db
    .selectFrom('notification')
    .select('id')
    .where('kind', '=', KIND)
    .where('subjectType', '=', SUBJECT)
    .where('subjectId', '=', String(id))
    .where('resolvedAt', 'is', null)
    .executeTakeFirst();

  return open !== undefined;
}

async function notifyRefused(tx: Sql, connectionId: number, id: number): Promise<void> {
  const rows = await tx.db
    .selectFrom('refused_organization as refused')
    .innerJoin('mirror_organization as organization', 'organization.id', 'refused.organizationId')
    .select(['organization.name', 'organization.erpId', 'refused.job', 'refused.status'])
    .where('refused.organizationId', '=', id)
    .orderBy('refused.job')
    .execute();

  const [first] = rows;
  if (first === undefined) return;
  const jobs = Object.fromEntries(rows.map(({ job, status }) => [job, status]));
  const details = { connectionId, organizationErpId: first.erpId, name: first.name, jobs };
  await raiseNotification(tx, { kind: KIND, subjectType: SUBJECT, subjectId: id, details });
}

/** Deletes the rejections of organizations that this import has read, in its transaction. */
export async function forgetRefusedOrganizations(
  tx: Sql,
  of: RefusedImport,
  ids: readonly number[],
): Promise<void> {
  const organizations = await tx.db
    .deleteFrom('refused_organization')
    .where('organizationId', '=', anyOf(ids))
    .where('job', '=', of.job)
    .where('externalMenuId', '=', menuOf(of))
    .returning('organizationId as id')
    .execute();

  await settleRefused(tx, organizations);
}

/** Deletes the rejections of organizations that are no longer imported. */
export async function forgetUnservedOrganizations(tx: Sql, connectionId: number): Promise<void> {
  const organizations = await tx.db
    .deleteFrom('refused_organization')
    .where('organizationId', 'in', (eb) =>
      eb
        .selectFrom('mirror_organization')
        .select('id')
        .where('connectionId', '=', connectionId)
        .where('inactiveAt', 'is not', null),
    )
    .returning('organizationId as id')
    .execute();

  await settleRefused(tx, organizations);
}

async function settleRefused(tx: Sql, organizations: readonly { id: number }[]): Promise<void> {
  if (organizations.length === 0) return;
  const still = await tx.db
    .selectFrom('refused_organization')
    .select('organizationId as id')
    .where('organizationId', '=', anyOf(organizations.map(({ id }) => id)))
    .execute();

  const open = new Set(still.map(({ id }) => id));
  await resolveNotifications(
    tx,
    KIND,
    SUBJECT,
    organizations.flatMap(({ id }) => (open.has(id) ? [] : [id])),
  );
}
