import type { Pools } from '../support/known-things.ts';

/** One request of an example. Parameters of the path that are left out are taken from the pools; `version` is read. */
export type Recipe = {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
};

/** What a recipe may name: members of the pools by their number, and moments from now. */
export type Known = {
  pools: Pools;
  pick: (pool: string, index?: number) => unknown;
  inHours: (hours: number) => string;
  /** Account of a member of staff who signs in and changes the own password. */
  guest: { email: string; password: string };
  query: <T>(sql: string) => Promise<T[]>;
  /** An order with a gift that was sent and of which nobody knows what became; its id. */
  forgottenOrder: () => Promise<string>;
};

type Make = (known: Known) => Recipe | Promise<Recipe>;

const on =
  (pool: string, index: number, body?: (known: Known) => object): Make =>
  (known) => ({
    params: { id: known.pick(pool, index) },
    ...(body === undefined ? {} : { body: body(known) }),
  });

/** Reads of what a command leaves behind: they are sent at their place among the commands, other reads before all of them. */
export const READ_AFTERWARDS = [
  'listBindingHistory',
  'getCart',
  'getOrder',
  'listOrders',
  'listStaffOrders',
  'getStaffOrder',
  'getOrderDecision',
  'getExpectationRule',
  'getGuestNotice',
  'listZoneOverrides',
  'getZoneOverride',
  'listDiscounts',
  'getDiscount',
  'listPromocodes',
  'getPromocode',
  'listCompositionRules',
  'getCompositionRule',
  'listServiceRoles',
  'listRewards',
  'getReward',
  'listCompensations',
  'getCompensation',
  'explainCompensation',
  'listGiftDays',
  'exportGiftDays',
  'listCompensationCandidates',
  'listCompensationConflicts',
  'listUnauthorizedGifts',
];

/** Requests of everything that a list of pools cannot say, in the order in which they are sent. */
export const RECIPES: Readonly<Record<string, Make>> = {
  searchProducts: () => ({ query: { q: 'пицца' } }),
  changeCart: async ({ query }) => {
    const [row] = await query<{ organizationId: string; variantId: number }>(
      `select organization.erp_id as "organizationId", variant.id as "variantId"
         from served_organization organization
         join mirror_price price on price.organization_id = organization.id and price.lost_at is null
         join catalog_variant variant on variant.item_size_id = price.item_size_id
         join catalog_product product on product.id = variant.product_id and product.status = 'PUBLISHED'
        order by organization.id, variant.id limit 1`,
    );
    const line = { variantId: row?.variantId, quantity: 2, modifiers: [], comment: 'Без лука' };
    return { body: { organizationId: row?.organizationId, lines: [line], options: { cutlery: 2 } } };
  },
  createReward: async ({ query }) => {
    // The ERP of the demo sells nothing for nothing: one dish that no product has becomes a gift.
    const [gift] = await query<{ erpItemId: string }>(
      `with gift as (
         select item.id, item.erp_id from mirror_item item
          where item.role = 'DISH' and item.deleted_at is null
            and not exists (select from catalog_item_binding binding where binding.item_id = item.id)
            and exists (select from mirror_item_size size join mirror_price price on price.item_size_id = size.id
                         where size.item_id = item.id and price.lost_at is null)
            and not exists (select from service_role role where role.erp_item_id = item.erp_id)
          order by item.id limit 1),
       free as (
         update mirror_price set price_kopecks = 0 from mirror_item_size size, gift
          where size.id = mirror_price.item_size_id and size.item_id = gift.id)
       select erp_id as "erpItemId" from gift`,
    );
    return { body: { code: 'gift-tart', name: 'Тарт в подарок', erpItemId: gift?.erpItemId } };
  },
  editReward: async ({ query }) => ({
    params: { id: await rewardOf(query, 'TART') },
    body: { name: 'Тарт с ягодами в подарок' },
  }),
  checkReward: async ({ query }) => ({ params: { id: await rewardOf(query, 'TART') } }),
  listRewards: () => ({}),
  getReward: async ({ query }) => ({ params: { id: await rewardOf(query, 'TART') } }),
  issueCompensation: async ({ query }) => ({
    body: {
      clientPhone: '+7 999 000 11 22',
      connectionId: (await query<{ id: number }>('select id from connection order by id limit 1'))[0]?.id,
      rewardId: await rewardOf(query, 'TART'),
      reason: 'LATE_DELIVERY',
      reasonComment: 'Курьер опоздал на час',
    },
  }),
  listCompensations: () => ({}),
  listGiftDays: () => ({ query: lastDays() }),
  exportGiftDays: () => ({ query: lastDays() }),
  acceptGiftDay: async ({ query }) => {
    const [day] = await query<object>(
      `select day::text as date, organization_erp_id as "organizationErpId", fingerprint from gift_reconciliation
        where fingerprint is not null order by day desc limit 1`,
    );
    return { body: { ...day, reason: 'Гость взял одну порцию из двух' } };
  },
  getCompensation: async ({ query }) => ({ params: { id: await grantedRight(query, 'TART') } }),
  explainCompensation: async ({ query, pick }) => ({
    params: { id: await grantedRight(query, 'TART') },
    query: { cart_id: pick('carts') },
  }),
  rebindCompensation: async ({ query }) => ({
    params: { id: await grantedRight(query, 'TART') },
    body: { rewardId: await rewardOf(query, 'JUICE'), reason: 'Клиент выбрал другой подарок' },
  }),
  cancelCompensation: async ({ query }) => ({
    params: { id: await grantedRight(query, 'JUICE') },
    body: { reason: 'Выдано по ошибке' },
  }),
  listUnauthorizedGifts: () => ({ query: { status: 'OPEN' } }),
  settleUnauthorizedGift: ({ pick }) => ({
    params: { id: pick('unauthorizedGifts') },
    body: { decision: 'ALLOWED', reason: 'Управляющий разрешил по телефону' },
  }),
  createDiscount: () => ({
    body: {
      code: 'LUNCH',
      name: 'Обед со скидкой',
      percent: 15,
      weekdays: [1, 2, 3, 4, 5],
      fromTime: '12:00',
      toTime: '16:00',
      needsPromocode: true,
    },
  }),
  getDiscount: async ({ query }) => ({
    params: { id: (await query<{ id: number }>('select id from discount'))[0]?.id },
  }),
  editDiscount: async ({ query }) => ({
    params: { id: (await query<{ id: number }>('select id from discount'))[0]?.id },
    body: { minSubtotal: 900 },
  }),
  createPromocode: async ({ query }) => ({
    body: { code: 'LUNCH15', discountId: (await query<{ id: number }>('select id from discount'))[0]?.id },
  }),
  getPromocode: async ({ query }) => ({
    params: { id: (await query<{ id: number }>('select id from promocode'))[0]?.id },
  }),
  editPromocode: async ({ query }) => ({
    params: { id: (await query<{ id: number }>('select id from promocode'))[0]?.id },
    body: { isActive: false },
  }),
  listDiscounts: () => ({}),
  listPromocodes: () => ({}),
  deletePromocode: async ({ query }) => ({
    params: { id: (await query<{ id: number }>('select id from promocode'))[0]?.id },
  }),
  deleteDiscount: async ({ query }) => ({
    params: { id: (await query<{ id: number }>('select id from discount'))[0]?.id },
  }),
  createCompositionRule: () => ({ body: { role: 'FREE_SOY', everyPersons: 1, freeUnits: 1 } }),
  getCompositionRule: async ({ query }) => ({
    params: { id: (await query<{ id: number }>('select id from composition_rule'))[0]?.id },
  }),
  editCompositionRule: async ({ query }) => ({
    params: { id: (await query<{ id: number }>('select id from composition_rule'))[0]?.id },
    body: { freeUnits: 2 },
  }),
  listCompositionRules: () => ({}),
  calculateComposition: async ({ query }) => ({
    body: {
      lines: [
        { variantId: (await query<{ id: number }>('select id from catalog_variant order by id'))[0]?.id, quantity: 2 },
      ],
      cutlery: 2,
    },
  }),
  deleteCompositionRule: async ({ query }) => ({
    params: { id: (await query<{ id: number }>('select id from composition_rule'))[0]?.id },
  }),
  replaceServiceRoles: async ({ query }) => ({
    body: {
      items: [
        {
          role: 'PAID_SOY',
          variantId: (await query<{ id: number }>('select id from catalog_variant order by id'))[0]?.id,
        },
      ],
    },
  }),
  listServiceRoles: () => ({}),
  checkCheckout: async ({ query }) => {
    const [cart] = await query<{ id: string; organizationId: string }>(
      `select cart.id, organization.erp_id as "organizationId"
         from cart join mirror_organization organization on organization.id = cart.organization_id order by cart.created_at limit 1`,
    );
    return {
      body: {
        cartId: cart?.id,
        fulfillment: { type: 'PICKUP', organizationId: cart?.organizationId, slotId: 'asap' },
        paymentMethod: 'CASH',
        changeFrom: 5_000,
      },
    };
  },
  getCart: async ({ query }) => {
    const [cart] = await query<{ id: string }>('select id from cart order by created_at limit 1');
    return { query: { cart_id: cart?.id } };
  },
  placeOrder: async ({ query }) => {
    const [cart] = await query<{ id: string; organizationId: string }>(
      `select cart.id, organization.erp_id as "organizationId"
         from cart join mirror_organization organization on organization.id = cart.organization_id order by cart.created_at limit 1`,
    );
    return {
      body: {
        cartId: cart?.id,
        cartVersion: 1,
        fulfillment: { type: 'PICKUP', organizationId: cart?.organizationId, slotId: 'asap' },
        paymentMethod: 'CASH',
        customer: { name: 'Анна', phone: '+79990001122' },
        comment: 'Позвоните за пять минут',
      },
    };
  },
  getOrder: async ({ query }) => ({ params: { order_id: await anOrder(query) } }),
  repeatOrder: async ({ query }) => ({ params: { order_id: await anOrder(query) } }),
  cancelOrder: async ({ query }) => ({ params: { order_id: await anOrder(query) }, body: { reason: 'Передумала' } }),
  listOrders: () => ({}),
  listStaffOrders: () => ({}),
  getStaffOrder: async ({ query }) => ({ params: { id: await anOrder(query) } }),
  getOrderDecision: async ({ query }) => ({ params: { id: await anOrder(query) } }),
  diffRevisions: async ({ query }) => {
    const [row] = await query<{ id: number; from: number; to: number }>(
      `select organization_id as id, min(revision) as from, max(revision) as to from snapshot_revision
        group by 1 having count(*) > 1 order by 1 limit 1`,
    );
    return { params: { organization_id: row?.id }, query: { from: row?.from, to: row?.to } };
  },
  getRevision: async ({ query }) => {
    const [row] = await query<{ id: number; revision: number }>(
      'select organization_id as id, revision from snapshot_revision order by 1, 2 limit 1',
    );
    return { params: { organization_id: row?.id, revision: row?.revision } };
  },

  resolveDelivery: () => ({ body: { address: { city: 'Москва', street: 'Садовая улица', house: '12' } } }),
  addAddress: async ({ query }) => {
    const [cart] = await query<{ id: string }>('select id from cart order by created_at limit 1');
    const address = { city: 'Москва', street: 'Садовая улица', house: '12', flat: '42', entrance: '2', floor: '5' };
    return { body: { cartId: cart?.id, address } };
  },
  explainDelivery: () => ({ body: { coords: [37.6017, 55.7652] } }),
  suggestAddresses: () => ({ query: { q: 'москва садовая 12' } }),
  updateDeliveryZone: on('deliveryZones', 0, () => ({
    displayName: 'Тверской район',
    priority: 10,
    style: { color: '#33aa55', opacity: 0.4 },
    texts: { notice: 'Курьер приезжает на велосипеде' },
  })),
  createZoneOverride: ({ pick, inHours }) => ({
    body: { zoneId: pick('deliveryZones'), minOrderSum: 500, deliveryFee: null, validTo: inHours(24) },
  }),
  listZoneOverrides: () => ({}),
  getZoneOverride: () => ({}),
  updateZoneOverride: on('zoneOverrides', -1, () => ({ minOrderSum: 600 })),
  deleteZoneOverride: on('zoneOverrides', -1),

  login: ({ guest }) => ({ body: guest }),
  refresh: () => ({}),
  createUser: () => ({
    body: {
      email: 'anna@example.com',
      fullName: 'Анна Смирнова',
      roles: ['CONTENT_MANAGER'],
      password: 'a sentence nobody guesses',
    },
  }),
  updateUser: on('users', 1, () => ({ fullName: 'Иван Петров', roles: ['OPERATOR', 'VIEWER'] })),
  deleteUser: on('users', 2),
  createRole: () => ({
    body: { code: 'PHOTOGRAPHER', name: 'Фотограф', permissions: ['catalog.read', 'media.read', 'media.write'] },
  }),
  updateRole: on('roles', -1, () => ({ permissions: ['catalog.read', 'media.read'] })),
  logout: () => ({}),
  changePassword: ({ guest }) => ({
    body: { currentPassword: guest.password, newPassword: 'another sentence nobody guesses' },
  }),

  createFranchisee: () => ({ body: { name: 'ООО «Северный ветер»' } }),
  updateFranchisee: on('franchisees', -1, () => ({ name: 'ООО «Южный ветер»' })),
  deactivateFranchisee: on('franchisees', -1, () => ({})),
  activateFranchisee: on('franchisees', -1, () => ({})),
  createLegalEntity: ({ pick }) => ({
    body: { franchiseeId: pick('franchisees', -1), name: 'ООО «Ветер»', taxId: '7700000027' },
  }),
  updateLegalEntity: on('legalEntities', -1, () => ({ name: 'ООО «Ветер и Ко»' })),
  deactivateLegalEntity: on('legalEntities', -1, () => ({})),
  activateLegalEntity: on('legalEntities', -1, () => ({})),
  createConnection: ({ pick }) => ({
    body: { legalEntityId: pick('legalEntities', -1), name: 'Касса на Тверской', apiLogin: 'credential-of-the-erp' },
  }),
  renameConnection: on('connections', -1, () => ({ name: 'Касса на Арбате' })),
  replaceApiLogin: on('connections', -1, () => ({ apiLogin: 'another-credential-of-the-erp' })),
  disableConnection: on('connections', -1, () => ({})),
  enableConnection: on('connections', -1, () => ({})),

  updateExternalMenu: on('externalMenus', 0, () => ({ priority: 10 })),
  pauseImport: ({ pick, inHours }) => ({
    body: {
      connectionId: pick('connections'),
      job: 'TERMINALS',
      reason: 'Работы на стороне кассы',
      until: inHours(2),
    },
  }),
  endImportPause: on('pauses', -1),
  startSyncRun: ({ pick }) => ({ body: { job: 'ORGANIZATIONS', scope: String(pick('connections')) } }),
  acceptSyncRunShrink: async ({ query }) => {
    const [row] = await query<{ id: number }>(
      `select id from sync_run where reason = 'SUSPICIOUS_SHRINK' order by id desc limit 1`,
    );
    return { params: { id: row?.id }, body: { reason: 'Меню обновлено: старые блюда сняты' } };
  },
  receiveErpWebhook: ({ pick }) => ({
    body: [
      {
        eventType: 'StopListUpdate',
        eventTime: '2026-01-15 12:30:00.000',
        organizationId: pick('organizationUuids'),
        correlationId: '2b0f8b6e-7a55-4d6c-9a14-0d5a3f1f7f10',
        eventInfo: { terminalGroupsStopListsUpdates: [] },
      },
    ],
  }),

  getOrganizationStatus: ({ pick }) => ({ params: { id: pick('organizationUuids') } }),
  getDeliverySlots: () => ({ query: { type: 'DELIVERY' } }),
  previewStatus: () => ({ query: { at: '2026-11-23T18:30:00+03:00' } }),
  previewSlots: () => ({ query: { at: '2026-11-23T18:30:00+03:00', type: 'DELIVERY' } }),
  editOrdering: () => ({
    body: { deliveryEnabled: true, pickupEnabled: true, timeZone: 'Europe/Moscow', pickupCookingMinutes: 25 },
  }),
  replaceSchedule: () => ({
    body: {
      windows: ['DELIVERY', 'DINE_IN'].flatMap((channel) =>
        [1, 2, 3, 4, 5, 6, 7].map((dayOfWeek) => ({
          dayOfWeek,
          channel,
          opensAt: '10:00',
          closesAt: dayOfWeek > 4 ? '01:00' : '23:00',
          crossesMidnight: dayOfWeek > 4,
        })),
      ),
    },
  }),
  createScheduleException: () => ({
    body: {
      kind: 'SPECIAL_HOURS',
      date: '2026-12-31',
      windows: [{ opensAt: '10:00', closesAt: '18:00', crossesMidnight: false }],
      reason: 'Новый год',
    },
  }),
  copyOrdering: ({ pick }) => ({
    params: { id: pick('organizations', 2) },
    body: { fromOrganizationId: pick('organizations'), parts: ['CONFIG', 'SCHEDULE'], mode: 'PLAN' },
  }),
  createExpectationRule: ({ inHours }) => ({
    body: { scope: 'GLOBAL', durationMinutes: 15, activeTo: inHours(3) },
  }),
  getExpectationRule: on('expectationRules', -1),
  editExpectationRule: on('expectationRules', -1, () => ({ durationMinutes: 20 })),
  deleteExpectationRule: on('expectationRules', -1),
  createGuestNotice: () => ({
    body: {
      code: 'HIGH_DEMAND',
      severity: 'WARNING',
      title: 'Много заказов',
      text: 'Доставка займёт около {deliveryMinutes} минут.',
      ttlSeconds: 3_600,
    },
  }),
  getGuestNotice: on('guestNotices', -1),
  editGuestNotice: on('guestNotices', -1, () => ({ severity: 'INFO' })),
  deleteGuestNotice: on('guestNotices', -1),
  editPaymentMethod: ({ pick }) => ({
    params: { code: 'CASH' },
    body: { availability: [{ organizationId: pick('organizations'), fulfillmentTypes: ['DELIVERY', 'PICKUP'] }] },
  }),
  editScheduleException: on('scheduleExceptions', -1, () => ({ reason: 'Закрываемся раньше' })),
  deleteScheduleException: on('scheduleExceptions', -1),

  createCategory: () => ({ body: { name: 'Завтраки', position: 5 } }),
  updateCategory: on('categories', -1, () => ({ name: 'Завтраки весь день' })),
  saveCategoryTree: async ({ query }) => ({
    body: {
      nodes: await query('select id, parent_id as "parentId", position from catalog_category order by id limit 3'),
    },
  }),
  orderCategoryProducts: async ({ query }) => {
    const [row] = await query<{ id: number; products: number[] }>(
      `select category_id as id, json_agg(product_id order by product_id desc) as products from catalog_product_category
        group by 1 order by count(*), 1 limit 1`,
    );
    return { params: { id: row?.id }, body: { productIds: row?.products } };
  },
  archiveCategory: on('categories', -1),

  createVariantAxis: () => ({
    body: {
      code: 'DRINK_VOLUME',
      name: 'Объём',
      uiType: 'SEGMENTED',
      options: [
        { code: 'V_330', name: '0,33 л', shortName: '0,33' },
        { code: 'V_500', name: '0,5 л', shortName: '0,5' },
      ],
    },
  }),
  editVariantAxis: on('axes', -1, () => ({ name: 'Объём напитка' })),
  editVariantOption: async ({ query }) => {
    const [row] = await query<{ id: number; optionId: number }>(
      'select axis_id as id, id as "optionId" from catalog_variant_option order by id desc limit 1',
    );
    return { params: { id: row?.id, option_id: row?.optionId }, body: { name: '0,5 л', shortName: '½ л' } };
  },
  addVariantOption: ({ pick }) => ({
    params: { id: pick('axes', -1) },
    body: { code: 'V_1000', name: '1 л', shortName: '1' },
  }),
  createBadge: () => ({ body: { code: 'NEW', name: 'Новинка', position: 1 } }),
  editBadge: on('badges', -1, () => ({ name: 'Новинка сезона' })),

  editProduct: on('products', 0, () => ({ subtitle: 'Готовим из локальных продуктов', composition: null })),
  unpublishProduct: on('products', 1),
  publishProduct: on('products', 1),
  archiveProduct: on('products', 2),
  createProduct: ({ pick }) => ({
    body: {
      name: 'Маргарита',
      subtitle: 'Томаты, моцарелла, базилик',
      composition: 'Тесто, томатный соус, моцарелла, базилик',
      seoTitle: 'Пицца «Маргарита» с доставкой',
      mainImageId: pick('media'),
      variantAxisId: pick('axes'),
      categoryIds: [pick('categories', 1)],
    },
  }),
  bulkProducts: ({ pick }) => ({
    body: {
      productIds: [pick('products', 3), pick('products', 4)],
      action: 'ADD_TO_CATEGORY',
      payload: { categoryId: pick('categories', 1) },
    },
  }),
  createProductOfItems: ({ pick }) => ({
    body: {
      name: 'Пепперони',
      categoryIds: [pick('categories', 1)],
      mainImageId: pick('media'),
      variants: [{ erpItemSizeId: pick('itemSizes'), isDefault: true }],
    },
  }),
  explainProduct: ({ pick }) => ({ query: { organization_id: pick('organizations') } }),
  addVariant: async ({ query }) => {
    const [row] = await query<{ id: number; optionId: number; itemId: string; sizeId: number }>(
      `select p.id, o.id as "optionId", i.erp_id as "itemId", s.id as "sizeId"
         from catalog_product p join catalog_variant_option o on o.axis_id = p.variant_axis_id
         cross join mirror_item_size s join mirror_item i on i.id = s.item_id
        where p.status <> 'ARCHIVED' and i.role = 'DISH' and i.deleted_at is null
          and not exists (select from catalog_variant v where v.product_id = p.id and v.option_id = o.id)
          and not exists (select from catalog_item_binding b where b.item_id = i.id)
        order by p.id, o.id, s.id limit 1`,
    );
    return {
      params: { id: row?.id },
      body: { erpItemId: row?.itemId, erpItemSizeId: row?.sizeId, variantOptionId: row?.optionId, isDefault: false },
    };
  },
  updateVariant: async ({ query }) => {
    const [row] = await query<{ id: number; version: number }>(
      'select id, version from catalog_variant order by id desc limit 1',
    );
    return { params: { variant_id: row?.id }, body: { version: row?.version, isDefault: true } };
  },
  orderVariants: async ({ query }) => {
    const [row] = await query<{ id: number; ids: number[] }>(
      `select product_id as id, json_agg(id order by position desc) as ids from catalog_variant
        group by 1 having count(*) > 1 order by 1 desc limit 1`,
    );
    return { params: { id: row?.id }, body: { variantIds: row?.ids } };
  },
  removeVariant: async ({ query }) => {
    const [row] = await query<{ id: number }>('select id from catalog_variant order by id desc limit 1');
    return { params: { variant_id: row?.id } };
  },
  triageErpItem: async ({ query }) => {
    const [row] = await query<{ id: string }>(
      `select erp_id as id from mirror_item i where role = 'DISH' and deleted_at is null
          and not exists (select from catalog_item_binding b where b.item_id = i.id) order by id desc limit 1`,
    );
    return { params: { item_id: row?.id }, body: { status: 'IGNORED', note: 'Только для персонала' } };
  },
  listCompensationCandidates: () => ({ query: { status: 'OPEN' } }),
  listCompensationConflicts: () => ({ query: { status: 'OPEN' } }),
  settleOrderGifts: async ({ forgottenOrder }) => ({
    params: { id: await forgottenOrder() },
    body: { outcome: 'NOT_CREATED', reason: 'В ресторане такого заказа нет' },
  }),
  forgetClient: () => ({ body: { phone: '+7 999 000 44 55', reason: 'Гость попросил по телефону' } }),
  confirmCompensationCandidate: async ({ query, pick }) => ({
    params: { id: pick('candidates', 0) },
    body: {
      rewardId: await rewardOf(query, 'TART'),
      reason: 'SERVICE_ERROR',
      reasonComment: 'Оператор обещал в октябре, подарка ещё не было',
    },
  }),
  dismissCompensationCandidate: on('candidates', 1, () => ({ reason: 'Подарок отдали в октябре' })),
  resolveCompensationConflict: on('conflicts', 1, () => ({ decision: 'GRANT', reason: 'Гость ждал дважды' })),
  dismissBindingIncident: on('incidents', 0, () => ({ note: 'Блюдо вернётся в мае' })),
  snoozeBindingIncident: on('incidents', 1, ({ inHours }) => ({ until: inHours(24) })),
  listRebindCandidates: async ({ query }) => ({ params: { id: await variantOfIncident(query, 2) } }),
  rebindVariant: async ({ query, pick }) => ({
    params: { id: await variantOfIncident(query, 2) },
    body: { erpItemSizeId: pick('itemSizes', 1), reason: 'Блюдо заведено в ERP заново' },
  }),
  listBindingHistory: async ({ query }) => {
    const [row] = await query<{ id: number }>(
      `select variant_id as id from binding_history order by reason is null, id desc limit 1`,
    );
    return { params: { id: row?.id } };
  },
  editModifierGroup: ({ pick }) => ({
    params: { group_key: pick('modifierGroups') },
    body: { version: 0, displayName: 'Добавить к блюду', uiType: 'CHECKBOX', isCollapsed: true },
  }),
  orderModifiers: async ({ query }) => {
    const [row] = await query<{ key: string; order: string[] }>(
      `select g.group_key as key, json_agg(distinct i.erp_id) as order from mirror_modifier_group g
         join mirror_modifier_link l on l.modifier_group_id = g.id join mirror_item i on i.id = l.item_id
        where not exists (select from catalog_modifier_group_profile p where p.group_key = g.group_key)
        group by 1 order by 1 limit 1`,
    );
    return { params: { group_key: row?.key }, body: { version: 0, order: row?.order } };
  },
  editModifier: ({ pick }) => ({
    params: { erp_item_id: pick('modifiers') },
    body: { version: 0, displayName: 'Сыр моцарелла', imageId: pick('media') },
  }),
  uploadMedia: () => ({ body: { folder: 'pizza', alt: 'Пицца на деревянной доске' } }),
  updateMedia: on('media', 0, () => ({ alt: 'Пицца на доске', focalPoint: { x: 0.4, y: 0.6 } })),
  resendNotification: on('notifications', 0),
  readNotification: on('notifications', 0),
  changeSetting: () => ({ params: { key: 'stoplist_behaviour' }, body: { version: 0, value: 'HIDE' } }),
  pinRevision: async ({ query, inHours }) => {
    const [row] = await query<{ id: number; revision: number }>(
      'select organization_id as id, min(revision) as revision from snapshot_revision group by 1 order by 1 limit 1',
    );
    return {
      params: { organization_id: row?.id },
      body: { revision: row?.revision, reason: 'Проверяем меню праздника', until: inHours(3) },
    };
  },
  unpinRevision: ({ pick }) => ({
    params: { organization_id: pick('organizations') },
    body: { reason: 'Меню праздника готово' },
  }),
};

async function rewardOf(query: Known['query'], code: string): Promise<number | undefined> {
  const [reward] = await query<{ id: number }>(`select id from reward where code = '${code}'`);
  return reward?.id;
}

/** The right to this gift that was granted last and that nobody has used yet. */
async function grantedRight(query: Known['query'], code: string): Promise<string | undefined> {
  const [right] = await query<{ id: string }>(
    `select compensation.id from compensation join reward on reward.id = reward_id
      where status = 'GRANTED' and reward.code = '${code}' order by granted_at desc limit 1`,
  );
  return right?.id;
}

/** The last days that are over. */
function lastDays(): { from: string; to: string } {
  const today = Temporal.Now.plainDateISO('UTC');
  return { from: today.subtract({ days: 7 }).toString(), to: today.toString() };
}

async function anOrder(query: Known['query']): Promise<string | undefined> {
  const [order] = await query<{ id: string }>('select id from customer_order order by accepted_at limit 1');
  return order?.id;
}

async function variantOfIncident(query: Known['query'], index: number): Promise<number | undefined> {
  const rows = await query<{ id: number }>('select variant_id as id from binding_incident order by id');
  return rows[index]?.id;
}
