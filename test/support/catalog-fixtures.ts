import type { Actor } from '../../kernel/actor.ts';
import type { Sql } from './text-database.ts';
import { addRow, addRows } from './rows.ts';

export const STAFF: Actor = { type: 'USER', userId: 1, requestId: 'test' };

export type MirrorDish = { itemId: number; erpId: string; sizeIds: number[] };

export async function buildMirror(
  db: Sql,
  { organizations = 1 }: { organizations?: number } = {},
): Promise<{ connectionId: number; menuId: number; organizationIds: number[] }> {
  const { id: connectionId } = await addRow(db, 'connection');
  const { id: menuId } = await addRow(db, 'mirror_external_menu', { connectionId });
  await addRow(db, 'external_menu_setting', { externalMenuId: menuId });
  const rows = Array.from({ length: organizations }, () => ({ connectionId }));
  const organizationIds = (await addRows(db, 'mirror_organization', rows)).map((row) => row.id);
  return { connectionId, menuId, organizationIds };
}

/** Adds a live dish. Size n costs n times `price` kopecks in every organization. */
export async function buildDish(
  db: Sql,
  {
    menuId: externalMenuId,
    organizationIds,
  }: { menuId: number; organizationIds: readonly number[] },
  options: {
    name?: string;
    sku?: string;
    sizes?: readonly string[];
    defaultSize?: string;
    price?: number;
  } = {},
): Promise<MirrorDish> {
  const { name = 'Борщ', sku = 'B-1', sizes = [''], defaultSize, price = 10_000 } = options;
  const { id: itemId, erpId } = await addRow(db, 'mirror_item', { name, sku });
  const sizeRows = sizes.map((size, at) => ({
    itemId,
    erpSizeId: size,
    name: size === '' ? null : size,
    sku: `${sku}-${at + 1}`,
    isDefault: size === defaultSize,
  }));
  const sizeIds = (await addRows(db, 'mirror_item_size', sizeRows)).map((row) => row.id);
  await addRow(db, 'mirror_item_menu', { externalMenuId, itemId, name });
  const inMenu = sizeIds.map((itemSizeId) => ({ externalMenuId, itemSizeId }));
  await addRows(db, 'mirror_size_menu', inMenu);
  const prices = inMenu.flatMap((size, at) =>
    organizationIds.map((organizationId) => ({
      ...size,
      organizationId,
      priceKopecks: price * (at + 1),
    })),
  );
  await addRows(db, 'mirror_price', prices);
  return { itemId, erpId, sizeIds };
}

/** Adds media rows without files. */
export async function buildMedia(db: Sql): Promise<number> {
  return (await addRow(db, 'media')).id;
}
