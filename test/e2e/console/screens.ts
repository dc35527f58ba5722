import type { AdminClient } from '../../support/admin-client.ts';

export const SCREENS: readonly string[] = [
  '/ /restaurants /missing /notifications /sync /incidents',
  '/orders /guest /gifts /decisions /reconciliation /rewards',
  '/new-dishes /products /categories /pictures /menus /modifiers',
  '/setup /exceptions /zones /offers /payments',
  '/connections /users /roles /audit /keys /webhooks /settings /account',
].flatMap((group) => group.split(' '));

export const TABS: readonly string[] = [
  ...['modifiers', 'badges', 'axes'].map((tab) => `/modifiers?tab=${tab}`),
  ...['promocodes', 'notices', 'expectation', 'composition'].map((tab) => `/offers?tab=${tab}`),
  ...['menus', 'entities', 'franchisees'].map((tab) => `/connections?tab=${tab}`),
  ...['conflicts', 'unauthorized'].map((tab) => `/decisions?tab=${tab}`),
  '/audit?tab=security',
  '/categories?tab=archived',
];

const PRODUCT_TABS = ['texts', 'state', 'pictures', 'variants', 'places', 'preview', 'history'];
const RESTAURANT_TABS = [
  'switches',
  'week',
  'exceptions',
  'payments',
  'preview',
  'copy',
  'readiness',
];

/** Screens of a record: its list, the key of a row, and the URLs. */
const RECORDS: readonly (readonly [
  list: string,
  key: string,
  paths: (id: string) => readonly string[],
])[] = [
  ['/orders?size=1', 'orderId', (id) => [`/orders/${id}`]],
  ['/compensations?size=1', 'id', (id) => [`/gifts/${id}`]],
  ['/erp/items?size=1&triage=NEW', 'itemId', (id) => [`/new-dishes/${id}`]],
  ['/binding-incidents?size=1', 'id', (id) => [`/incidents/${id}`]],
  ['/notifications?size=1', 'id', (id) => [`/notifications/${id}`]],
  ['/sync/runs?size=1&job=MENU', 'id', (id) => [`/sync/runs/${id}`]],
  [
    '/products?size=1',
    'id',
    (id) => [`/missing?product=${id}`, ...PRODUCT_TABS.map((tab) => `/products/${id}?tab=${tab}`)],
  ],
  [
    '/organizations?size=1',
    'id',
    (id) => [
      `/missing?restaurant=${id}`,
      `/menus?restaurant=${id}`,
      ...RESTAURANT_TABS.map((tab) => `/setup/${id}?tab=${tab}`),
    ],
  ],
];

export async function recordScreens(admin: AdminClient): Promise<string[]> {
  const screens = await Promise.all(
    RECORDS.map(async ([list, key, paths]) => {
      const { items } = await admin.get<{ items: Record<string, unknown>[] }>(list);
      return items.flatMap((item) => paths(String(item[key] as string | number)));
    }),
  );
  return screens.flat();
}
