import { expect } from '@jest/globals';
import { compareMenu } from '../../support/compare-menu.ts';
import { eventually } from '../../support/processes.ts';
import type { Rule, SyncProduct } from './fixture.ts';
import { countRows, not, selectRow } from '../../support/rows.ts';

async function deletedItems({ product }: SyncProduct): Promise<number> {
  const count = await countRows(product.db, 'mirror_item', { deletedAt: not(null) });
  return count;
}

async function savedRevision({ product, menuRowId }: SyncProduct): Promise<number> {
  const row = await selectRow(product.db, 'mirror_external_menu', ['revision'], { id: menuRowId });
  return row.revision!;
}

async function bringBack(fixture: SyncProduct): Promise<void> {
  await fixture.control('return', { menuId: fixture.menuId, sameId: true });
  expect(await fixture.run('MENU', 'FULL')).toMatchObject({ status: 'SUCCESS' });
  expect(await deletedItems(fixture)).toBe(0);
}

async function publicDish(fixture: SyncProduct): Promise<string> {
  const menu = await fixture.menu();
  const variant = menu.products
    .flatMap((product) => product.variants)
    .find((entry) => entry.available);
  return variant!.erpItemId;
}

/** States of runs and items (MIR-3 to MIR-12). Bindings have another table. */
export const STATES: readonly Rule[] = [
  {
    id: '[MIR-3] run: revision equal',
    rule: 'the answer has the saved revision: SKIPPED, nothing is imported',
    async show(fixture) {
      await fixture.run('MENU', 'INCREMENTAL');
      const before = await fixture.mirrorState();

      const run = await fixture.run('MENU', 'INCREMENTAL');

      expect(run).toMatchObject({ status: 'SKIPPED', reason: 'UNCHANGED' });
      expect(run.revisionTo).toBe(run.revisionFrom);
      expect(await fixture.mirrorState()).toEqual(before);
    },
  },
  {
    id: '[MIR-4] run: revision greater',
    rule: 'a greater revision is imported and saved, and ErpMenuImported rebuilds the menus',
    async show(fixture) {
      const saved = await savedRevision(fixture);
      const before = await fixture.menu();
      await fixture.control('reprice', { menuId: fixture.menuId, percent: 3 });

      const run = await fixture.run('MENU', 'INCREMENTAL');

      expect(run).toMatchObject({ status: 'SUCCESS', revisionFrom: saved, revisionTo: saved + 1 });
      expect(run.prices.upserted).toBeGreaterThan(0);
      expect(await savedRevision(fixture)).toBe(saved + 1);
      const events = await fixture.product.db.query<{ payload: unknown }>(
        `select payload from outbox where event = 'ErpMenuImported' and (payload ->> 'runId')::bigint = $1`,
        [run.id],
      );
      expect(events).toHaveLength(1);
      await eventually('the new prices are public', async () => {
        const menu = await fixture.menu();
        return menu.revision > before.revision &&
          compareMenu(menu, [await fixture.truth()], []).length === 0
          ? true
          : undefined;
      });
    },
  },
  {
    id: '[MIR-12] run: suspicious shrink',
    rule: 'more than the threshold vanished on a full import: FAILED, SUSPICIOUS_SHRINK, nothing deleted, administrators are told',
    async show(fixture) {
      const deleted = await deletedItems(fixture);
      const saved = await savedRevision(fixture);
      const open = 'kind=SUSPICIOUS_SHRINK&open=true';
      await fixture.control('vanish', { menuId: fixture.menuId, percent: 60 });
      try {
        const run = await fixture.run('MENU', 'FULL');

        expect(run).toMatchObject({
          status: 'FAILED',
          reason: 'SUSPICIOUS_SHRINK',
          items: { deleted: 0 },
        });
        expect(await deletedItems(fixture)).toBe(deleted);
        expect(await savedRevision(fixture)).toBe(saved);
        const { items } = await fixture.admin.get<{ items: { subjectId: string }[] }>(
          `/notifications?${open}`,
        );
        expect(items.map((item) => item.subjectId)).toEqual([String(fixture.menuRowId)]);
      } finally {
        await bringBack(fixture);
      }
      expect((await fixture.admin.get<{ total: number }>(`/notifications?${open}`)).total).toBe(0);
    },
  },
  {
    id: '[MIR-5] run: a batch fails',
    rule: 'any batch fails: the run fails and nothing of the menu is committed',
    async show(fixture) {
      await fixture.control('reprice', { menuId: fixture.menuId, percent: 2 });
      await fixture.control('fault', { endpoint: '/api/menu/v3/by_id', kind: 'truncated-json' });
      const before = await fixture.mirrorState();

      const run = await fixture.run('MENU', 'FULL');

      expect(run).toMatchObject({ status: 'FAILED', reason: 'NOT_JSON' });
      expect(run.detail).toContain('200');
      expect(await fixture.mirrorState()).toEqual(before);
      expect(await fixture.run('MENU', 'FULL')).toMatchObject({ status: 'SUCCESS' });
    },
  },
  {
    id: '[MIR-11] item: vanished',
    rule: 'a full import soft-deletes what it does not contain; an incremental one does not',
    async show(fixture) {
      const itemId = await publicDish(fixture);
      await fixture.control('vanish', { menuId: fixture.menuId, itemIds: [itemId] });

      expect(await fixture.run('MENU', 'INCREMENTAL')).toMatchObject({
        status: 'SUCCESS',
        items: { deleted: 0 },
      });
      expect(await deletedItems(fixture)).toBe(0);

      expect(await fixture.run('MENU', 'FULL')).toMatchObject({
        status: 'SUCCESS',
        items: { deleted: 1 },
      });
      expect(await deletedItems(fixture)).toBe(1);
      await eventually('the menu shows it as unavailable', async () => {
        const variants = (await fixture.menu()).products.flatMap((product) => product.variants);
        return variants.some((variant) => variant.erpItemId === itemId && !variant.available)
          ? true
          : undefined;
      });
      await bringBack(fixture);
    },
  },
  {
    id: '[MIR-11] item: returned',
    rule: 'a deleted item that returns is live again under its own row, and its variants were never deleted',
    async show(fixture) {
      const itemId = await publicDish(fixture);
      const rows = () =>
        fixture.product.db.db
          .selectFrom('mirror_item as item')
          .innerJoin('mirror_item_size as size', 'size.itemId', 'item.id')
          .innerJoin('catalog_variant as variant', 'variant.itemSizeId', 'size.id')
          .where('item.erpId', '=', itemId)
          .where('item.role', '=', 'DISH')
          .select(['item.id as item', 'variant.id as variant'])
          .orderBy('variant')
          .execute();
      const before = await rows();
      await fixture.control('vanish', { menuId: fixture.menuId, itemIds: [itemId] });
      await fixture.run('MENU', 'FULL');

      await bringBack(fixture);

      expect(before.length).toBeGreaterThan(0);
      expect(await rows()).toEqual(before);
      await eventually('it can be ordered again', async () => {
        const variants = (await fixture.menu()).products.flatMap((product) => product.variants);
        return variants.some((variant) => variant.erpItemId === itemId && variant.available)
          ? true
          : undefined;
      });
    },
  },
];
