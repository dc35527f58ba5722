import { randomUUID } from 'node:crypto';
import type { Menu } from '../model.ts';
import { getSwitches } from '../state.ts';
import type { Context, State } from '../state.ts';
import { failure, ok, stringList } from '../wire.ts';
import type { Answer, Body } from '../wire.ts';
import { emptyAnswer, menuAnswer } from './menu-answer.ts';
import type { MenuRequest } from './menu-answer.ts';

const MAX_ORGANIZATIONS = 10;
/** Number of cached answers, which have 5 MB each. */
const KEPT_ANSWERS = 6;

export function menuList({ state, account }: Context): Answer {
  const menus = [...state.dataset.menus.values()].filter(({ id }) => account.menuIds.includes(id));
  return ok({
    correlationId: randomUUID(),
    externalMenus: menus.map(({ id, name }) => ({ id, name })),
    priceCategories: state.dataset.priceCategories.map(({ id, name }) => ({ id, name })),
  });
}

type Parsed = {
  menu: Menu;
  request: MenuRequest;
  startRevision: number | null;
  asyncMode: boolean;
};

function parse({ state, account }: Context, body: Body): Parsed | string {
  const menu =
    typeof body.externalMenuId === 'string'
      ? state.dataset.menus.get(body.externalMenuId)
      : undefined;
  if (!menu || !account.menuIds.includes(menu.id))
    return 'External menu is not found or not available for this key.';

  const several = stringList(body.organizationIds);
  const strict = several === undefined && typeof body.organizationId === 'string';
  const organizationIds =
    several ?? (typeof body.organizationId === 'string' ? [body.organizationId] : []);
  if (organizationIds.length === 0) return 'At least one organization is required.';
  if (organizationIds.length > MAX_ORGANIZATIONS)
    return `At most ${MAX_ORGANIZATIONS} organizations are allowed.`;
  const unknown = organizationIds.find((id) => !account.organizationIds.includes(id));
  if (unknown !== undefined) return `Organization ${unknown} is not available for this key.`;
  const categoryId = body.priceCategoryId ?? null;
  const category = state.dataset.priceCategories.find(({ id }) => id === categoryId);
  if (categoryId !== null && !category) return 'Price category is not found.';
  const start = body.startRevision ?? null;
  if (start !== null && typeof start !== 'number') return 'startRevision must be a number.';

  return {
    menu,
    request: { organizationIds, strict, priceFactor: category?.factor ?? 1 },
    startRevision: strict ? null : start,
    asyncMode: !strict && body.asyncMode === true,
  };
}

/**
 * Returns the revision of an answer. In the mode of differing revisions, answers without the menu's
 * first organization are one revision behind.
 */
function chooseRevision(state: State, menu: Menu, { organizationIds }: MenuRequest): number {
  const behind =
    getSwitches(state, menu).differingRevisions &&
    !organizationIds.includes(menu.organizationIds[0] ?? '');
  return behind ? menu.revision - 1 : menu.revision;
}

function cached(state: State, key: string, build: () => Buffer): Buffer {
  const answer = state.answers.get(key) ?? build();
  state.answers.delete(key);
  state.answers.set(key, answer);
  const [oldest] = state.answers.keys();
  if (state.answers.size > KEPT_ANSWERS && oldest !== undefined) state.answers.delete(oldest);

  return answer;
}

/** Returns the full menu, cached until something changes. */
export function fullMenu(state: State, menu: Menu, request: MenuRequest): Buffer {
  const revision = chooseRevision(state, menu, request);
  const { unknownOrganization } = getSwitches(state, menu);
  const removed = state.dataset.organizations
    .filter((organization) => organization.removed)
    .map(({ id }) => id);
  const key = JSON.stringify([
    menu.id,
    request,
    revision,
    menu.version,
    unknownOrganization,
    removed,
  ]);

  return cached(state, key, () => {
    const present = request.organizationIds.filter((id) => !removed.includes(id));
    return Buffer.from(
      JSON.stringify(
        menuAnswer(menu, { ...request, organizationIds: present }, revision, unknownOrganization),
      ),
    );
  });
}

/**
 * Returns the v3 menu. `organizationIds` selects the form with revisions and asynchronous mode,
 * `organizationId` alone the plain form.
 */
export function menuById(context: Context, body: Body): Answer {
  const parsed = parse(context, body);
  if (typeof parsed === 'string') return failure(400, parsed);
  const { menu, request, startRevision, asyncMode } = parsed;
  const { state } = context;
  const { async } = getSwitches(state, menu);
  if (asyncMode && async.mode !== 'off') {
    const correlationId = randomUUID();
    state.commands.set(correlationId, { mode: async.mode, pollsLeft: async.polls });
    return ok({ correlationId });
  }

  const revision = chooseRevision(state, menu, request);
  if (startRevision === revision || getSwitches(state, menu).emptyLists)
    return ok(emptyAnswer(menu, revision));

  return ok(fullMenu(state, menu, request));
}
