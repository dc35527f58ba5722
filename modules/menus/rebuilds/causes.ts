import { sql } from 'kysely';
import type { Sql } from '../../../platform/db/database.ts';
import type { Row } from '../../../platform/db/row.ts';

/** For changes without a user, such as imports. */
export const NO_USER = 0;

/** `at`: time of the last such change. */
export type Cause = Row<'snapshot_cause', 'source', { userId: number | null; at: string }>;

/**
 * Returns and removes the changes that a menu now contains, latest first (SNP-78). Call `markBuilt`
 * first, which excludes newer changes.
 */
export async function takeCauses(
  { db }: Sql,
  organizationId: number,
  dirtySeq: number,
): Promise<Cause[]> {
  const { rows } = await sql<Cause>`
    with taken as (
      delete from snapshot_cause where organization_id = ${organizationId} and last_seq <= ${dirtySeq}
      returning source, user_id, at),
    kept as (
      update snapshot_cause set first_seq = ${dirtySeq} + 1
       where organization_id = ${organizationId} and first_seq <= ${dirtySeq} and last_seq > ${dirtySeq}
      returning source, user_id, at)
    select source, nullif(user_id, ${NO_USER}) as user_id, to_json(at) #>> '{}' as at
      from (select * from taken union all select * from kept) causes order by causes.at desc, source, user_id`.execute(
    db,
  );

  return rows;
}
