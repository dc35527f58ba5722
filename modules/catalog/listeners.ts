import type { Listeners } from '../../kernel/events/listeners.ts';
import { markDirty } from '../menus/rebuilds/mark-dirty.ts';
import { wakeRebuilds, type RebuildDeps } from '../menus/rebuilds/wake-rebuilds.ts';
import { organizationsOfProducts } from './organizations-of-products.ts';

export const CATALOG_LISTENERS = {
  /** Restaurants may have begun to sell a product during its edit. */
  CatalogChanged: async ({ organizationIds: known, productIds }, deps) => {
    if (known === null || productIds === undefined) return;
    const now = await organizationsOfProducts(deps.db, productIds);
    const newcomers = now.filter((id) => !known.includes(id));
    if (newcomers.length === 0) return;
    await markDirty(deps.db, 'product-update', newcomers);
    await wakeRebuilds(deps, newcomers);
  },
} satisfies Listeners<RebuildDeps>;
