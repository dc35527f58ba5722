import type { OddRow } from './check.ts';

/**
 * An item that an unreadable row may describe. `erpId` is in lower case; null means any item of the
 * role.
 */
export type UnreadItem = { role: 'DISH' | 'MODIFIER'; erpId: string | null };

/** Lists whose rows do not describe items for sale. */
const DECORATIONS = new Set(['labels', 'allergenGroupIds']);
/** The end of the path of an omitted row or list. */
const LOST = /\.(\d+|items|sizePrices|prices|modifierGroups)$/;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Returns the items of unreadable rows in a menu (MIR-71). */
export function unreadItems(answer: unknown, odd: readonly OddRow[]): UnreadItem[] {
  const items = odd
    .filter(({ place }) => LOST.test(place))
    .flatMap(({ place }) => itemsAt(answer, place.split('.')));
  return [...new Map(items.map((item) => [`${item.role}/${item.erpId}`, item])).values()];
}

function itemsAt(answer: unknown, path: readonly string[]): UnreadItem[] {
  const [list, index, items, at, field = ''] = path;
  const row = valueAt(answer, [list!, index!]);
  if (list === 'modifiers')
    return DECORATIONS.has(items ?? '') ? [] : [{ role: 'MODIFIER', erpId: readUuid(row, 'id') }];
  if (list !== 'itemsGroups' || DECORATIONS.has(field)) return [];
  if (at !== undefined) return toUnreadDish(valueAt(row, ['items', at]));
  const dishes = valueAt(row, ['items']) ?? (isObject(row) ? [] : null);
  if (!Array.isArray(dishes)) return [{ role: 'DISH', erpId: null }];

  // Unreadable rows of a readable category have separate paths.
  return items === undefined ? dishes.flatMap(toUnreadDish) : [];
}

/** Combos and rows without a dish are never mirrored. */
function toUnreadDish(row: unknown): UnreadItem[] {
  if (isObject(row) && (row['itemType'] === 'COMBO' || row['productId'] == null)) return [];
  return [{ role: 'DISH', erpId: readUuid(row, 'productId') }];
}

function readUuid(row: unknown, name: string): string | null {
  const id = valueAt(row, [name]);
  return typeof id === 'string' && UUID.test(id) ? id.toLowerCase() : null;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((within, name) => (isObject(within) ? within[name] : undefined), value);
