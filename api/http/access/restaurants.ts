import { erpIdsOfOrganizations } from '../../../modules/mirror/organization-of-uuid.ts';
import { Problem } from '../../../kernel/problem.ts';
import type { Restaurants, Scope } from '../../../kernel/scope.ts';
import type { Deps } from '../../deps.ts';
import { organizationReader, type NamedOrganizations } from '../input/organization-id.ts';
import type { AnyRequest, Route, UserActor } from '../route.ts';

/**
 * Callers of the admin API who are limited to restaurants (rule ACC-61). This is the only place
 * that compares a request and its answer with the limit; lists filter by the same scope.
 */

/** The parts of a request that can name restaurants. */
type Sent = Pick<AnyRequest, 'params' | 'query' | 'body'>;

/** Throws `forbidden` if an operation concerns the whole chain and the caller is limited. */
export function requireChain({ restaurants }: Pick<Route, 'restaurants'>, actor: UserActor | null): void {
  if (restaurants === 'CHAIN' && isLimited(actor)) throw concernsChain();
}

/**
 * Checks the restaurants of a valid request before its handler runs. Throws `not-found` if it names
 * another one than those of the caller, as it does for one that does not exist, and `forbidden` for
 * a change of what applies to the whole chain.
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
    const named = { ids: parts.flatMap(({ ids }) => ids), isForChain: parts.some((part) => part.isForChain) };
    requireNamed(route, named, actor.scope);
    if (typeof route.restaurants !== 'function') return;
    requireRow(route, await route.restaurants(sent as AnyRequest, deps), actor.scope);
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

/** A row of the chain may be read, and changed only by callers without a limit. */
function requireRow({ method }: Pick<Route, 'method'>, owners: Restaurants, scope: readonly number[]): void {
  if (owners === undefined) throw notYours();
  if (owners !== null && !owners.some((id) => scope.includes(id))) throw notYours();
  if (method !== 'GET' && (owners === null || owners.some((id) => !scope.includes(id)))) throw concernsChain();
}

/**
 * The answer as a limited caller may see it: lists inside it without other restaurants. Throws an
 * error, which is answered 500, if the answer itself or an item of its page is about another one:
 * the handler has ignored the scope.
 */
export async function answerInScope(
  body: unknown,
  actor: UserActor | null,
  { db }: Pick<Deps, 'db'>,
): Promise<unknown> {
  if (!isLimited(actor) || typeof body !== 'object' || body === null) return body;
  const own = new Set<unknown>([...actor.scope, ...(await erpIdsOfOrganizations(db, actor.scope))]);
  const { items } = body as { items?: unknown };
  if (isOf(body, own) === false || (Array.isArray(items) && items.some((item) => isOf(item, own) === false)))
    throw new Error('An answer shows a restaurant outside the scope of its caller');
  return pruned(body, own);
}

/** Fields of answers that name one restaurant, by its number or the id of the ERP. */
const NAMES = ['organizationId', 'organizationErpId', 'organization'] as const;

/** Undefined for a value that names no restaurant. */
function isOf(value: unknown, own: ReadonlySet<unknown>): boolean | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const name of NAMES) {
    const named = (value as Record<string, unknown>)[name];
    const id = typeof named === 'object' && named !== null ? (named as { id?: unknown }).id : named;
    if (typeof id === 'number' || (typeof id === 'string' && name !== 'organization')) return own.has(id);
  }
  return undefined;
}

function pruned(value: unknown, own: ReadonlySet<unknown>): unknown {
  if (Array.isArray(value))
    return value.filter((item) => isOf(item, own) !== false).map((item: unknown) => pruned(item, own));
  // Dates and other objects of classes have no members of an answer.
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, member]: [string, unknown]) => [
      field,
      Array.isArray(member) && LISTS.includes(field) ? member.filter((id) => own.has(id)) : pruned(member, own),
    ]),
  );
}

/** Fields of answers that list restaurants. */
const LISTS = ['organizationIds', 'organizationErpIds', 'missingAt'];

function isLimited(actor: UserActor | null): actor is UserActor & { scope: NonNullable<Scope> } {
  return actor !== null && actor.scope !== null;
}

const notYours = () => new Problem('not-found', { detail: 'Not found among your restaurants.' });

const concernsChain = () =>
  new Problem('forbidden', {
    detail: 'Your access is limited to restaurants, and this concerns the whole chain.',
  });
