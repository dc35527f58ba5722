import type { ErpContent } from './erp.ts';

/**
 * An independent implementation of docs/rules/mirror.md. Imports no file of the product. Keys are
 * ERP ids: `role/id` is an item, `role/id/sizeId` a size, `size@organization` a price. Kopecks.
 */
export type ReferenceMirror = {
  organizations: Map<string, { isActive: boolean }>;
  menus: Map<string, ReferenceMenu>;
  items: Map<string, { name: string; sku: string; isDeleted: boolean }>;
  sizes: Map<string, { sku: string }>;
};

export type MenuSettings = {
  isEnabled: boolean;
  priority: number;
  organizationIds: string[] | null;
  priceCategoryId: string | null;
};

export type ReferenceMenu = {
  isListed: boolean;
  settings: MenuSettings;
  /** The next run applies changed settings even if the ERP's revision is unchanged. */
  settingsVersion: number;
  savedRevision: number | null;
  lastAnswer: Set<string>;
  imports: number;
  /** Null if the next run must fetch the data. */
  savedRequest: { request: string; circumstances: string } | null;
  isFullDue: boolean;
  categories: Map<string, { name: string; isHidden: boolean; position: number }>;
  placements: Map<string, { position: number }>;
  members: Map<string, { name: string; isHidden: boolean }>;
  sizes: Map<string, { isHidden: boolean }>;
  prices: Map<string, { kopecks: number; isLost: boolean }>;
  groups: Map<string, { erpId: string | null; name: string; links: [string, string][] }[]>;
};

export type Mode = 'FULL' | 'INCREMENTAL';
export type ReferenceRun = {
  status: 'SUCCESS' | 'SKIPPED' | 'FAILED';
  reason: string | null;
  items?: { created: number; deleted: number };
  prices?: { upserted: number; unchanged: number };
};

/** Percent of items that may vanish in a full import (MIR-12). */
const SHRINK_PERCENT = 30;

export function emptyMirror(): ReferenceMirror {
  return { organizations: new Map(), menus: new Map(), items: new Map(), sizes: new Map() };
}

/** A newly listed menu is enabled for all organizations. */
function newMenu(): ReferenceMenu {
  return {
    isListed: true,
    settings: { isEnabled: true, priority: 100, organizationIds: null, priceCategoryId: null },
    settingsVersion: 1,
    savedRevision: null,
    lastAnswer: new Set(),
    imports: 0,
    savedRequest: null,
    isFullDue: false,
    categories: new Map(),
    placements: new Map(),
    members: new Map(),
    sizes: new Map(),
    prices: new Map(),
    groups: new Map(),
  };
}

/** MIR-22 and MIR-25: applies a full list. Missing organizations become inactive. */
export function importOrganizations(mirror: ReferenceMirror, present: readonly string[]): void {
  for (const organization of mirror.organizations.values()) organization.isActive = false;
  for (const id of present) mirror.organizations.set(id, { isActive: true });
}

/** A returning menu is requested again, because other menus may have named its items. */
export function importMenuList(mirror: ReferenceMirror, listed: readonly string[]): void {
  for (const [id, menu] of mirror.menus) {
    if (!menu.isListed && listed.includes(id)) menu.savedRequest = null;
    menu.isListed = listed.includes(id);
  }
  for (const id of listed) if (!mirror.menus.has(id)) mirror.menus.set(id, newMenu());
}

export function changeSettings(menu: ReferenceMenu, change: Partial<MenuSettings>): void {
  const after = { ...menu.settings, ...change };
  if (JSON.stringify(after) === JSON.stringify(menu.settings)) return;
  if (after.isEnabled && !menu.settings.isEnabled) menu.savedRequest = null;
  menu.settings = after;
  menu.settingsVersion += 1;
}

const get = (mirror: ReferenceMirror, menuId: string): ReferenceMenu => {
  const menu = mirror.menus.get(menuId);
  if (menu === undefined) throw new Error(`the model has no menu ${menuId}`);
  return menu;
};

export function requestedOrganizations(mirror: ReferenceMirror, menuId: string): string[] {
  const { organizationIds } = get(mirror, menuId).settings;
  return [...mirror.organizations]
    .filter(
      ([id, { isActive }]) =>
        isActive && (organizationIds === null || organizationIds.includes(id)),
    )
    .map(([id]) => id)
    .toSorted();
}

const isLive = (menu: ReferenceMenu): boolean => menu.isListed && menu.settings.isEnabled;

/** Returns live menus by priority: lower number first, then the older menu. */
function liveMenus(mirror: ReferenceMirror): [string, ReferenceMenu][] {
  return [...mirror.menus]
    .map((entry, age) => ({ entry, age }))
    .filter(({ entry: [, menu] }) => isLive(menu))
    .toSorted(
      (a, b) => a.entry[1].settings.priority - b.entry[1].settings.priority || a.age - b.age,
    )
    .map(({ entry }) => entry);
}

function before(mirror: ReferenceMirror, menuId: string): [string, ReferenceMenu][] {
  const live = liveMenus(mirror);
  return live.slice(
    0,
    live.findIndex(([id]) => id === menuId),
  );
}

function requestNow(
  mirror: ReferenceMirror,
  menuId: string,
): { request: string; circumstances: string } {
  const menu = get(mirror, menuId);
  const { priceCategoryId } = menu.settings;
  const speakers = before(mirror, menuId).map(([id, { imports }]) => [id, imports]);
  return {
    request: JSON.stringify([requestedOrganizations(mirror, menuId), priceCategoryId]),
    circumstances: JSON.stringify([menu.settingsVersion, speakers]),
  };
}

/** Allows the next run any request, as needed after concurrent imports. */
export function forgetCircumstances(mirror: ReferenceMirror): void {
  for (const { savedRequest } of mirror.menus.values())
    if (savedRequest !== null) savedRequest.circumstances = 'unknown';
}

/** Returns the required request of a run: the whole menu, its revision only, or either. */
export function decideNeed(
  mirror: ReferenceMirror,
  menuId: string,
  asked: Mode,
  revision: number,
): 'ASK' | 'SKIP' | 'EITHER' {
  const menu = get(mirror, menuId);
  if (asked === 'FULL' || menu.isFullDue || menu.savedRevision !== revision) return 'ASK';
  const now = requestNow(mirror, menuId);
  if (menu.savedRequest === null || menu.savedRequest.request !== now.request) return 'ASK';
  return menu.savedRequest.circumstances === now.circumstances ? 'SKIP' : 'EITHER';
}

/**
 * Applies a menu import (MIR-3, MIR-11), completely or not at all. `isContent`: the run accepted
 * the unchanged revision.
 */
export function importMenu(
  mirror: ReferenceMirror,
  menuId: string,
  asked: Mode,
  erp: { revision: number; answer: ErpContent; isContent: boolean },
): ReferenceRun {
  const menu = get(mirror, menuId);
  if (!menu.isListed) return { status: 'SKIPPED', reason: 'MENU_INACTIVE' };
  if (!menu.settings.isEnabled) return { status: 'SKIPPED', reason: 'MENU_DISABLED' };
  const organizations = requestedOrganizations(mirror, menuId);
  if (organizations.length === 0) return { status: 'SKIPPED', reason: 'NO_ORGANIZATIONS' };
  const isFull = asked === 'FULL' || menu.isFullDue;
  if (erp.isContent) return { status: 'SKIPPED', reason: 'UNCHANGED' };

  const seen = statedBy(erp.answer);
  if (isFull) {
    menu.isFullDue = false;
    const gone = [...menu.members.keys()].filter((key) => !seen.items.has(key));
    const share = (prefix: string): number => {
      const all = [...menu.members.keys()].filter((key) => key.startsWith(prefix)).length;
      return all === 0 ? 0 : (gone.filter((key) => key.startsWith(prefix)).length / all) * 100;
    };
    if (Math.max(share(''), share('DISH/')) > SHRINK_PERCENT)
      return { status: 'FAILED', reason: 'SUSPICIOUS_SHRINK' };
  }
  const heldBack = organizations.filter((organization) =>
    isRobbed(menu, seen, organization, isFull),
  );
  const priced = organizations.filter(
    (organization) => listLivePrices(menu, organization).length > 0,
  );
  if (heldBack.length * 2 > priced.length) return { status: 'FAILED', reason: 'SUSPICIOUS_SHRINK' };
  const created = mergeItems(mirror, menuId, seen);
  const written = organizations.filter((organization) => !heldBack.includes(organization));
  const prices = mergePrices(menu, seen, written, isFull);
  mergeStructure(menu, erp.answer, seen);
  const deleted = isFull ? deleteVanished(mirror, menuId, erp.answer, seen) : 0;
  menu.lastAnswer = new Set(seen.items.keys());
  menu.imports += 1;
  menu.savedRevision = erp.revision;
  menu.savedRequest = requestNow(mirror, menuId);
  return { status: 'SUCCESS', reason: null, items: { created, deleted }, prices };
}

type Seen = {
  items: Map<string, { name: string; sku: string; isHidden: boolean }>;
  sizes: Map<string, { sku: string; isHidden: boolean; prices: Record<string, number | null> }>;
};

function statedBy(answer: ErpContent): Seen {
  const seen: Seen = { items: new Map(), sizes: new Map() };
  for (const dish of answer.dishes) {
    const places = answer.categories.filter((category) => category.dishIds.includes(dish.id));
    if (places.length === 0) continue;
    const isHidden = places.every((place) => place.isHidden);
    seen.items.set(`DISH/${dish.id}`, { name: dish.name.trim(), sku: dish.sku, isHidden });
    for (const size of dish.sizes) seen.sizes.set(`DISH/${dish.id}/${size.sizeId ?? ''}`, size);
  }
  for (const modifier of answer.modifiers) {
    seen.items.set(`MODIFIER/${modifier.id}`, { ...modifier, name: modifier.name.trim() });
    seen.sizes.set(`MODIFIER/${modifier.id}/`, modifier);
  }
  return seen;
}

/** Restores returned items. The first live menu that lists an item names it. */
function mergeItems(mirror: ReferenceMirror, menuId: string, seen: Seen): number {
  const menu = get(mirror, menuId);
  const speakers = before(mirror, menuId);
  let created = 0;
  for (const [key, { name, sku, isHidden }] of seen.items) {
    const item = mirror.items.get(key);
    created += item === undefined ? 1 : 0;
    const isOwner = !speakers.some(([, other]) => other.members.has(key));
    mirror.items.set(key, {
      sku,
      isDeleted: false,
      name: item === undefined || isOwner ? name : item.name,
    });
    menu.members.set(key, { name, isHidden });
  }
  for (const [key, { sku, isHidden }] of seen.sizes) {
    mirror.sizes.set(key, { sku });
    menu.sizes.set(key, { isHidden });
  }
  return created;
}

const listLivePrices = (menu: ReferenceMenu, organization: string): string[] =>
  [...menu.prices]
    .filter(([key, price]) => key.endsWith(`@${organization}`) && !price.isLost)
    .map(([key]) => key.slice(0, key.lastIndexOf('@')));

/** The guard ignores losses of fewer prices. */
const FEWEST_PRICES = 10;

/**
 * True if a restaurant would lose at least ten prices and more than the threshold of all its prices
 * or of its dish prices.
 */
function isRobbed(menu: ReferenceMenu, seen: Seen, organization: string, isFull: boolean): boolean {
  const sizes = listLivePrices(menu, organization);
  const isLost = (size: string): boolean => {
    const stated = seen.sizes.get(size);
    return stated === undefined ? isFull : (stated.prices[organization] ?? null) === null;
  };
  if (sizes.filter(isLost).length < FEWEST_PRICES) return false;
  return ['', 'DISH/'].some((prefix) => {
    const some = sizes.filter((size) => size.startsWith(prefix));
    return (some.filter(isLost).length / Math.max(1, some.length)) * 100 > SHRINK_PERCENT;
  });
}

/** A size without a price keeps its last price, flagged as lost, until it has a price again. */
function mergePrices(
  menu: ReferenceMenu,
  seen: Seen,
  organizations: readonly string[],
  isFull: boolean,
): { upserted: number; unchanged: number } {
  const counts = { upserted: 0, unchanged: 0 };
  const stated = new Set<string>();
  for (const [size, { prices }] of seen.sizes) {
    for (const organization of organizations) {
      const price = prices[organization] ?? null;
      if (price === null) continue;
      const key = `${size}@${organization}`;
      const kopecks = Math.round(price * 100);
      const old = menu.prices.get(key);
      const isSame = old !== undefined && !old.isLost && old.kopecks === kopecks;
      counts[isSame ? 'unchanged' : 'upserted'] += 1;
      menu.prices.set(key, { kopecks, isLost: false });
      stated.add(key);
    }
  }
  const { organizationIds } = menu.settings;
  for (const [key, price] of menu.prices) {
    // The menu no longer applies to an organization that staff removed from it.
    if (organizationIds !== null && !organizationIds.includes(key.split('@')[1] ?? ''))
      menu.prices.delete(key);
    const [size = '', organization = ''] = key.split('@');
    const isSpokenFor = organizations.includes(organization) && (isFull || seen.sizes.has(size));
    if (isSpokenFor && !stated.has(key)) price.isLost = true;
  }
  return counts;
}

function mergeStructure(menu: ReferenceMenu, answer: ErpContent, seen: Seen): void {
  for (const [position, { id, name, isHidden, dishIds }] of answer.categories.entries()) {
    menu.categories.set(id, { name, isHidden, position });
    for (const [place, dishId] of dishIds.entries())
      menu.placements.set(`${id}/${dishId}`, { position: place });
  }
  const names = new Map(answer.modifiers.map((modifier) => [modifier.id, modifier.name.trim()]));
  for (const dish of answer.dishes.filter(({ id }) => seen.items.has(`DISH/${id}`))) {
    const groups = dish.groups.map(({ id, name, modifierIds }) => ({
      erpId: id,
      name,
      links: [...new Set(modifierIds)].map((text): [string, string] => [
        text,
        names.get(text) ?? '',
      ]),
    }));
    for (const size of dish.sizes) menu.groups.set(`DISH/${dish.id}/${size.sizeId ?? ''}`, groups);
  }
}

/** Only a full import deletes an item, with its last position in a live menu. */
function deleteVanished(
  mirror: ReferenceMirror,
  menuId: string,
  answer: ErpContent,
  seen: Seen,
): number {
  const menu = get(mirror, menuId);
  const places = new Set(
    answer.categories.flatMap(({ id, dishIds }) => dishIds.map((dish) => `${id}/${dish}`)),
  );
  const keep = <T>(map: Map<string, T>, isKept: (key: string) => boolean): string[] => {
    const gone = [...map.keys()].filter((key) => !isKept(key));
    for (const key of gone) map.delete(key);
    return gone;
  };
  keep(menu.categories, (id) => answer.categories.some((category) => category.id === id));
  keep(menu.placements, (key) => places.has(key));
  keep(menu.groups, (size) => seen.sizes.has(size));
  keep(menu.sizes, (size) => seen.sizes.has(size));
  let deleted = 0;
  for (const key of keep(menu.members, (item) => seen.items.has(item))) {
    const item = mirror.items.get(key);
    if (item === undefined || item.isDeleted) continue;
    const [speaker] = liveMenus(mirror).filter(([, other]) => other.members.has(key));
    if (speaker === undefined) {
      item.isDeleted = true;
      deleted += 1;
    } else {
      item.name = speaker[1].members.get(key)?.name ?? item.name;
    }
  }
  return deleted;
}

/** Lists violations. Items that left the answer stay until the next full import. */
export function unsettled(mirror: ReferenceMirror): string[] {
  return [...mirror.items].flatMap(([key, { name, isDeleted }]) => {
    const [speaker] = liveMenus(mirror).filter(([, menu]) => menu.members.has(key));
    if (speaker === undefined) return [];
    const [menuId, menu] = speaker;
    if (!menu.lastAnswer.has(key)) return [];
    const wanted = menu.members.get(key)?.name;
    if (isDeleted) return [`${key} is deleted, but the live menu ${menuId} lists it`];
    return name === wanted ? [] : [`${key} is called «${name}», ${menuId} says «${wanted}»`];
  });
}
