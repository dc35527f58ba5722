import type { Database } from '../../db/database.ts';

/** Things of the running product by kind; Schemathesis is offered them where an operation names one of the kind. */
const POOLS: Readonly<Record<string, string>> = {
  products: 'select id as value from catalog_product order by id',
  slugs: `select slug as value from catalog_product where status = 'PUBLISHED' order by id`,
  variants: 'select id as value from catalog_variant order by id',
  categories: 'select id as value from catalog_category order by id',
  emptyCategories: `select id as value from catalog_category c where not exists
    (select from catalog_product_category l where l.category_id = c.id) order by id`,
  axes: 'select id as value from catalog_variant_axis order by id',
  axisCodes: 'select code as value from catalog_variant_axis order by id',
  options: 'select id as value from catalog_variant_option order by id',
  optionCodes: 'select code as value from catalog_variant_option order by id',
  badges: 'select id as value from catalog_badge order by id',
  media: 'select id as value from media order by id',
  users: 'select id as value from access_user where id > 2 order by id',
  roles: `select id as value from access_role where code <> 'ADMIN' order by id`,
  roleCodes: 'select code as value from access_role order by id',
  franchisees: 'select id as value from franchisee order by id',
  legalEntities: 'select id as value from legal_entity order by id',
  connections: 'select id as value from connection order by id',
  organizations: 'select id as value from mirror_organization order by id',
  organizationUuids: 'select erp_id::text as value from mirror_organization order by id',
  terminals: 'select id as value from mirror_terminal_group order by id',
  externalMenus: 'select id as value from mirror_external_menu order by id',
  priceCategories: 'select id as value from mirror_price_category order by id',
  items: `select erp_id::text as value from mirror_item where role = 'DISH' order by id limit 200`,
  itemSizes: `select s.id as value from mirror_item_size s join mirror_item i on i.id = s.item_id
    where i.role = 'DISH' and not exists (select from catalog_item_binding b where b.item_id = i.id) order by s.id`,
  modifiers: `select erp_id::text as value from mirror_item where role = 'MODIFIER' order by id limit 200`,
  modifierGroups: 'select distinct group_key as value from mirror_modifier_group order by 1 limit 200',
  runs: 'select id as value from sync_run order by id',
  pauses: 'select id as value from import_pause order by id',
  incidents: 'select id as value from binding_incident order by id',
  notifications: 'select id as value from notification order by id',
  revisions: 'select distinct revision as value from snapshot_revision order by 1',
  settings: `select unnest(array[]::text[]) as value`,
};

/** Parameters by path and name, the first rule that fits. */
const PARAMETERS: readonly [path: string, name: string, pool: string][] = [
  ['^/products/', '^slug$', 'slugs'],
  ['^/(menu|availability|categories|products|search)', '^organization_id$', 'organizations'],
  ['', '^organization_id$', 'organizations'],
  ['^/products/', '^id$', 'products'],
  ['', '^product_id$', 'products'],
  ['^/variants/', '^(id|variant_id)$', 'variants'],
  ['^/categories/\\{id\\}$', '^id$', 'categories'],
  ['^/categories/', '^id$', 'categories'],
  ['', '^category_id$', 'categories'],
  ['', '^option_id$', 'options'],
  ['^/variant-axes/', '^id$', 'axes'],
  ['^/badges/', '^id$', 'badges'],
  ['', '^badge_id$', 'badges'],
  ['^/media/', '^id$', 'media'],
  ['^/users/', '^id$', 'users'],
  ['^/roles/', '^id$', 'roles'],
  ['^/franchisees/', '^id$', 'franchisees'],
  ['', '^franchisee_id$', 'franchisees'],
  ['^/legal-entities/', '^id$', 'legalEntities'],
  ['', '^legal_entity_id$', 'legalEntities'],
  ['^/connections/', '^id$', 'connections'],
  ['', '^connection_id$', 'connections'],
  ['', '^terminal_id$', 'terminals'],
  ['^/external-menus/', '^id$', 'externalMenus'],
  ['', '^item_id$', 'items'],
  ['', '^erp_item_id$', 'modifiers'],
  ['', '^group_key$', 'modifierGroups'],
  ['^/sync/runs/', '^id$', 'runs'],
  ['^/sync/pauses/', '^id$', 'pauses'],
  ['^/binding-incidents/', '^id$', 'incidents'],
  ['^/notifications/', '^id$', 'notifications'],
  ['^/settings/', '^key$', 'settings'],
  ['^/snapshots/', '^(revision|from|to)$', 'revisions'],
];

/** Members of bodies by operation and name. */
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
  ['', '^organizationIds?$', 'organizations'],
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

/** Whole requests of operations that take an order of exactly what is there, or an entity in one state only. */
const EXACT: Readonly<Record<string, string>> = {
  orderCategoryProducts: `select json_build_object('id', category_id) as path,
      json_build_object('productIds', json_agg(product_id)) as body
    from catalog_product_category group by category_id`,
  archiveCategory: `select json_build_object('id', id) as path, json_build_object() as body from catalog_category
    where name like 'Empty %'`,
  orderModifiers: `select json_build_object('group_key', group_key) as path, json_build_object('order', json_agg(erp_id)) as body
    from (select distinct g.group_key, i.erp_id from mirror_modifier_group g
            join mirror_modifier_link l on l.modifier_group_id = g.id join mirror_item i on i.id = l.item_id) as member
    group by group_key limit 100`,
};

export type FuzzWorld = Record<string, unknown> & { pools: Record<string, unknown[]> };

/** What hooks.py needs to know about the running product; `contour` decides how requests are signed. */
export async function fuzzWorld(
  db: Database,
  given: {
    url: string;
    contour: string;
    administrator: { email: string; password: string };
    guest: { email: string; password: string };
    webhookSecret: string;
    settingKeys: string[];
  },
): Promise<FuzzWorld> {
  const pools: Record<string, unknown[]> = {};
  for (const [name, sql] of Object.entries(POOLS))
    pools[name] = (await db.query<{ value: unknown }>(sql)).map((row) => row.value);
  const exact: Record<string, unknown[]> = {};
  for (const [operation, sql] of Object.entries(EXACT)) exact[operation] = await db.query(sql);
  const soon = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const isPublic = given.contour === 'public';
  const { settingKeys, ...rest } = given;
  const [admin] = await db.query<{ id: number }>(`select id from access_role where code = 'ADMIN'`);
  return {
    ...rest,
    pools: {
      ...pools,
      settings: settingKeys,
      future: [soon(1), soon(24), soon(100)],
      ...(isPublic ? { organizations: pools['organizationUuids'] ?? [] } : {}),
    },
    parameters: PARAMETERS,
    bodies: BODIES,
    exact,
    presets: presets(given, pools),
    untouchable: [
      ['^/users/', 1],
      ['^/users/', 2],
      ['^/roles/', admin!.id],
    ],
    pictures: await pictures(),
  };
}

/** Bodies no generator finds: a password that is right, a job with a scope that exists. Merged over the generated body. */
function presets(
  { guest, administrator }: { guest: { email: string; password: string }; administrator: { password: string } },
  pools: Record<string, unknown[]>,
): Record<string, object[]> {
  const sizesOfUnboundItems = (pools['itemSizes'] ?? []).toReversed();
  const text = (pool: string) => String(pools[pool]?.[0]);
  return {
    login: [guest],
    changePassword: [{ currentPassword: administrator.password, newPassword: administrator.password }],
    createUser: Array.from({ length: 300 }, (_, index) => ({
      email: `staff-${index}@carte.test`,
      roles: ['VIEWER'],
    })),
    createProductOfItems: sizesOfUnboundItems.map((erpItemSizeId) => ({
      variantAxisCode: null,
      variants: [{ erpItemSizeId, isDefault: true }],
    })),
    startSyncRun: ['ORGANIZATIONS', 'TERMINALS', 'MENU_LIST', 'STOP_LIST'].map((job) => ({
      job,
      scope: text('connections'),
    })),
  };
}

/** Two small pictures, in hexadecimal. */
async function pictures(): Promise<string[]> {
  const { default: sharp } = await import('sharp');
  const sizes = [64, 300];
  return Promise.all(
    sizes.map(async (width) => {
      const image = sharp({ create: { width, height: 48, channels: 3, background: { r: width % 255, g: 80, b: 20 } } });
      return (await image.png().toBuffer()).toString('hex');
    }),
  );
}
