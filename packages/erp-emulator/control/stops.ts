import type { StopRow } from '../model.ts';
import { listDishes } from '../model.ts';
import type { State } from '../state.ts';
import { wireDate } from '../wire.ts';
import { requireOrganization } from './content.ts';
import { ControlError } from './fields.ts';
import type { Fields } from './fields.ts';

function findSku(state: State, itemId: string, sizeId: string | null): string | null {
  for (const menu of state.dataset.menus.values()) {
    const dish = listDishes(menu).find(({ id }) => id === itemId);
    if (dish) return dish.sizes.find((size) => size.sizeId === sizeId)?.sku ?? dish.sku;
    const modifier = menu.modifiers.find(({ id }) => id === itemId);
    if (modifier) return modifier.sku;
  }

  return null;
}

function findTerminals(
  state: State,
  fields: Fields,
): { organizationId: string; terminalGroupIds: string[] } {
  const organization = requireOrganization(state.dataset, fields.text('organizationId'));
  const only = fields.optionalText('terminalGroupId');
  const terminalGroupIds = organization.terminalGroups
    .map(({ id }) => id)
    .filter((id) => only === undefined || id === only);
  if (terminalGroupIds.length === 0)
    throw new ControlError('terminalGroupId: not in this organization');

  return { organizationId: organization.id, terminalGroupIds };
}

/** Stops items in one or all terminal groups, and sends a webhook. `balance` is 0 by default. */
export function stop(state: State, fields: Fields): object {
  const { organizationId, terminalGroupIds } = findTerminals(state, fields);
  const itemIds = fields.optionalTexts('itemIds');
  if (!itemIds) throw new ControlError('itemIds: list of texts expected');
  const sizeId = fields.optionalText('sizeId') ?? null;
  const balance = fields.optionalNumber('balance') ?? 0;
  const added = itemIds.map((productId): StopRow => {
    const sku = findSku(state, productId, sizeId);
    return { productId, sizeId, sku, balance, dateAdd: wireDate(new Date()) };
  });

  for (const id of terminalGroupIds) {
    const rows = state.dataset.stops.get(id) ?? [];
    const kept = rows.filter((row) => !itemIds.includes(row.productId) || row.sizeId !== sizeId);
    state.dataset.stops.set(id, [...kept, ...added]);
  }

  state.webhooks.stopListChanged(organizationId, terminalGroupIds);

  return { organizationId, terminalGroupIds, rows: added.length };
}

/** Ends the stop of items in all sizes, or of all items, and sends a webhook. */
export function unstop(state: State, fields: Fields): object {
  const { organizationId, terminalGroupIds } = findTerminals(state, fields);
  const itemIds = fields.optionalTexts('itemIds');

  for (const id of terminalGroupIds) {
    const rows = state.dataset.stops.get(id) ?? [];
    const kept =
      itemIds === undefined ? [] : rows.filter((row) => !itemIds.includes(row.productId));
    state.dataset.stops.set(id, kept);
  }

  state.webhooks.stopListChanged(organizationId, terminalGroupIds);

  return { organizationId, terminalGroupIds };
}
