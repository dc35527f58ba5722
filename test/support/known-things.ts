import { SETTING_DEFAULTS } from '../../modules/settings/schemas/settings.ts';
import type { Database } from './text-database.ts';

/** Existing ids by kind, for Schemathesis. */
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
  deliveryZones: 'select id as value from mirror_delivery_zone order by id',
  zoneOverrides: 'select id as value from zone_override order by id',
  priceCategories: 'select id as value from mirror_price_category order by id',
  items: `select erp_id::text as value from mirror_item where role = 'DISH' order by id limit 200`,
  itemSizes: `select s.id as value from mirror_item_size s join mirror_item i on i.id = s.item_id
    where i.role = 'DISH' and not exists (select from catalog_item_binding b where b.item_id = i.id) order by s.id`,
  expectationRules: 'select id as value from expectation_rule order by id',
  guestNotices: 'select id as value from guest_notice order by id',
  paymentCodes: 'select code as value from payment_method order by sort_order',
  scheduleExceptions: 'select id as value from schedule_exception order by id',
  modifiers: `select erp_id::text as value from mirror_item where role = 'MODIFIER' order by id limit 200`,
  modifierGroups:
    'select distinct group_key as value from mirror_modifier_group order by 1 limit 200',
  runs: 'select id as value from sync_run order by id',
  pauses: 'select id as value from import_pause order by id',
  incidents: 'select id as value from binding_incident order by id',
  webhookEndpoints: 'select id as value from webhook_endpoint order by id',
  webhookDeliveries: 'select id as value from webhook_delivery order by id',
  notifications: 'select id as value from notification order by id',
  candidates: 'select id as value from compensation_candidate order by id',
  conflicts: 'select id as value from compensation_conflict order by id',
  unauthorizedGifts: 'select id as value from unauthorized_gift order by id',
  carts: 'select id as value from cart order by created_at',
  orders: 'select id as value from customer_order order by accepted_at',
  addresses: `select id as value from personal_data where purpose = 'ADDRESS' order by created_at`,
  discounts: 'select id as value from discount order by id',
  promocodes: 'select id as value from promocode order by id',
  promocodeTexts: 'select code as value from promocode order by id',
  compositionRules: 'select id as value from composition_rule order by id',
  rewards: 'select id as value from reward order by id',
  compensations: 'select id as value from compensation order by granted_at',
  giftClients: 'select id as value from compensation_client order by id',
  revisions: 'select distinct revision as value from snapshot_revision order by 1',
};

/** Pools of parameters by path and name. The first match applies. */
export const PARAMETERS: readonly [path: string, name: string, pool: string][] = [
  ['^/products/', '^slug$', 'slugs'],
  ['', '^cart_id$', 'carts'],
  ['', '^order_id$', 'orders'],
  ['^/orders/', '^id$', 'orders'],
  ['^/clients/', '^id$', 'giftClients'],
  ['^/compensation-candidates/', '^id$', 'candidates'],
  ['^/compensation-conflicts/', '^id$', 'conflicts'],
  ['^/compensations/unauthorized/', '^id$', 'unauthorizedGifts'],
  ['', '^address_id$', 'addresses'],
  ['^/addresses/', '^id$', 'addresses'],
  ['^/discounts/', '^id$', 'discounts'],
  ['', '^discount_id$', 'discounts'],
  ['^/rewards/', '^id$', 'rewards'],
  ['', '^reward_id$', 'rewards'],
  ['^/compensations/', '^id$', 'compensations'],
  ['^/promocodes/', '^id$', 'promocodes'],
  ['^/composition-rules/', '^id$', 'compositionRules'],
  ['^/organizations/', '^id$', 'organizations'],
  ['^/expectation-rules/', '^id$', 'expectationRules'],
  ['^/notices/', '^id$', 'guestNotices'],
  ['^/payment-methods/', '^code$', 'paymentCodes'],
  ['^/schedule-exceptions/', '^id$', 'scheduleExceptions'],
  [
    '^/(menu|availability|categories|products|search|facets|structured-data|sitemap)',
    '^organization_id$',
    'organizations',
  ],
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
  ['^/delivery-zones/', '^id$', 'deliveryZones'],
  ['^/zone-overrides/', '^id$', 'zoneOverrides'],
  ['', '^zone_id$', 'deliveryZones'],
  ['', '^item_id$', 'items'],
  ['', '^erp_item_id$', 'modifiers'],
  ['', '^group_key$', 'modifierGroups'],
  ['^/sync/runs/', '^id$', 'runs'],
  ['^/sync/pauses/', '^id$', 'pauses'],
  ['^/binding-incidents/', '^id$', 'incidents'],
  ['^/webhook-endpoints/', '^id$', 'webhookEndpoints'],
  ['^/webhook-deliveries/', '^id$', 'webhookDeliveries'],
  ['^/notifications/', '^id$', 'notifications'],
  ['^/settings/', '^key$', 'settings'],
  ['^/snapshots/', '^(revision|from|to)$', 'revisions'],
];

export type Pools = Readonly<Record<string, readonly unknown[]>>;

/** Reads every pool, ordered by id. */
export async function readPools(db: Database): Promise<Pools> {
  const pools: Record<string, unknown[]> = {};
  for (const [name, sql] of Object.entries(POOLS))
    pools[name] = (await db.query<{ value: unknown }>(sql)).map((row) => row.value);
  return { ...pools, settings: Object.keys(SETTING_DEFAULTS) };
}

export function poolOfParameter(path: string, name: string): string | undefined {
  return PARAMETERS.find(
    ([paths, names]) => new RegExp(paths).test(path) && new RegExp(names).test(name),
  )?.[2];
}
