import { treeVersion } from '../../modules/catalog/categories/category-views.ts';
import type { Pools } from '../support/known-things.ts';
import { addRow, not, selectRows, updateRows } from '../support/rows.ts';
import type { Database } from '../support/text-database.ts';

/** Missing path parameters come from the pools, `version` from the API. */
export type Recipe = {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  /** The file to upload, by default a picture. */
  sheet?: string;
};

/** `pick` returns a member by number. */
export type Known = {
  pools: Pools;
  pick: (pool: string, index?: number) => unknown;
  inHours: (hours: number) => string;
  /** A staff account that signs in and changes its password. */
  guest: { email: string; password: string };
  db: Database;
  /** An order that was sent with an unknown result. Returns its id. */
  forgottenOrder: () => Promise<string>;
  /** An order that failed because the ERP was down. Returns its id. */
  unsentOrder: () => Promise<string>;
  exportToken: () => Promise<string>;
};

type Make = (known: Known) => Recipe | Promise<Recipe>;

const on =
  (pool: string, index: number, body?: (known: Known) => object): Make =>
  (known) => ({
    params: { id: known.pick(pool, index) },
    ...(body === undefined ? {} : { body: body(known) }),
  });

/** Reads that return results of commands, sent in order with the commands. */
export const READ_AFTERWARDS = [
  'listWebhookEndpoints',
  'getWebhookEndpoint',
  'listWebhookDeliveries',
  'listBindingHistory',
  'getCart',
  'getOrder',
  'streamOrder',
  'listOrders',
  'listStaffOrders',
  'getStaffOrder',
  'listOrderAttempts',
  'getOrderDecision',
  'listBusyModes',
  'getBusyMode',
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
  'exportCompensations',
  'exportOrders',
  'downloadExport',
  'getCompensation',
  'explainCompensation',
  'listGiftDays',
  'listDifferingOrders',
  'exportGiftDays',
  'listCompensationCandidates',
  'listCompensationConflicts',
  'listUnauthorizedGifts',
];

/** Requests that a list of pools cannot express, in order. */
export const RECIPES: Readonly<Record<string, Make>> = {
  searchProducts: () => ({ query: { q: 'пицца' } }),
  changeCart: async ({ db }) => {
    const [row] = await db.db
      .selectFrom('served_organization as organization')
      .innerJoin('mirror_price as price', (join) =>
        join.onRef('price.organizationId', '=', 'organization.id').on('price.lostAt', 'is', null),
      )
      .innerJoin('catalog_variant as variant', 'variant.itemSizeId', 'price.itemSizeId')
      .innerJoin('catalog_product as product', (join) =>
        join.onRef('product.id', '=', 'variant.productId').on('product.status', '=', 'PUBLISHED'),
      )
      .select(['organization.erpId as organizationId', 'variant.id as variantId'])
      .orderBy('organization.id')
      .orderBy('variant.id')
      .limit(1)
      .execute();
    const line = { variantId: row?.variantId, quantity: 2, modifiers: [], comment: 'Без лука' };
    return {
      body: { organizationId: row?.organizationId, lines: [line], options: { cutlery: 2 } },
    };
  },
  createReward: async ({ db }) => {
    // The ERP of the demo has no free dish, so a dish without a product becomes a gift.
    const [gift] = await db.query<{ erpItemId: string }>(
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
  editReward: async ({ db }) => ({
    params: { id: await findReward(db, 'TART') },
    body: { name: 'Тарт с ягодами в подарок' },
  }),
  checkReward: async ({ db }) => ({ params: { id: await findReward(db, 'TART') } }),
  listRewards: () => ({}),
  getReward: async ({ db }) => ({ params: { id: await findReward(db, 'TART') } }),
  issueCompensation: async ({ db }) => ({
    body: {
      clientPhone: '+7 999 000 11 22',
      connectionId: (await selectRows(db, 'connection', ['id'], {}, { orderBy: 'id', limit: 1 }))[0]
        ?.id,
      rewardId: await findReward(db, 'TART'),
      reason: 'LATE_DELIVERY',
      reasonComment: 'Курьер опоздал на час',
    },
  }),
  listCompensations: () => ({}),
  exportCompensations: () => ({}),
  exportOrders: () => ({}),
  exportProducts: () => ({ query: { q: 'айран' } }),
  importProductTexts: async ({ db }) => {
    const [product] = await selectRows(
      db,
      'catalog_product',
      ['id', 'name'],
      {},
      { orderBy: 'id', limit: 1 },
    );
    return {
      body: { mode: 'PLAN' },
      sheet: `id,name,subtitle\n${product?.id},${product?.name},Новинка\n`,
    };
  },
  listGiftDays: () => ({ query: lastDays() }),
  listDifferingOrders: () => ({ query: { date: lastDays().to } }),
  exportGiftDays: () => ({ query: lastDays() }),
  acceptGiftDay: async ({ db }) => {
    const [day] = await selectRows(
      db,
      'gift_reconciliation',
      ['day as date', 'organizationErpId', 'fingerprint'],
      { fingerprint: not(null) },
      { orderBy: 'day desc', limit: 1 },
    );
    return { body: { ...day, reason: 'Гость взял одну порцию из двух' } };
  },
  getCompensation: async ({ db }) => ({ params: { id: await grantedRight(db, 'TART') } }),
  explainCompensation: async ({ db, pick }) => ({
    params: { id: await grantedRight(db, 'TART') },
    query: { cart_id: pick('carts') },
  }),
  editCompensation: async ({ db }) => {
    const id = await grantedRight(db, 'TART');
    const [right] = await selectRows(db, 'compensation', ['version'], { id });
    const expiresAt = new Date(Date.now() + 30 * 86_400_000).toISOString();
    return { params: { id }, body: { ...right, reason: 'LATE_DELIVERY', expiresAt } };
  },
  rebindCompensation: async ({ db }) => ({
    params: { id: await grantedRight(db, 'TART') },
    body: { rewardId: await findReward(db, 'JUICE'), reason: 'Клиент выбрал другой подарок' },
  }),
  cancelCompensation: async ({ db }) => ({
    params: { id: await grantedRight(db, 'JUICE') },
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
  getDiscount: async ({ db }) => ({
    params: { id: (await selectRows(db, 'discount', ['id']))[0]?.id },
  }),
  editDiscount: async ({ db }) => ({
    params: { id: (await selectRows(db, 'discount', ['id']))[0]?.id },
    body: { minSubtotal: 900 },
  }),
  createPromocode: async ({ db }) => ({
    body: { code: 'LUNCH15', discountId: (await selectRows(db, 'discount', ['id']))[0]?.id },
  }),
  bulkPromocodes: async ({ db }) => ({
    body: {
      discountId: (await selectRows(db, 'discount', ['id']))[0]?.id,
      codes: ['VIP-1', 'VIP-2', 'LUNCH15', 'vip-1'],
    },
  }),
  getPromocode: async ({ db }) => ({
    params: { id: (await selectRows(db, 'promocode', ['id']))[0]?.id },
  }),
  editPromocode: async ({ db }) => ({
    params: { id: (await selectRows(db, 'promocode', ['id']))[0]?.id },
    body: { isActive: false },
  }),
  listDiscounts: () => ({}),
  listPromocodes: () => ({}),
  deletePromocode: async ({ db }) => ({
    params: { id: (await selectRows(db, 'promocode', ['id']))[0]?.id },
  }),
  deleteDiscount: async ({ db }) => ({
    params: { id: (await selectRows(db, 'discount', ['id']))[0]?.id },
  }),
  createCompositionRule: () => ({ body: { role: 'FREE_SOY', everyPersons: 1, freeUnits: 1 } }),
  getCompositionRule: async ({ db }) => ({
    params: { id: (await selectRows(db, 'composition_rule', ['id']))[0]?.id },
  }),
  editCompositionRule: async ({ db }) => ({
    params: { id: (await selectRows(db, 'composition_rule', ['id']))[0]?.id },
    body: { freeUnits: 2 },
  }),
  listCompositionRules: () => ({}),
  calculateComposition: async ({ db }) => ({
    body: {
      lines: [
        {
          variantId: (await selectRows(db, 'catalog_variant', ['id'], {}, { orderBy: 'id' }))[0]
            ?.id,
          quantity: 2,
        },
      ],
      cutlery: 2,
    },
  }),
  deleteCompositionRule: async ({ db }) => ({
    params: { id: (await selectRows(db, 'composition_rule', ['id']))[0]?.id },
  }),
  replaceServiceRoles: async ({ db }) => ({
    body: {
      items: [
        {
          role: 'PAID_SOY',
          variantId: (await selectRows(db, 'catalog_variant', ['id'], {}, { orderBy: 'id' }))[0]
            ?.id,
        },
      ],
    },
  }),
  listServiceRoles: () => ({}),
  checkCheckout: async ({ db }) => {
    const [cart] = await db.db
      .selectFrom('cart')
      .innerJoin('mirror_organization as organization', 'organization.id', 'cart.organizationId')
      .select(['cart.id', 'organization.erpId as organizationId'])
      .orderBy('cart.createdAt')
      .limit(1)
      .execute();
    return {
      body: {
        cartId: cart?.id,
        fulfillment: { type: 'PICKUP', organizationId: cart?.organizationId, slotId: 'asap' },
        paymentMethod: 'CASH',
        changeFrom: 5_000,
      },
    };
  },
  getCart: async ({ db }) => {
    const [cart] = await selectRows(db, 'cart', ['id'], {}, { orderBy: 'createdAt', limit: 1 });
    return { query: { cart_id: cart?.id } };
  },
  placeOrder: async ({ db }) => {
    const [cart] = await db.db
      .selectFrom('cart')
      .innerJoin('mirror_organization as organization', 'organization.id', 'cart.organizationId')
      .select(['cart.id', 'organization.erpId as organizationId'])
      .orderBy('cart.createdAt')
      .limit(1)
      .execute();
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
  getOrder: async ({ db }) => ({ params: { order_id: await anOrder(db) } }),
  streamOrder: async ({ db }) => ({ params: { order_id: await anOrder(db) } }),
  repeatOrder: async ({ db }) => ({ params: { order_id: await anOrder(db) } }),
  cancelOrder: async ({ db }) => ({
    params: { order_id: await anOrder(db) },
    body: { reason: 'Передумала' },
  }),
  listOrders: () => ({}),
  listStaffOrders: () => ({}),
  getStaffOrder: async ({ db }) => ({ params: { id: await anOrder(db) } }),
  listOrderAttempts: async ({ db }) => ({ params: { id: await anOrder(db) } }),
  getOrderDecision: async ({ db }) => ({ params: { id: await anOrder(db) } }),
  diffRevisions: async ({ db }) => {
    const [row] = await db.query<{ id: number; from: number; to: number }>(
      `select organization_id as id, min(revision) as from, max(revision) as to from snapshot_revision
        group by 1 having count(*) > 1 order by 1 limit 1`,
    );
    return { params: { organization_id: row?.id }, query: { from: row?.from, to: row?.to } };
  },
  getRevision: async ({ db }) => {
    const [row] = await selectRows(
      db,
      'snapshot_revision',
      ['organizationId as id', 'revision'],
      {},
      { orderBy: ['organizationId', 'revision'], limit: 1 },
    );
    return { params: { organization_id: row?.id, revision: row?.revision } };
  },

  resolveDelivery: () => ({
    body: { address: { city: 'Москва', street: 'Садовая улица', house: '12' } },
  }),
  addAddress: async ({ db }) => {
    const [cart] = await selectRows(db, 'cart', ['id'], {}, { orderBy: 'createdAt', limit: 1 });
    const address = {
      city: 'Москва',
      street: 'Садовая улица',
      house: '12',
      flat: '42',
      entrance: '2',
      floor: '5',
    };
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
    body: {
      zoneId: pick('deliveryZones'),
      minOrderSum: 500,
      deliveryFee: null,
      validTo: inHours(24),
    },
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
    body: {
      code: 'PHOTOGRAPHER',
      name: 'Фотограф',
      permissions: ['catalog.read', 'media.read', 'media.write'],
    },
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
    body: {
      legalEntityId: pick('legalEntities', -1),
      name: 'Касса на Тверской',
      apiLogin: 'credential-of-the-erp',
    },
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
  startSyncRun: ({ pick }) => ({
    body: { job: 'ORGANIZATIONS', scope: String(pick('connections')) },
  }),
  acceptSyncRunShrink: async ({ db }) => {
    const [row] = await selectRows(
      db,
      'sync_run',
      ['id'],
      { reason: 'SUSPICIOUS_SHRINK' },
      { orderBy: 'id desc', limit: 1 },
    );
    return { params: { id: row?.id }, body: { reason: 'Меню обновлено: старые блюда сняты' } };
  },
  createWebhookEndpoint: () => ({
    body: {
      url: 'https://receiver.example/carte',
      types: ['order.accepted', 'order.status_changed'],
      description: 'Loyalty program',
    },
  }),
  listWebhookEndpoints: () => ({}),
  getWebhookEndpoint: on('webhookEndpoints', -1),
  editWebhookEndpoint: on('webhookEndpoints', -1, () => ({ types: [] })),
  rotateWebhookEndpointSecret: on('webhookEndpoints', -1),
  testWebhookEndpoint: on('webhookEndpoints', -1),
  listWebhookDeliveries: async ({ db, pick }) => {
    const endpointId = Number(pick('webhookEndpoints', -1));
    const [event] = await selectRows(
      db,
      'public_event',
      ['id', 'subject'],
      { id: not(null) },
      { orderBy: 'id', limit: 1 },
    );
    const attempts = [{ at: new Date().toISOString(), status: 204, error: null, durationMs: 35 }];
    const delivered = { isPending: false, attempts, deliveredAt: new Date() };
    await addRow(db, 'webhook_delivery', {
      endpointId,
      eventId: event!.id!,
      subject: event!.subject,
      ...delivered,
    });
    return { params: { id: endpointId } };
  },
  retryWebhookDelivery: on('webhookDeliveries', 0),
  replayWebhookEvents: on('webhookEndpoints', -1, ({ inHours }) => ({
    from: inHours(-2),
    to: inHours(0),
  })),
  deleteWebhookEndpoint: on('webhookEndpoints', -1),
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
    body: {
      deliveryEnabled: true,
      pickupEnabled: true,
      timeZone: 'Europe/Moscow',
      pickupCookingMinutes: 25,
    },
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
    body: {
      fromOrganizationId: pick('organizations'),
      parts: ['CONFIG', 'SCHEDULE'],
      mode: 'PLAN',
    },
  }),
  copyOrderingToMany: ({ pick }) => ({
    params: { id: pick('organizations') },
    body: {
      toOrganizationIds: [pick('organizations', 2)],
      parts: ['CONFIG', 'SCHEDULE'],
      mode: 'PLAN',
    },
  }),
  createScheduleExceptions: ({ pick }) => ({
    body: {
      organizationIds: [pick('organizations'), pick('organizations', 2)],
      mode: 'PLAN',
      kind: 'CLOSED',
      date: '2027-01-01',
      reason: 'Новый год',
    },
  }),
  setOrganizationPayments: ({ pick }) => ({
    params: { id: pick('organizations') },
    body: { methods: [{ code: 'CASH', fulfillmentTypes: ['DELIVERY', 'PICKUP'] }] },
  }),
  setBusyModes: ({ inHours }) => ({ body: { extraMinutes: 20, until: inHours(1) } }),
  listBusyModes: () => ({}),
  endBusyModes: () => ({}),
  setBusyMode: ({ pick, inHours }) => ({
    params: { id: pick('organizations') },
    body: { extraMinutes: 20, until: inHours(1) },
  }),
  getBusyMode: ({ pick }) => ({ params: { id: pick('organizations') } }),
  endBusyMode: ({ pick }) => ({ params: { id: pick('organizations') } }),
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
    body: {
      availability: [
        { organizationId: pick('organizations'), fulfillmentTypes: ['DELIVERY', 'PICKUP'] },
      ],
    },
  }),
  editScheduleException: on('scheduleExceptions', -1, () => ({ reason: 'Закрываемся раньше' })),
  deleteScheduleException: on('scheduleExceptions', -1),

  createCategory: () => ({ body: { name: 'Завтраки', position: 5 } }),
  updateCategory: on('categories', -1, () => ({ name: 'Завтраки весь день' })),
  saveCategoryTree: async ({ db }) => ({
    body: {
      version: await treeVersion(db),
      nodes: await selectRows(
        db,
        'catalog_category',
        ['id', 'parentId', 'position'],
        {},
        { orderBy: 'id', limit: 3 },
      ),
    },
  }),
  orderCategoryProducts: async ({ db }) => {
    const [row] = await db.query<{ id: number; products: number[] }>(
      `select category_id as id, json_agg(product_id order by product_id desc) as products from catalog_product_category
        group by 1 order by count(*), 1 limit 1`,
    );
    return { params: { id: row?.id }, body: { productIds: row?.products } };
  },
  archiveCategory: on('categories', -1),
  restoreCategory: on('categories', -1),

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
  editVariantOption: async ({ db }) => {
    const [row] = await selectRows(
      db,
      'catalog_variant_option',
      ['axisId as id', 'id as optionId'],
      {},
      { orderBy: 'id desc', limit: 1 },
    );
    return {
      params: { id: row?.id, option_id: row?.optionId },
      body: { name: '0,5 л', shortName: '½ л' },
    };
  },
  addVariantOption: ({ pick }) => ({
    params: { id: pick('axes', -1) },
    body: { code: 'V_1000', name: '1 л', shortName: '1' },
  }),
  createBadge: () => ({ body: { code: 'NEW', name: 'Новинка', position: 1 } }),
  editBadge: on('badges', -1, () => ({ name: 'Новинка сезона' })),

  editProduct: on('products', 0, () => ({
    subtitle: 'Готовим из локальных продуктов',
    composition: null,
  })),
  unpublishProduct: on('products', 1),
  publishProduct: on('products', 1),
  archiveProduct: on('products', 2),
  restoreProduct: async ({ db, pick }) => {
    await updateRows(
      db,
      'catalog_product',
      { status: 'ARCHIVED' },
      { id: Number(pick('products', 2)) },
    );
    return { params: { id: pick('products', 2) } };
  },
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
  previewProduct: ({ pick }) => ({ query: { organization_id: pick('organizations') } }),
  explainProduct: ({ pick }) => ({ query: { organization_id: pick('organizations') } }),
  addVariant: async ({ db }) => {
    const [row] = await db.query<{ id: number; optionId: number; itemId: string; sizeId: number }>(
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
      body: {
        erpItemId: row?.itemId,
        erpItemSizeId: row?.sizeId,
        variantOptionId: row?.optionId,
        isDefault: false,
      },
    };
  },
  updateVariant: async ({ db }) => {
    const [row] = await selectRows(
      db,
      'catalog_variant',
      ['id', 'version'],
      {},
      { orderBy: 'id desc', limit: 1 },
    );
    return { params: { variant_id: row?.id }, body: { version: row?.version, isDefault: true } };
  },
  orderVariants: async ({ db }) => {
    const [row] = await db.query<{ id: number; ids: number[] }>(
      `select product_id as id, json_agg(id order by position desc) as ids from catalog_variant
        group by 1 having count(*) > 1 order by 1 desc limit 1`,
    );
    return { params: { id: row?.id }, body: { variantIds: row?.ids } };
  },
  removeVariant: async ({ db }) => {
    const [row] = await selectRows(
      db,
      'catalog_variant',
      ['id'],
      {},
      { orderBy: 'id desc', limit: 1 },
    );
    return { params: { variant_id: row?.id } };
  },
  downloadExport: async ({ exportToken }) => ({ query: { token: await exportToken() } }),
  createExportLink: () => ({ body: { kind: 'products', query: 'status=PUBLISHED&format=csv' } }),
  cancelSyncRun: async ({ db }) => {
    const [connection] = await selectRows(
      db,
      'connection',
      ['id'],
      {},
      { orderBy: 'id', limit: 1 },
    );
    const { id } = await addRow(db, 'sync_run', {
      id: 900_001,
      job: 'ZONES',
      connectionId: connection!.id,
      mode: 'FULL',
      trigger: 'SCHEDULE',
      status: 'RUNNING',
    });
    return { params: { id }, body: { reason: 'Импорт завис: ERP не отвечает' } };
  },
  bulkBindingIncidents: () => ({
    body: {
      filter: { status: 'OPEN', severity: 'INFO' },
      action: 'DISMISS',
      note: 'Новые названия приняты',
      dryRun: true,
    },
  }),
  bulkTriageErpItems: () => ({
    body: {
      filter: { q: 'коробка', triage: 'NEW' },
      status: 'IGNORED',
      note: 'Упаковка',
      dryRun: true,
    },
  }),
  triageErpItem: async ({ db }) => {
    const [row] = await db.query<{ id: string }>(
      `select erp_id as id from mirror_item i where role = 'DISH' and deleted_at is null
          and not exists (select from catalog_item_binding b where b.item_id = i.id) order by id desc limit 1`,
    );
    return {
      params: { item_id: row?.id },
      body: { status: 'IGNORED', note: 'Только для персонала' },
    };
  },
  listCompensationCandidates: () => ({ query: { status: 'OPEN' } }),
  listCompensationConflicts: () => ({ query: { status: 'OPEN' } }),
  sendOrderAgain: async ({ unsentOrder }) => ({
    params: { id: await unsentOrder() },
    body: { reason: 'Гость ждёт заказ, касса снова работает' },
  }),
  settleOrderGifts: async ({ forgottenOrder }) => ({
    params: { id: await forgottenOrder() },
    body: { outcome: 'NOT_CREATED', reason: 'В ресторане такого заказа нет' },
  }),
  findClient: () => ({ query: { phone: '+7 999 000 44 55' } }),
  exportPerson: () => ({ body: { phone: '+7 999 000 44 56', reason: 'Письменный запрос гостя' } }),
  forgetClient: () => ({
    body: { phone: '+7 999 000 44 55', reason: 'Гость попросил по телефону' },
  }),
  confirmCompensationCandidate: async ({ db, pick }) => ({
    params: { id: pick('candidates', 0) },
    body: {
      rewardId: await findReward(db, 'TART'),
      reason: 'SERVICE_ERROR',
      reasonComment: 'Оператор обещал в октябре, подарка ещё не было',
    },
  }),
  dismissCompensationCandidate: on('candidates', 1, () => ({ reason: 'Подарок отдали в октябре' })),
  resolveCompensationConflict: on('conflicts', 1, () => ({
    decision: 'GRANT',
    reason: 'Гость ждал дважды',
  })),
  dismissBindingIncident: on('incidents', 0, () => ({ note: 'Блюдо вернётся в мае' })),
  snoozeBindingIncident: on('incidents', 1, ({ inHours }) => ({ until: inHours(24) })),
  listRebindCandidates: async ({ db }) => ({ params: { id: await variantOfIncident(db, 2) } }),
  rebindVariant: async ({ db, pick }) => ({
    params: { id: await variantOfIncident(db, 2) },
    body: { erpItemSizeId: pick('itemSizes', 1), reason: 'Блюдо заведено в ERP заново' },
  }),
  listBindingHistory: async ({ db }) => {
    const [row] = await db.query<{ id: number }>(
      `select variant_id as id from binding_history order by reason is null, id desc limit 1`,
    );
    return { params: { id: row?.id } };
  },
  editModifierGroup: ({ pick }) => ({
    params: { group_key: pick('modifierGroups') },
    body: { version: 0, displayName: 'Добавить к блюду', uiType: 'CHECKBOX', isCollapsed: true },
  }),
  orderModifiers: async ({ db }) => {
    const [row] = await db.query<{ key: string; order: string[] }>(
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
  resolveNotification: async ({ db }) => {
    const kind = 'COMPENSATION_CANDIDATES';
    const subject = { subject_type: 'client', subject_id: 'example' };
    const { id } = await addRow(db, 'notification', {
      kind,
      severity: 'INFO',
      ...subject,
      details: { candidates: 2 },
    });
    return { params: { id } };
  },
  changeSetting: () => ({
    params: { key: 'stoplist_behaviour' },
    body: { version: 0, value: 'HIDE' },
  }),
  pinRevision: async ({ db, inHours }) => {
    const [row] = await db.db
      .selectFrom('snapshot_revision')
      .select((row) => ['organizationId as id', row.fn.min('revision').as('revision')])
      .groupBy('organizationId')
      .orderBy('id')
      .limit(1)
      .execute();
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

async function findReward(db: Database, code: string): Promise<number | undefined> {
  const [reward] = await selectRows(db, 'reward', ['id'], { code });
  return reward?.id;
}

async function grantedRight(db: Database, code: string): Promise<string | undefined> {
  const [right] = await db.query<{ id: string }>(
    `select compensation.id from compensation join reward on reward.id = reward_id
      where status = 'GRANTED' and reward.code = '${code}' order by granted_at desc limit 1`,
  );
  return right?.id;
}

function lastDays(): { from: string; to: string } {
  const today = Temporal.Now.plainDateISO('UTC');
  return { from: today.subtract({ days: 7 }).toString(), to: today.toString() };
}

async function anOrder(db: Database): Promise<string | undefined> {
  const [order] = await selectRows(
    db,
    'customer_order',
    ['id'],
    {},
    { orderBy: 'acceptedAt', limit: 1 },
  );
  return order?.id;
}

async function variantOfIncident(db: Database, index: number): Promise<number | undefined> {
  const rows = await selectRows(db, 'binding_incident', ['variantId as id'], {}, { orderBy: 'id' });
  return rows[index]?.id;
}
