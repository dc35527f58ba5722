import type { Database } from '../support/text-database.ts';
import { PARAMETERS, readPools, type Pools } from '../support/known-things.ts';
import { selectRow } from '../support/rows.ts';

/** Pools of body members by operation and name. */
const BODIES: readonly [operation: string, name: string, pool: string][] = [
  ['', '^(categoryId|categoryIds|primaryCategoryId|parentId)$', 'categories'],
  ['^saveCategoryTree$', '^id$', 'categories'],
  ['', '^productIds?$', 'products'],
  ['', '^(imageId|mainImageId|hoverImageId|gallery)$', 'media'],
  ['', '^badgeIds?$', 'badges'],
  ['', '^roles$', 'roleCodes'],
  ['', '^franchiseeId$', 'franchisees'],
  ['', '^legalEntityId$', 'legalEntities'],
  ['', '^connectionId$', 'connections'],
  ['', '^externalMenuId$', 'externalMenus'],
  ['', '^priceCategoryId$', 'priceCategories'],
  ['', '^(fromOrganizationId|organizationIds?)$', 'organizations'],
  ['', '^cartId$', 'carts'],
  ['', '^addressId$', 'addresses'],
  ['', '^promocode$', 'promocodeTexts'],
  ['', '^paymentMethod$', 'paymentCodes'],
  ['', '^variantId$', 'variants'],
  ['', '^discountId$', 'discounts'],
  ['', '^rewardId$', 'rewards'],
  ['^issueCompensation$', '^clientId$', 'giftClients'],
  ['', '^slotId$', 'slots'],
  ['', '^zoneId$', 'deliveryZones'],
  ['', '^erpItemSizeId$', 'itemSizes'],
  ['', '^erpItemId$', 'items'],
  ['', '^variantAxisCode$', 'axisCodes'],
  ['', '^variantAxisId$', 'axes'],
  ['', '^variantOptionCode$', 'optionCodes'],
  ['', '^(variantOptionId|optionId)$', 'options'],
  ['', '^variantIds?$', 'variants'],
  ['', '^revision$', 'revisions'],
  ['^pauseImport$', '^until$', 'future'],
  ['', '^until$', 'future'],
];

/** A body that checks a cart for pickup. Its name and phone make it an order. */
const CHECKOUT = `select json_build_object() as path, json_build_object('cartId', cart.id, 'paymentMethod', 'CASH', 'fulfillment',
    json_build_object('type', 'PICKUP', 'organizationId', organization.erp_id, 'slotId', 'asap'), 'customer',
    json_build_object('name', 'Anna', 'phone', '+79990001122')) as body
  from cart join mirror_organization organization on organization.id = cart.organization_id`;

/**
 * Complete requests for operations that need the current order of a list, or an entity in one
 * state.
 */
const EXACT: Readonly<Record<string, string>> = {
  orderCategoryProducts: `select json_build_object('id', category_id) as path,
      json_build_object('productIds', json_agg(product_id)) as body
    from catalog_product_category group by category_id`,
  orderVariants: `select json_build_object('id', product_id) as path, json_build_object('variantIds', json_agg(id)) as body
    from catalog_variant group by product_id`,
  archiveCategory: `select json_build_object('id', id) as path, json_build_object() as body from catalog_category
    where name like 'Empty %'`,
  changeCart: `select json_build_object() as path, json_build_object('cartId', id, 'version', version, 'organizationId', erp_id,
      'lines', lines) as body
    from (select cart.id, cart.version, organization.erp_id, (select json_agg(json_build_object('variantId', line -> 'variantId',
      'quantity', line -> 'quantity', 'modifiers', json_build_array())) from json_array_elements(cart.lines::json) line) as lines
      from cart join mirror_organization organization on organization.id = cart.organization_id) as posted`,
  acceptGiftDay: `select json_build_object() as path, json_build_object('date', day::text, 'organizationErpId', organization_erp_id,
      'fingerprint', fingerprint) as body from gift_reconciliation where fingerprint is not null`,
  checkCheckout: CHECKOUT,
  placeOrder: CHECKOUT,
  orderModifiers: `select json_build_object('group_key', group_key) as path, json_build_object('order', json_agg(erp_id)) as body
    from (select distinct g.group_key, i.erp_id from mirror_modifier_group g
            join mirror_modifier_link l on l.modifier_group_id = g.id join mirror_item i on i.id = l.item_id) as member
    group by group_key limit 100`,
};

export type FuzzPools = Record<string, unknown> & { pools: Pools };

/** Describes the product for hooks.py; `api` decides how requests are signed. */
export async function fuzzFixture(
  db: Database,
  given: {
    url: string;
    api: string;
    administrator: { email: string; password: string };
    guest: { email: string; password: string };
    webhookSecret: string;
    customerToken: string;
  },
): Promise<FuzzPools> {
  const pools = await readPools(db);
  const exact: Record<string, unknown[]> = {};
  for (const [operation, sql] of Object.entries(EXACT)) exact[operation] = await db.query(sql);
  const soon = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const isPublic = given.api === 'public';
  const admin = await selectRow(db, 'access_role', ['id'], { code: 'ADMIN' });
  return {
    ...given,
    pools: {
      ...pools,
      future: [soon(1), soon(24), soon(100)],
      slots: ['asap'],
      ...(isPublic ? { organizations: pools['organizationUuids'] ?? [] } : {}),
    },
    parameters: PARAMETERS,
    bodies: BODIES,
    exact,
    presets: presets(given, pools),
    untouchable: [
      ['^/users/', 1],
      ['^/users/', 2],
      ['^/roles/', admin.id],
    ],
    pictures: await pictures(),
  };
}

/** Values that no generator finds, such as a valid password. */
function presets(
  {
    guest,
    administrator,
  }: { guest: { email: string; password: string }; administrator: { password: string } },
  pools: Pools,
): Record<string, object[]> {
  const sizesOfUnboundItems = (pools['itemSizes'] ?? []).toReversed();
  const text = (pool: string) => String(pools[pool]?.[0]);
  return {
    login: [guest],
    changePassword: [
      { currentPassword: administrator.password, newPassword: administrator.password },
    ],
    createUser: Array.from({ length: 300 }, (_, index) => ({
      email: `staff-${index}@carte.test`,
      roles: ['VIEWER'],
    })),
    createProductOfItems: sizesOfUnboundItems.map((erpItemSizeId) => ({
      variantAxisCode: null,
      variants: [{ erpItemSizeId, isDefault: true }],
    })),
    startSyncRun: ['ORGANIZATIONS', 'TERMINALS', 'MENU_LIST', 'STOP_LIST', 'ZONES'].map((job) => ({
      job,
      scope: text('connections'),
    })),
  };
}

async function pictures(): Promise<string[]> {
  const { default: sharp } = await import('sharp');
  const sizes = [64, 300];
  return Promise.all(
    sizes.map(async (width) => {
      const image = sharp({
        create: { width, height: 48, channels: 3, background: { r: width % 255, g: 80, b: 20 } },
      });
      return (await image.png().toBuffer()).toString('hex');
    }),
  );
}
