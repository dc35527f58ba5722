import { erpIdsOfOrganizations } from '../../../modules/mirror/organization-of-uuid.ts';
import { Problem } from '../../../kernel/problem.ts';
import type { Restaurants, RowRestaurants, Scope } from '../../../kernel/scope.ts';
import type { Deps } from '../../deps.ts';
import { organizationReader, type NamedOrganizations } from '../input/organization-id.ts';
import type { AnyRequest, Route, UserActor } from '../route.ts';

/**
 * Limits callers of the admin API to their restaurants (rule ACC-61). Lists are filtered by the
 * same scope.
 */

type Sent = Pick<AnyRequest, 'params' | 'query' | 'body'>;

export function requireChain(
  { restaurants }: Pick<Route, 'restaurants'>,
  actor: UserActor | null,
): void {
  if (restaurants === 'CHAIN' && isLimited(actor)) throw concernsChain();
}

/**
 * Throws `not-found` for restaurants that are unknown or out of scope, and `forbidden` for changes
 * of chain-wide objects.
 */
export function restaurantCheck(
  route: Pick<Route, 'method' | 'params' | 'query' | 'body' | 'restaurants'>,
): (actor: UserActor | null, sent: Sent, deps: Deps) => Promise<void> {
  const readers = [
    organizationReader(route.params),
    organizationReader(route.query),
    organizationReader(route.body),
  ] as const;

  return async (actor, sent, deps) => {
    if (!isLimited(actor)) return;
    const parts = [sent.params, sent.query, sent.body].map((part, at) => readers[at]!(part));
    const named = {
      ids: parts.flatMap(({ ids }) => ids),
      isForChain: parts.some((part) => part.isForChain),
    };

    requireNamed(route, named, actor.scope);
    if (typeof route.restaurants !== 'function') return;
    requireRows(route, await route.restaurants(sent as AnyRequest, deps), actor.scope);
  };
}

function requireNamed(
  { restaurants }: Pick<Route, 'restaurants'>,
  { ids, isForChain }: NamedOrganizations,
  scope: readonly number[],
): void {
  if (ids.some((id) => !scope.includes(id))) throw notYours();
  if (isForChain || (restaurants === 'NAMED' && ids.length === 0)) throw concernsChain();
}

/** Chain-wide rows are readable for limited callers. Rows of others are `not-found`. */
function requireRows(
  { method }: Pick<Route, 'method'>,
  of: RowRestaurants,
  scope: readonly number[],
): void {
  const isOwn = (id: number): boolean => scope.includes(id);
  const rows = typeof of === 'object' && of !== null && 'each' in of ? of.each : [of];

  if (!rows.every((owners) => owners === null || owners?.some(isOwn) === true)) throw notYours();
  if (method !== 'GET' && !rows.every((owners: Restaurants) => owners?.every(isOwn) === true))
    throw concernsChain();
}

/**
 * Removes other restaurants from lists, and counts them in `otherOrganizations` (rule ACC-64).
 * Throws an Error (500) if the whole response or an item of its page is out of scope, a fault of
 * the handler.
 */
export async function answerInScope(
  body: unknown,
  actor: UserActor | null,
  { db }: Pick<Deps, 'db'>,
): Promise<unknown> {
  if (!isLimited(actor) || typeof body !== 'object' || body === null) return body;
  const own = new Set<unknown>([...actor.scope, ...(await erpIdsOfOrganizations(db, actor.scope))]);
  const { items } = body as { items?: unknown };
  if (
    belongsTo(body, own) === false ||
    (Array.isArray(items) && items.some((item) => belongsTo(item, own) === false))
  )
    throw new Error('An answer shows a restaurant outside the scope of its caller');

  return pruned(body, own);
}

const NAMES = ['organizationId', 'organizationErpId', 'organization'] as const;

function belongsTo(value: unknown, own: ReadonlySet<unknown>): boolean | undefined {
  if (typeof value !== 'object' || value === null) return undefined;

  for (const name of NAMES) {
    const named = (value as Record<string, unknown>)[name];
    const id = typeof named === 'object' && named !== null ? (named as { id?: unknown }).id : named;
    if (typeof id === 'number' || (typeof id === 'string' && name !== 'organization'))
      return own.has(id);
  }

  return undefined;
}

function pruned(value: unknown, own: ReadonlySet<unknown>): unknown {
  if (Array.isArray(value))
    return value
      .filter((item) => belongsTo(item, own) !== false)
      .map((item: unknown) => pruned(item, own));

  // Dates and other class instances count as values.
  if (
    typeof value !== 'object' ||
    value === null ||
    Object.getPrototypeOf(value) !== Object.prototype
  )
    return value;

  const shown = Object.fromEntries(
    Object.entries(value).map(([field, member]: [string, unknown]) => [
      field,
      Array.isArray(member) && LISTS.includes(field)
        ? member.filter((id) => own.has(id))
        : pruned(member, own),
    ]),
  );

  return 'otherOrganizations' in shown
    ? { ...shown, otherOrganizations: lengthOf(value) - lengthOf(shown) }
    : shown;
}

const lengthOf = ({ organizationIds }: { organizationIds?: unknown }): number =>
  Array.isArray(organizationIds) ? organizationIds.length : 0;

const LISTS = ['organizationIds', 'organizationErpIds', 'missingAt'];

function isLimited(actor: UserActor | null): actor is UserActor & { scope: NonNullable<Scope> } {
  return actor !== null && actor.scope !== null;
}

const notYours = () => new Problem('not-found', { detail: 'Not found among your restaurants.' });

const concernsChain = () =>
  new Problem('forbidden', {
    detail: 'Your access is limited to restaurants, and this concerns the whole chain.',
  });
