import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely';

/** The restaurants that a caller of the admin API may see; null for all (rule ACC-61). */
export type Scope = readonly number[] | null;

/**
 * The restaurants to which a row applies: null for all of the chain, undefined if there is no such
 * row.
 */
export type Restaurants = readonly number[] | null | undefined;

/** The condition that the organization of a row is in a scope. A row without one is not. */
export function inScope(organizationId: Expression<number | null>, scope: Scope): RawBuilder<SqlBool> {
  if (scope === null) return sql<SqlBool>`true`;
  return sql<SqlBool>`coalesce(${organizationId} = any (${scope}::bigint[]), false)`;
}

/** The same for a row that applies to the whole chain if it names no organization. */
export function inScopeOrChain(organizationId: Expression<number | null>, scope: Scope): RawBuilder<SqlBool> {
  if (scope === null) return sql<SqlBool>`true`;
  return sql<SqlBool>`coalesce(${organizationId} = any (${scope}::bigint[]), true)`;
}

/** The same for a row with a list of organizations, null for the whole chain. */
export function sharesScope(organizationIds: Expression<readonly number[] | null>, scope: Scope): RawBuilder<SqlBool> {
  if (scope === null) return sql<SqlBool>`true`;
  return sql<SqlBool>`coalesce(${organizationIds} && ${scope}::bigint[], true)`;
}
