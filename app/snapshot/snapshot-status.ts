import type { SnapshotStatus } from '../../contracts/snapshot.ts';
import type { Sql } from '../../db/database.ts';
import { readPin } from './pin-row.ts';
import { requireOrganization } from './revisions.ts';

/** The state of one restaurant's menu. Problem `not-found`. */
export async function getSnapshotStatus(sql: Sql, organizationId: number): Promise<SnapshotStatus> {
  await requireOrganization(sql, organizationId);
  const [row] = await sql.query<Omit<SnapshotStatus, 'pin'>>(
    `select o.id as "organizationId", s.revision, s.generated_at as "publishedAt", s.patched_at as "patchedAt",
            s.product_count as "productCount", length(s.payload) as bytes,
            case when r.dirty_seq > r.built_seq then r.dirty_at end as "pendingSince",
            case when r.dirty_seq > r.built_seq then r.reason end as "pendingReason", r.too_large_bytes as "tooLargeBytes"
       from mirror_organization o left join snapshot s on s.organization_id = o.id
       left join snapshot_request r on r.organization_id = o.id where o.id = $1`,
    [organizationId],
  );
  if (row === undefined) throw new Error(`organization ${organizationId} has no row`);
  return { ...row, pin: (await readPin(sql, organizationId)) ?? null };
}
