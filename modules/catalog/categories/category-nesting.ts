import { sql } from 'kysely';
import { advisory } from '../../../platform/db/locks.ts';
import type { CategoryTreeNode } from '../schemas/catalog-requests.ts';
import { invalidField } from '../../../kernel/problem.ts';
import {
  MAX_CATEGORY_LEVELS,
  nestingFaults,
  type NestingFault,
  type Parents,
} from '../rules/category-tree.ts';
import type { Sql } from '../../../platform/db/database.ts';

/**
 * Call this before reading the tree: two concurrent moves that are valid alone can form a cycle.
 */
export async function lockCategoryTree(tx: Sql): Promise<void> {
  await advisory.categoryTree(tx);
}

export function readNodes({ db }: Sql): Promise<CategoryTreeNode[]> {
  return db
    .selectFrom('catalog_category')
    .select(['id', 'parentId', 'position'])
    .where('archivedAt', 'is', null)
    .orderBy('id')
    .execute();
}

/** Excludes archived categories. */
export async function readParents(tx: Sql): Promise<Map<number, number | null>> {
  return new Map((await readNodes(tx)).map(({ id, parentId }) => [id, parentId]));
}

/** The codes come from `FIELD_CODES`. */
export const NESTING_MESSAGES: Readonly<
  Record<NestingFault['fault'], { code: string; message: string }>
> = {
  UNKNOWN_PARENT: { code: 'not_found', message: 'No such category.' },
  CYCLE: { code: 'cycle', message: 'A category cannot be nested in itself.' },
  TOO_DEEP: { code: 'too_deep', message: `Categories nest at most ${MAX_CATEGORY_LEVELS} levels.` },
};

/** Throws `validation` on `parentId`. */
export function requireNesting(parents: Parents): void {
  const [first] = nestingFaults(parents);
  if (first === undefined) return;
  const { code, message } = NESTING_MESSAGES[first.fault];
  throw invalidField('parentId', code, message);
}

export async function lastPosition({ db }: Sql, parentId: number | null): Promise<number> {
  const { next } = await db
    .selectFrom('catalog_category')
    .select(sql<number>`coalesce(max(position) + 1, 0)`.as('next'))
    .where('parentId', 'is not distinct from', parentId)
    .where('archivedAt', 'is', null)
    .executeTakeFirstOrThrow();

  return next;
}
