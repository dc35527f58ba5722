import { invalidField } from '../../contracts/problem.ts';
import {
  MAX_CATEGORY_LEVELS,
  nestingFaults,
  type NestingFault,
  type Parents,
} from '../../domain/catalog/category-tree.ts';
import type { Sql } from '../database.ts';

/**
 * Makes everything that nests categories wait for each other until their transactions end: two moves that are harmless alone
 * can close a circle together. Take it before the tree is read.
 */
export async function lockCategoryTree(tx: Sql): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('catalog/category-tree', 0))`);
}

/** The nesting of all categories that are not archived. */
export async function readParents(sql: Sql): Promise<Map<number, number | null>> {
  const rows = await sql.query<{ id: number; parentId: number | null }>(
    'select id, parent_id as "parentId" from catalog_category where archived_at is null order by id',
  );
  return new Map(rows.map(({ id, parentId }) => [id, parentId]));
}

/** What each fault means to the caller; the code is one of `FIELD_CODES`. */
export const NESTING_MESSAGES: Readonly<Record<NestingFault['fault'], { code: string; message: string }>> = {
  UNKNOWN_PARENT: { code: 'not_found', message: 'No such category.' },
  CYCLE: { code: 'cycle', message: 'A category cannot stand below itself.' },
  TOO_DEEP: { code: 'too_deep', message: `Categories nest at most ${MAX_CATEGORY_LEVELS} levels.` },
};

/** Throws `validation` on the field `parentId` when the tree cannot be stored with this nesting. */
export function requireNesting(parents: Parents): void {
  const [first] = nestingFaults(parents);
  if (first === undefined) return;
  const { code, message } = NESTING_MESSAGES[first.fault];
  throw invalidField('parentId', code, message);
}

/** The position after the last sibling. */
export async function lastPosition(sql: Sql, parentId: number | null): Promise<number> {
  const [row] = await sql.query<{ next: number }>(
    'select coalesce(max(position) + 1, 0) as next from catalog_category where parent_id is not distinct from $1 and archived_at is null',
    [parentId],
  );
  return row?.next ?? 0;
}
