import { expect } from '@jest/globals';
import { eventually } from '../../support/processes.ts';
import type { Rule, SyncProduct } from './fixture.ts';
import { countRows } from '../../support/rows.ts';

type Incident = {
  id: number;
  type: string;
  severity: string;
  status: string;
  resolution: string | null;
  variant: { id: number };
  lastKnown: { erpItemId: string; name: string };
  candidates: { erpItemId: string; erpItemSizeId: number; matchedBy: string; confidence: number }[];
  version: number;
};
type Product = {
  id: number;
  name: string;
  status: string;
  statusReason: string | null;
  version: number;
  variants: { id: number; erpItemId: string; lastSeenName: string; bindingState: string }[];
};

async function soloProduct(
  fixture: SyncProduct,
): Promise<Product & { itemId: string; variantId: number }> {
  // Some dishes are hidden or stopped by the ERP although their product is published.
  const { id } = await eventually('guests can order a product of one variant', async () =>
    (await fixture.menu()).products.find(
      ({ variants }) => variants.length === 1 && variants[0]!.available,
    ),
  );
  const product = await fixture.admin.get<Product>(`/products/${id}`);
  const [variant] = product.variants;
  return { ...product, itemId: variant!.erpItemId, variantId: variant!.id };
}

const productNow = (fixture: SyncProduct, id: number) =>
  fixture.admin.get<Product>(`/products/${id}`);

async function readIncident(
  fixture: SyncProduct,
  productId: number,
  type: string,
): Promise<Incident | undefined> {
  const { items } = await fixture.admin.get<{ items: Incident[] }>(
    `/binding-incidents?product_id=${productId}&size=200`,
  );
  return items.find((item) => item.type === type);
}
const whenIncident = (fixture: SyncProduct, productId: number, type: string, status: string) =>
  eventually(`an incident ${type} is ${status}`, async () => {
    const incident = await readIncident(fixture, productId, type);
    return incident?.status === status ? incident : undefined;
  });

async function anotherImport(fixture: SyncProduct): Promise<void> {
  await fixture.control('reprice', { menuId: fixture.menuId, percent: 1 });
  expect(await fixture.run('MENU', 'INCREMENTAL')).toMatchObject({ status: 'SUCCESS' });
}

/** Removes a dish and imports until the grace period has passed. */
async function loseForGood(fixture: SyncProduct, itemId: string): Promise<void> {
  await fixture.control('vanish', { menuId: fixture.menuId, itemIds: [itemId] });
  expect(await fixture.run('MENU', 'FULL')).toMatchObject({
    status: 'SUCCESS',
    items: { deleted: 1 },
  });
  await anotherImport(fixture);
}

/** Bindings of variants (BND-8 to BND-13), as staff see them. */
export const BINDINGS: readonly Rule[] = [
  {
    id: '[BND-9] binding: name changed',
    rule: 'the item is live under another name: last seen is updated, incident NAME_CHANGED, INFO',
    async show(fixture) {
      const { id, itemId } = await soloProduct(fixture);
      await fixture.control('rename', { itemId, name: 'Переименованное блюдо' });

      expect(await fixture.run('MENU', 'INCREMENTAL')).toMatchObject({ status: 'SUCCESS' });

      expect(await whenIncident(fixture, id, 'NAME_CHANGED', 'OPEN')).toMatchObject({
        severity: 'INFO',
      });
      const { status, variants } = await productNow(fixture, id);
      expect({ status, variants }).toMatchObject({
        status: 'PUBLISHED',
        variants: [{ lastSeenName: 'Переименованное блюдо', bindingState: 'OK' }],
      });
    },
  },
  {
    id: '[BND-10] binding: grace',
    rule: 'deleted for less than the grace window: nothing is done',
    async show(fixture) {
      const { id, itemId } = await soloProduct(fixture);
      await fixture.control('vanish', { menuId: fixture.menuId, itemIds: [itemId] });
      expect(await fixture.run('MENU', 'FULL')).toMatchObject({
        status: 'SUCCESS',
        items: { deleted: 1 },
      });
      await fixture.product.settled();

      expect(await productNow(fixture, id)).toMatchObject({
        status: 'PUBLISHED',
        variants: [{ bindingState: 'OK' }],
      });
      expect(await readIncident(fixture, id, 'ITEM_MISSING')).toBeUndefined();
      await fixture.control('return', { menuId: fixture.menuId, sameId: true });
      await fixture.run('MENU', 'FULL');
    },
  },
  {
    id: '[BND-11, BND-12] binding: missing and returned',
    rule: 'the grace window has passed: MISSING, incident ITEM_MISSING, unpublished with the reason; the return closes it',
    async show(fixture) {
      const { id, itemId } = await soloProduct(fixture);

      await loseForGood(fixture, itemId);

      expect(await whenIncident(fixture, id, 'ITEM_MISSING', 'OPEN')).toMatchObject({
        severity: 'CRITICAL',
        lastKnown: { erpItemId: itemId },
      });
      const missing = await productNow(fixture, id);
      expect(missing).toMatchObject({
        status: 'UNPUBLISHED',
        variants: [{ bindingState: 'MISSING' }],
      });
      expect(missing.statusReason).not.toBeNull();
      await eventually('guests no longer see it', async () =>
        (await fixture.menu()).products.some((product) => product.id === id) ? undefined : true,
      );

      await fixture.control('return', { menuId: fixture.menuId, sameId: true });
      expect(await fixture.run('MENU', 'FULL')).toMatchObject({ status: 'SUCCESS' });

      expect(await whenIncident(fixture, id, 'ITEM_MISSING', 'CLOSED')).toMatchObject({
        resolution: 'ITEM_RETURNED',
      });
      expect(await productNow(fixture, id)).toMatchObject({ variants: [{ bindingState: 'OK' }] });
    },
  },
  {
    id: '[BND-13] binding: replacement',
    rule: 'an item first seen since with the same sku is a candidate of 0.95; rebinding closes the incident and the product lives again',
    async show(fixture) {
      const { id, itemId, variantId } = await soloProduct(fixture);
      await loseForGood(fixture, itemId);
      await whenIncident(fixture, id, 'ITEM_MISSING', 'OPEN');

      await fixture.control('return', { menuId: fixture.menuId, itemIds: [itemId], sameId: false });
      expect(await fixture.run('MENU', 'FULL')).toMatchObject({ status: 'SUCCESS' });
      const { candidates } = await whenIncident(fixture, id, 'POSSIBLE_REPLACEMENT', 'OPEN');
      expect(candidates[0]).toMatchObject({ matchedBy: 'SKU', confidence: 0.95 });

      await fixture.admin.post(`/variants/${variantId}/rebind`, {
        erpItemSizeId: candidates[0]!.erpItemSizeId,
      });
      expect(await readIncident(fixture, id, 'ITEM_MISSING')).toMatchObject({
        status: 'CLOSED',
        resolution: 'REBOUND',
      });
      await fixture.admin.post(`/products/${id}/publish`, {});
      await eventually('guests can order it again', async () => {
        const product = (await fixture.menu()).products.find((entry) => entry.id === id);
        return product?.variants.some(
          (variant) => variant.erpItemId === candidates[0]!.erpItemId && variant.available,
        )
          ? true
          : undefined;
      });
      const count = await countRows(fixture.product.db, 'catalog_variant', { id: variantId });
      expect(count).toBe(1);
    },
  },
];
