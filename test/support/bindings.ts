import { createProductOfItems } from '../../modules/catalog/products/create-product-of-items.ts';
import type { ProductStatus } from '../../modules/catalog/rules/states.ts';
import {
  evaluateBindings,
  type BindingDeps,
  type Evaluated,
} from '../../modules/binding/evaluate-bindings.ts';
import { createFailpoints } from '../../platform/failpoint.ts';
import { createLog } from '../../platform/log.ts';
import { createMetrics } from '../../platform/metrics.ts';
import { buildMedia, STAFF } from './catalog-fixtures.ts';
import { importBasics, importMenu, mirrorFixture, type TestFixture } from './mirror.ts';
import { asOwner } from './database-roles.ts';
import { addRow, plus, selectRow, selectRows, updateRows, saveSetting } from './rows.ts';

export const MENU = '9001';

export type BoundDish = {
  productId: number;
  variantIds: number[];
  itemId: number;
  itemErpId: string;
  name: string;
};

type BindingFixture = TestFixture & { menuId: number; binding: BindingDeps };

export async function bindingFixture(): Promise<BindingFixture> {
  const fixture = await mirrorFixture();
  const menuId = await importBasics(fixture);
  // There are only a dozen dishes, so the shrink guard would reject the loss of a few.
  await addRow(fixture.db, 'setting', { key: 'sync.shrink_threshold_percent', value: 100 });
  await importMenu(fixture, menuId, 'FULL');
  return { ...fixture, menuId, binding: bindingDeps(fixture.db) };
}

export function bindingDeps(db: BindingDeps['db']): BindingDeps {
  return {
    db,
    log: createLog({ service: 'test', level: 'silent' }),
    metrics: createMetrics('test'),
    failpoint: createFailpoints(null),
  };
}

export function bindings(fixture: BindingFixture) {
  const { db } = fixture;
  const axis = db.query(
    `insert into catalog_variant_axis (code, name) values ('KIND', 'Вид') on conflict do nothing`,
  );

  async function aProduct(
    options: { dishes?: number; status?: ProductStatus } = {},
  ): Promise<BoundDish[]> {
    const { dishes = 1, status = 'PUBLISHED' } = options;
    await axis;
    const items = await db.query<{
      itemId: number;
      itemErpId: string;
      name: string;
      sizeId: number;
    }>(
      `select item.id as "itemId", item.erp_id as "itemErpId", item.name, min(size.id) as "sizeId" from mirror_item item
         join mirror_item_size size on size.item_id = item.id join mirror_item_menu seen on seen.item_id = item.id
        where item.role = 'DISH' and item.deleted_at is null and item.product_category_erp_id is not null
          and not seen.is_hidden and exists (select 1 from mirror_price price where price.item_size_id = size.id and price.price_kopecks > 0)
          and not exists (select 1 from mirror_item_placement place where place.item_id = item.id and place.is_hidden)
          and not exists (select 1 from catalog_item_binding binding where binding.item_id = item.id)
        group by item.id order by item.id limit $1`,
      [dishes],
    );
    if (items.length < dishes) throw new Error('the emulator has no free dish left');
    const codes = items.map((_, at) => `K${at}`);
    await db.query(
      `insert into catalog_variant_option (axis_id, code, name)
       select axis.id, wanted.name, wanted.name from catalog_variant_axis axis, unnest($1::text[]) as wanted (name) on conflict do nothing`,
      [codes],
    );
    const product = await createProductOfItems(
      { db },
      STAFF,
      {
        name: items[0]!.name,
        variantAxisCode: 'KIND',
        mainImageId: await buildMedia(db),
        categoryIds: [],
        variants: items.map(({ sizeId }, at) => ({
          erpItemSizeId: sizeId,
          variantOptionCode: codes[at]!,
          isDefault: at === 0,
        })),
      },
      null,
    );
    await updateRows(db, 'catalog_product', { status }, { id: product.id });
    const variants = await selectRows(db, 'catalog_variant', ['id', 'itemSizeId as sizeId'], {
      productId: product.id,
    });
    return items.map(({ sizeId, ...item }) => ({
      ...item,
      productId: product.id,
      variantIds: variants
        .filter((variant) => variant.sizeId === sizeId)
        .map((variant) => variant.id),
    }));
  }

  return {
    aProduct,
    aDish: async (status?: ProductStatus) =>
      (await aProduct(status === undefined ? {} : { status }))[0]!,

    /** Removes all products and restores the dishes of the emulator. */
    async cleared(): Promise<void> {
      await asOwner(db, 'truncate catalog_product, binding_incident cascade');
      await fixture.emulator.control('return', { menuId: MENU });
      await importMenu(fixture, fixture.menuId, 'FULL');
    },

    evaluate: (runId: number | null = null): Promise<Evaluated> =>
      evaluateBindings(fixture.binding, { runId }),

    async imported(
      mode: 'FULL' | 'INCREMENTAL' = 'FULL',
    ): Promise<{ runId: number; evaluated: Evaluated }> {
      const { runId, outcome } = await importMenu(fixture, fixture.menuId, mode);
      if (outcome?.outcome !== 'APPLIED')
        throw new Error(`the import ended as ${String(outcome?.outcome)}`);
      return { runId, evaluated: await evaluateBindings(fixture.binding, { runId }) };
    },

    vanish: (...itemIds: string[]) => fixture.emulator.control('vanish', { menuId: MENU, itemIds }),
    bringBack: (...itemIds: string[]) =>
      fixture.emulator.control('return', { menuId: MENU, itemIds }),
    rename: (itemId: string, name: string) => fixture.emulator.control('rename', { itemId, name }),
    bump: () => fixture.emulator.control('bump-revision', { menuId: MENU }),

    deletedEarlier: (itemId: number, minutes: number) =>
      updateRows(
        db,
        'mirror_item',
        { deletedAt: plus('deletedAt', `-${minutes} minutes`) },
        { id: itemId },
      ),

    variant: (id: number) =>
      selectRow(
        db,
        'catalog_variant',
        [
          'bindingState as state',
          'missingSince',
          'lastSeenName as name',
          'version',
          'lastSeenPriceKopecks as price',
          'lastSeenSnapshot as snapshot',
        ],
        { id },
      ),

    incidents: (variantId: number) =>
      selectRows(
        db,
        'binding_incident',
        [
          'id',
          'type',
          'severity',
          'status',
          'resolution',
          'candidates',
          'lastKnown',
          'newName',
          'detectedByRunId',
          'version',
        ],
        { variantId },
        { orderBy: 'id' },
      ),

    product: (id: number) => selectRow(db, 'catalog_product', ['status', 'statusReason'], { id }),

    grace: (imports: number, minutes: number) =>
      saveSetting(db, 'binding.missing_grace', { imports, minutes }),
  };
}
