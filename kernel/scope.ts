import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely';

/** Visible restaurants, null for all (ACC-61). */
export type Scope = readonly number[] | null;

/** Null: the whole chain. Undefined: no such row. */
export type Restaurants = readonly number[] | null | undefined;

export type RowRestaurants = Restaurants | { each: readonly Restaurants[] };

/** A null organization is not in a scope. */
export function inScope(
  organizationId: Expression<number | null>,
  scope: Scope,
): RawBuilder<SqlBool> {
  if (scope === null) return sql<SqlBool>`true`;
  return sql<SqlBool>`coalesce(${organizationId} = any (${scope}::bigint[]), false)`;
}

/** A null organization is in every scope. */
export function inScopeOrChain(
  organizationId: Expression<number | null>,
  scope: Scope,
): RawBuilder<SqlBool> {
  if (scope === null) return sql<SqlBool>`true`;
  return sql<SqlBool>`coalesce(${organizationId} = any (${scope}::bigint[]), true)`;
}

/** Null organizations are in every scope. */
export function sharesScope(
  organizationIds: Expression<readonly number[] | null>,
  scope: Scope,
): RawBuilder<SqlBool> {
  if (scope === null) return sql<SqlBool>`true`;
  return sql<SqlBool>`coalesce(${organizationIds} && ${scope}::bigint[], true)`;
}
