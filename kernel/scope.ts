import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely';

/** Restaurants that a caller may see, null for all (ACC-61). */
export type Scope = readonly number[] | null;

/** Restaurants of a row: null for the whole chain, undefined if there is no such row. */
export type Restaurants = readonly number[] | null | undefined;

/** The restaurants of the row of a request, or of each of its rows. */
export type RowRestaurants = Restaurants | { each: readonly Restaurants[] };

/** Returns the condition that a row's organization is in a scope. Null is not. */
export function inScope(
  organizationId: Expression<number | null>,
  scope: Scope,
): RawBuilder<SqlBool> {
  if (scope === null) return sql<SqlBool>`true`;
  return sql<SqlBool>`coalesce(${organizationId} = any (${scope}::bigint[]), false)`;
}

/** Like {@link inScope}, for rows that apply to the whole chain if the organization is null. */
export function inScopeOrChain(
  organizationId: Expression<number | null>,
  scope: Scope,
): RawBuilder<SqlBool> {
  if (scope === null) return sql<SqlBool>`true`;
  return sql<SqlBool>`coalesce(${organizationId} = any (${scope}::bigint[]), true)`;
}

/** Like {@link inScopeOrChain}, for a list of organizations. */
export function sharesScope(
  organizationIds: Expression<readonly number[] | null>,
  scope: Scope,
): RawBuilder<SqlBool> {
  if (scope === null) return sql<SqlBool>`true`;
  return sql<SqlBool>`coalesce(${organizationIds} && ${scope}::bigint[], true)`;
}
