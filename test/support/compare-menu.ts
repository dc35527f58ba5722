import type { Database } from './text-database.ts';
import type { Emulator } from '../../packages/erp-emulator/server.ts';

/** The emulator's state of an organization in a menu (`/_control/truth`). Prices in rubles. */
export type Truth = {
  menuId: string;
  sizes: {
    productId: string;
    sizeId: string | null;
    sku: string;
    price: number | null;
    hidden: boolean;
    stopped: boolean;
    name: string;
  }[];
  modifiers: {
    id: string;
    price: number | null;
    hidden: boolean;
    stopped: boolean;
    name: string;
  }[];
};

export type PublicMenu = {
  revision: number;
  organizationId: string;
  generatedAt: string;
  categories: { id: number; productIds: number[] }[];
  products: { id: number; name: string; variants: PublicVariant[] }[];
  modifierGroups: { id: string; modifiers: { id: string; price: number; available: boolean }[] }[];
};
type PublicVariant = {
  id: number;
  erpItemId: string;
  sku: string;
  price: number;
  available: boolean;
  modifierGroupIds: string[];
};

/**
 * Compares a public menu with the emulator. Returns one sentence per difference. The first of
 * `truths` with a price for a size decides. Shares no code with the import or the snapshot.
 */
export function compareMenu(
  menu: PublicMenu,
  truths: readonly Truth[],
  published: readonly { erpItemId: string; sku: string }[],
): string[] {
  const differences: string[] = [];
  const sizes = new Map<string, Truth['sizes'][number]>();
  const modifiers = new Map<string, Truth['modifiers'][number]>();
  for (const truth of truths) {
    for (const size of truth.sizes) {
      const key = `${size.productId} ${size.sku}`;
      if (!size.hidden && size.price !== null && !sizes.has(key)) sizes.set(key, size);
    }
    for (const modifier of truth.modifiers) {
      if (modifier.price !== null && !modifiers.has(modifier.id))
        modifiers.set(modifier.id, modifier);
    }
  }
  const shown = new Map(
    menu.products
      .flatMap((product) => product.variants)
      .map((variant) => [`${variant.erpItemId} ${variant.sku}`, variant]),
  );
  for (const [key, variant] of shown) {
    const size = sizes.get(key);
    if (size === undefined)
      differences.push(
        `variant ${variant.id} (${key}) is shown, but no menu of the ERP sells it here`,
      );
    else if (size.price !== variant.price)
      differences.push(`variant ${variant.id} costs ${variant.price}, the ERP says ${size.price}`);
    else if (variant.available === size.stopped)
      differences.push(
        `variant ${variant.id} says available ${variant.available}, the ERP says stopped ${size.stopped}`,
      );
  }
  for (const { erpItemId, sku } of published) {
    const key = `${erpItemId} ${sku}`;
    if (sizes.has(key) && !shown.has(key))
      differences.push(`${key} is published and sold here, but not shown`);
  }
  for (const group of menu.modifierGroups) {
    if (!/^mg_[0-9a-f]+$/.test(group.id))
      differences.push(`modifier group id ${group.id} is not of the form mg_…`);
    for (const modifier of group.modifiers) {
      const found = modifiers.get(modifier.id);
      if (found === undefined) {
        if (modifier.available)
          differences.push(
            `modifier ${modifier.id} is available, but the ERP has no price for it here`,
          );
      } else if (found.price !== modifier.price) {
        differences.push(
          `modifier ${modifier.id} costs ${modifier.price}, the ERP says ${found.price}`,
        );
      } else if (modifier.available === found.stopped) {
        differences.push(
          `modifier ${modifier.id} says available ${modifier.available}, the ERP says stopped ${found.stopped}`,
        );
      }
    }
  }
  const groups = new Set(menu.modifierGroups.map((group) => group.id));
  for (const variant of shown.values()) {
    for (const id of variant.modifierGroupIds)
      if (!groups.has(id)) differences.push(`variant ${variant.id} names the unknown group ${id}`);
  }
  return differences;
}

export async function readTruths(
  emulator: Pick<Emulator, 'control'>,
  organizationId: string,
): Promise<Truth[]> {
  const state = await emulator.control<{ menus: { id: string; organizationIds: string[] }[] }>(
    'state',
  );
  const menus = state.menus
    .filter((menu) => menu.organizationIds.includes(organizationId))
    .toSorted((one, other) => Number(one.id) - Number(other.id));
  return Promise.all(
    menus.map((menu) =>
      emulator.control<Truth>(`truth?menuId=${menu.id}&organizationId=${organizationId}`),
    ),
  );
}

export function publishedPairs(db: Database): Promise<{ erpItemId: string; sku: string }[]> {
  return db.query(
    `select i.erp_id as "erpItemId", coalesce(s.sku, i.sku) as sku from catalog_variant v
       join catalog_product p on p.id = v.product_id and p.status = 'PUBLISHED'
       join mirror_item_size s on s.id = v.item_size_id join mirror_item i on i.id = s.item_id`,
  );
}
