import { sql } from 'kysely';
import { MENU_MAX_BYTES } from '../schemas/menu.ts';
import type { SnapshotStatus } from '../schemas/snapshot.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { allParts, menuParts } from '../rules/snapshot/menu-parts.ts';
import { parsePublished } from '../rules/snapshot/payload.ts';
import { readLeftOut } from './snapshot-row.ts';
import { readPin } from './pin-row.ts';
import { requireOrganization } from './revisions.ts';

const IS_PENDING = sql<boolean>`request.dirty_seq > request.built_seq`;

export type SnapshotSummary = Omit<SnapshotStatus, 'parts' | 'leftOut'>;

/** Includes the bytes of the menu's parts. Problem `not-found`. */
export async function getSnapshotStatus(tx: Sql, organizationId: number): Promise<SnapshotStatus> {
  const summary = await getSnapshotSummary(tx, organizationId);
  const snapshot = await tx.db
    .selectFrom('snapshot')
    .select(['payload', 'leftOut'])
    .where('organizationId', '=', organizationId)
    .executeTakeFirst();
  if (snapshot === undefined) return { ...summary, parts: null, leftOut: [] };

  return {
    ...summary,
    parts: menuParts(parsePublished(snapshot.payload.toString('utf8'))),
    leftOut: [...(readLeftOut(snapshot.leftOut)?.fields ?? [])],
  };
}

/** Does not read the payload. Problem `not-found`. */
export async function getSnapshotSummary(
  tx: Sql,
  organizationId: number,
): Promise<SnapshotSummary> {
  await requireOrganization(tx, organizationId);
  const row = await tx.db
    .selectFrom('mirror_organization as organization')
    .leftJoin('snapshot', 'snapshot.organizationId', 'organization.id')
    .leftJoin('snapshot_request as request', 'request.organizationId', 'organization.id')
    .select([
      'organization.id as organizationId',
      'snapshot.revision',
      'snapshot.generatedAt as publishedAt',
      'snapshot.patchedAt',
      'snapshot.productCount',
      sql<number | null>`length(snapshot.payload)`.as('bytes'),
      sql<Date | null>`case when ${IS_PENDING} then request.dirty_at end`.as('pendingSince'),
      sql<string | null>`case when ${IS_PENDING} then request.reason end`.as('pendingReason'),
      'request.tooLargeBytes',
      'request.tooLargeParts',
    ])
    .where('organization.id', '=', organizationId)
    .executeTakeFirstOrThrow();

  const tooLargeParts = row.tooLargeParts === null ? null : allParts(row.tooLargeParts);

  return {
    ...row,
    tooLargeParts,
    limitBytes: MENU_MAX_BYTES,
    pin: (await readPin(tx, organizationId)) ?? null,
  };
}

export type SnapshotState = {
  organizationId: number;
  menuRevision: number | null;
  menuBuiltAt: Date | null;
  /** Null while the menu is current. */
  menuDirtySince: Date | null;
};

/** Returns published and pending menus without payloads. */
export function snapshotStates({ db }: Sql): Promise<SnapshotState[]> {
  return db
    .selectFrom('snapshot')
    .fullJoin('snapshot_request as request', 'request.organizationId', 'snapshot.organizationId')
    .select([
      sql<number>`coalesce(snapshot.organization_id, request.organization_id)`.as('organizationId'),
      'snapshot.revision as menuRevision',
      'snapshot.generatedAt as menuBuiltAt',
      sql<Date | null>`case when ${IS_PENDING} then request.dirty_at end`.as('menuDirtySince'),
    ])
    .execute();
}
