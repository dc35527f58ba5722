import { readFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { routes } from '../../../api/routes.ts';
import { buildSnapshot } from '../../../app/snapshot/build-snapshot.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { migratedDatabase } from '../../support/database.ts';
import { menuRows } from '../../support/menu-rows.ts';

/** One change over HTTP; what the answers before it gave is in `ids`. */
type Step = {
  operation: string;
  /** The address below the contour, when the operation has parameters. */
  path?: (ids: Ids) => string;
  body?: (ids: Ids) => unknown;
  /** What the audit must say: `entity action`. */
  audit: string;
  /** Which of the two sides an entry has. */
  has?: 'before' | 'after' | 'both' | 'none';
  /** Name under which the id of the answer is kept. */
  keep?: string;
};
type Ids = Record<string, number | string>;

const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();

/** A day of an administrator who does everything once. */
const STEPS: readonly Step[] = [
  {
    operation: 'POST /auth/login',
    body: ({ email, password }) => ({ email, password }),
    audit: 'user sign-in',
    has: 'after',
  },
  {
    operation: 'POST /me/password',
    body: ({ password }) => ({ currentPassword: password, newPassword: 'another horse battery' }),
    audit: 'user change-password',
    has: 'none',
  },
  {
    operation: 'POST /users',
    body: () => ({ email: 'walk@carte.test', fullName: 'Walk', roles: ['VIEWER'], password: 'a long password' }),
    audit: 'user create',
    has: 'after',
    keep: 'user',
  },
  {
    operation: 'PATCH /users/{id}',
    path: ({ user }) => `/users/${user}`,
    body: () => ({ version: 1, email: 'walk2@carte.test', password: 'another long password' }),
    audit: 'user update',
    has: 'both',
  },
  { operation: 'DELETE /users/{id}', path: ({ user }) => `/users/${user}`, audit: 'user delete', has: 'before' },
  {
    operation: 'POST /roles',
    body: () => ({ code: 'WALKER', name: 'Walker', permissions: ['catalog.read'] }),
    audit: 'role create',
    has: 'after',
    keep: 'role',
  },
  {
    operation: 'PATCH /roles/{id}',
    path: ({ role }) => `/roles/${role}`,
    body: () => ({ version: 1, permissions: [] }),
    audit: 'role update',
    has: 'both',
  },

  {
    operation: 'POST /franchisees',
    body: () => ({ name: 'New' }),
    audit: 'franchisee create',
    has: 'after',
    keep: 'franchisee',
  },
  {
    operation: 'PATCH /franchisees/{id}',
    path: ({ franchisee }) => `/franchisees/${franchisee}`,
    body: () => ({ version: 1, name: 'Newer' }),
    audit: 'franchisee update',
    has: 'both',
  },
  ...switches('franchisees', 'franchisee', ['deactivate', 'activate']),
  {
    operation: 'POST /legal-entities',
    body: ({ franchisee }) => ({ franchiseeId: franchisee, name: 'New' }),
    audit: 'legal-entity create',
    has: 'after',
    keep: 'entity',
  },
  {
    operation: 'PATCH /legal-entities/{id}',
    path: ({ entity }) => `/legal-entities/${entity}`,
    body: () => ({ version: 1, name: 'Newer' }),
    audit: 'legal-entity update',
    has: 'both',
  },
  ...switches('legal-entities', 'entity', ['deactivate', 'activate'], 'legal-entity'),
  {
    operation: 'POST /connections',
    body: ({ entity }) => ({ legalEntityId: entity, name: 'New', apiLogin: 'canary-api-login' }),
    audit: 'connection create',
    has: 'after',
    keep: 'connection',
  },
  {
    operation: 'PATCH /connections/{id}',
    path: ({ connection }) => `/connections/${connection}`,
    body: () => ({ version: 1, name: 'Newer' }),
    audit: 'connection update',
    has: 'both',
  },
  {
    operation: 'PUT /connections/{id}/api-login',
    path: ({ connection }) => `/connections/${connection}/api-login`,
    body: () => ({ apiLogin: 'canary-api-login-2' }),
    audit: 'connection replace-api-login',
  },
  ...switches('connections', 'connection', ['disable', 'enable']),
  {
    operation: 'PATCH /external-menus/{id}',
    path: ({ menuId }) => `/external-menus/${menuId}`,
    body: () => ({ version: 1, priority: 7 }),
    audit: 'external-menu update',
    has: 'both',
  },
  {
    operation: 'POST /sync/pauses',
    body: ({ connection }) => ({ connectionId: connection, job: 'TERMINALS', reason: 'Work', until: tomorrow() }),
    audit: 'import-pause create',
    has: 'after',
    keep: 'pause',
  },
  {
    operation: 'DELETE /sync/pauses/{id}',
    path: ({ pause }) => `/sync/pauses/${pause}`,
    audit: 'import-pause end',
    has: 'none',
  },

  {
    operation: 'POST /categories',
    body: () => ({ name: 'New' }),
    audit: 'category create',
    has: 'after',
    keep: 'category',
  },
  {
    operation: 'PATCH /categories/{id}',
    path: ({ category }) => `/categories/${category}`,
    body: () => ({ version: 1, name: 'Newer' }),
    audit: 'category update',
    has: 'both',
  },
  {
    operation: 'PUT /categories/tree',
    body: ({ categoryId, category }) => ({
      nodes: [
        { id: categoryId, parentId: null, position: 0 },
        { id: category, parentId: categoryId, position: 1 },
      ],
    }),
    audit: 'category-tree update',
    has: 'both',
  },
  {
    operation: 'PUT /categories/{id}/products/order',
    path: ({ categoryId }) => `/categories/${categoryId}/products/order`,
    body: ({ secondId, productId, draftId }) => ({ productIds: [secondId, draftId, productId] }),
    audit: 'category order-products',
    has: 'both',
  },
  {
    operation: 'DELETE /categories/{id}',
    path: ({ category }) => `/categories/${category}`,
    audit: 'category archive',
    has: 'before',
  },
  {
    operation: 'POST /variant-axes',
    body: () => ({ code: 'SIZE', name: 'Size', options: [{ code: 'S', name: 'S' }] }),
    audit: 'variant-axis create',
    has: 'after',
    keep: 'axis',
  },
  {
    operation: 'PATCH /variant-axes/{id}',
    path: ({ axis }) => `/variant-axes/${axis}`,
    body: () => ({ version: 1, name: 'Sizes' }),
    audit: 'variant-axis update',
    has: 'both',
  },
  {
    operation: 'PATCH /variant-axes/{id}/options/{option_id}',
    path: ({ axis }) => `/variant-axes/${axis}/options/1`,
    body: () => ({ version: 1, name: 'Small' }),
    audit: 'variant-option update',
    has: 'both',
  },
  {
    operation: 'POST /badges',
    body: () => ({ code: 'NEW', name: 'New' }),
    audit: 'badge create',
    has: 'after',
    keep: 'badge',
  },
  {
    operation: 'PATCH /badges/{id}',
    path: ({ badge }) => `/badges/${badge}`,
    body: () => ({ version: 1, name: 'Newest' }),
    audit: 'badge update',
    has: 'both',
  },
  {
    operation: 'POST /products/bulk',
    body: ({ productId, badge }) => ({ productIds: [productId], action: 'SET_BADGES', payload: { badgeIds: [badge] } }),
    audit: 'product set-badges',
    has: 'both',
  },
  { operation: 'DELETE /badges/{id}', path: ({ badge }) => `/badges/${badge}`, audit: 'badge delete', has: 'before' },

  {
    operation: 'PATCH /products/{id}',
    path: ({ secondId }) => `/products/${secondId}`,
    body: () => ({ version: 1, subtitle: 'With cream' }),
    audit: 'product update',
    has: 'both',
  },
  ...moves('unpublish', 'publish', 'archive'),
  {
    operation: 'POST /erp/items/create-product',
    body: ({ freeSizeId, categoryId }) => ({
      name: 'Created',
      categoryIds: [categoryId],
      variants: [{ erpItemSizeId: freeSizeId }],
    }),
    audit: 'product create',
    has: 'after',
  },
  {
    operation: 'POST /erp/items/{item_id}/triage',
    path: ({ ignoredErpId }) => `/erp/items/${ignoredErpId}/triage`,
    body: () => ({ status: 'IGNORED', note: 'A box' }),
    audit: 'erp-item triage',
    has: 'both',
  },
  {
    operation: 'POST /variants/{id}/rebind',
    path: ({ variantId }) => `/variants/${variantId}/rebind`,
    body: ({ otherSizeId }) => ({ erpItemSizeId: otherSizeId }),
    audit: 'variant rebind',
    has: 'both',
  },
  {
    operation: 'POST /products/{id}/variants',
    path: ({ draftId }) => `/products/${draftId}/variants`,
    body: ({ thirdErpId, thirdSizeId }) => ({ erpItemId: thirdErpId, erpItemSizeId: thirdSizeId, isDefault: false }),
    audit: 'variant create',
    has: 'after',
    keep: 'variant',
  },
  {
    operation: 'DELETE /variants/{variant_id}',
    path: ({ variant }) => `/variants/${variant}`,
    audit: 'variant delete',
    has: 'both',
  },
  {
    operation: 'PATCH /modifier-groups/{group_key}',
    path: () => '/modifier-groups/walk-group',
    body: () => ({ version: 0, displayName: 'Sauces' }),
    audit: 'modifier-group update',
    has: 'both',
  },
  {
    operation: 'PUT /modifier-groups/{group_key}/order',
    path: () => '/modifier-groups/walk-group/order',
    body: ({ sauceErpId }) => ({ version: 1, order: [sauceErpId] }),
    audit: 'modifier-group update',
    has: 'both',
  },
  {
    operation: 'PATCH /modifiers/{erp_item_id}',
    path: ({ sauceErpId }) => `/modifiers/${sauceErpId}`,
    body: () => ({ version: 0, displayName: 'Sauce' }),
    audit: 'modifier update',
    has: 'both',
  },
  ...(['dismiss', 'snooze'] as const).map((move): Step => ({
    operation: `POST /binding-incidents/{id}/${move}`,
    path: (ids) => `/binding-incidents/${ids[move]}/${move}`,
    body: () => (move === 'dismiss' ? { note: 'Known' } : { until: tomorrow() }),
    audit: `binding-incident ${move}`,
    has: 'both',
  })),

  { operation: 'POST /media', audit: 'media create', has: 'after', keep: 'media' },
  {
    operation: 'PATCH /media/{id}',
    path: ({ media }) => `/media/${media}`,
    body: () => ({ version: 1, alt: 'A soup' }),
    audit: 'media update',
    has: 'both',
  },
  { operation: 'DELETE /media/{id}', path: ({ media }) => `/media/${media}`, audit: 'media delete', has: 'before' },

  ...(['read', 'send'] as const).map((move): Step => ({
    operation: `POST /notifications/{id}/${move}`,
    path: ({ notice }) => `/notifications/${notice}/${move}`,
    audit: `notification ${move === 'read' ? 'read' : 'resend'}`,
    has: 'none',
  })),
  {
    operation: 'PATCH /settings/{key}',
    path: () => '/settings/stoplist_terminals',
    body: () => ({ version: 0, value: 'ALL' }),
    audit: 'setting update',
    has: 'both',
  },
  {
    operation: 'POST /snapshots/{organization_id}/pin',
    path: ({ organizationId }) => `/snapshots/${organizationId}/pin`,
    body: () => ({ revision: 1, reason: 'A fair', until: tomorrow() }),
    audit: 'snapshot pin',
  },
  {
    operation: 'POST /snapshots/{organization_id}/unpin',
    path: ({ organizationId }) => `/snapshots/${organizationId}/unpin`,
    body: () => ({ reason: 'Over' }),
    audit: 'snapshot unpin',
    has: 'before',
  },
  { operation: 'POST /auth/logout', audit: 'user sign-out', has: 'none' },
];

function switches(resource: string, id: string, verbs: readonly string[], entity = id): Step[] {
  return verbs.map((verb) => ({
    operation: `POST /${resource}/{id}/${verb}`,
    path: (ids) => `/${resource}/${ids[id]}/${verb}`,
    body: () => ({}),
    audit: `${entity} ${verb}`,
    has: 'both',
  }));
}

function moves(...verbs: readonly string[]): Step[] {
  return verbs.map((verb) => ({
    operation: `POST /products/{id}/${verb}`,
    path: ({ secondId }) => `/products/${secondId}/${verb}`,
    audit: `product ${verb}`,
    has: 'both',
  }));
}

/** Changes that are not walked here, with the reason or the test that shows their entry. */
const ELSEWHERE: Readonly<Record<string, string | { file: string; text: string }>> = {
  'POST /auth/refresh': 'changes nothing but the token; the reuse of an old one is audited (session.test.ts)',
  'POST /sync/run': { file: 'test/http/mirror/sync-runs.test.ts', text: `entity_type = 'sync-run'` },
  'POST /sync/runs/{id}/accept-shrink': { file: 'test/workflows/menu-runs.test.ts', text: `action: 'accept-shrink'` },
  'PATCH /variants/{variant_id}': { file: 'test/http/binding/variants.test.ts', text: `action: 'update'` },
  'POST /products': {
    file: 'test/integration/catalog/product-content.test.ts',
    text: 'auditCount(product.id)).toBe(1)',
  },
  'PUT /products/{id}/variants/order': { file: 'test/http/binding/variants.test.ts', text: `action: 'order-variants'` },
};

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let api: TestApi;
let admin: AdminClient;
/** Who does everything once; his session and password do not outlive it. */
let walker: AdminClient;
let ids: Ids;
beforeAll(async () => {
  database = await migratedDatabase();
  ids = await world();
  api = await startTestApi({ routes, database, env: { RATE_LIMIT_ADMIN: 'off' } });
  await buildSnapshot(api.deps, Number(ids['organizationId']));
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
  const own = await api.user('ADMIN');
  ids = { ...ids, email: own.email, password: own.password, walker: own.id };
  walker = await adminClient(api.url, own.email, own.password);
});
afterAll(async () => {
  await api?.stop();
  await database?.close();
});

async function world(): Promise<Ids> {
  const rows = menuRows(database.db);
  const place = await rows.restaurant();
  const price = { [place.organizationId]: 10_050 };
  const first = await rows.dish({ ...place, prices: price });
  const second = await rows.dish({ ...place, prices: price });
  await rows.insert('external_menu_setting', { external_menu_id: place.menuId }, 'external_menu_id');
  const free = async () => {
    const item = await rows.item();
    const sizeId = await rows.size(item.id);
    await rows.offer(place.menuId, { itemId: item.id, sizeId }, price);
    return { ...item, sizeId };
  };
  const [other, created, third, ignored] = [await free(), await free(), await free(), await free()];
  for (const { itemId, productId } of [first, second])
    await rows.insert('catalog_item_binding', { item_id: itemId, product_id: productId }, 'item_id');
  const sauce = await rows.modifier(place.menuId, price);
  await rows.link(await rows.group(place.menuId, first.sizeId, { group_key: 'walk-group' }), sauce.itemId);
  const incident = (type: string) =>
    rows.insert('binding_incident', {
      type,
      severity: 'CRITICAL',
      product_id: second.productId,
      variant_id: second.variantId,
      evaluation: 1,
      last_known: JSON.stringify({
        erpItemId: second.erpId,
        sku: null,
        name: null,
        price: null,
        lastSeenAt: new Date().toISOString(),
      }),
    });
  return {
    ...place,
    productId: first.productId,
    variantId: first.variantId,
    secondId: second.productId,
    draftId: await rows.product(place.categoryId, { status: 'DRAFT' }),
    otherSizeId: other.sizeId,
    freeSizeId: created.sizeId,
    thirdErpId: third.erpId,
    thirdSizeId: third.sizeId,
    ignoredErpId: ignored.erpId,
    sauceErpId: sauce.erpId,
    dismiss: await incident('ITEM_MISSING'),
    snooze: await incident('NAME_CHANGED'),
    notice: await rows.insert('notification', {
      kind: 'EMPTY_LIST',
      severity: 'CRITICAL',
      send_ended_at: new Date(),
      subject_type: 'connection',
      subject_id: '1',
    }),
  };
}

async function send({ operation, path, body }: Step, requestId: string): Promise<Response> {
  const [method = '', own = ''] = operation.split(' ');
  const content =
    operation === 'POST /media' ? await picture() : body === undefined ? undefined : JSON.stringify(body(ids));
  return fetch(`${api.url}/api/admin/v1${path?.(ids) ?? own}`, {
    method,
    headers: {
      'x-request-id': requestId,
      ...(operation === 'POST /auth/login' ? {} : { authorization: `Bearer ${walker.accessToken}` }),
      ...(typeof content === 'string' ? { 'content-type': 'application/json' } : {}),
    },
    ...(content === undefined ? {} : { body: content }),
  });
}

async function picture(): Promise<FormData> {
  const bytes = await sharp({ create: { width: 900, height: 700, channels: 3, background: '#c33' } })
    .png()
    .toBuffer();
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'soup.png');
  return form;
}

type Entry = { what: string; actor: string; before: unknown; after: unknown };
const entriesOf = (requestId: string) =>
  api.deps.db.query<Entry>(
    `select entity_type || ' ' || action as what, actor_type || ' ' || coalesce(actor_id, 0) as actor, before, after
       from audit_entry where request_id = $1 order by id`,
    [requestId],
  );

describe('every change of the admin contour', () => {
  test('is walked here or shown elsewhere', async () => {
    const changes = routes.filter((route) => route.contour === 'admin' && route.method !== 'GET');
    const shown = [...STEPS.map((step) => step.operation), ...Object.keys(ELSEWHERE)];

    expect([...new Set(shown)].toSorted()).toEqual(changes.map((each) => `${each.method} ${each.path}`).toSorted());
    for (const proof of Object.values(ELSEWHERE).filter((each) => typeof each !== 'string'))
      expect(await readFile(proof.file, 'utf8')).toContain(proof.text);
  });

  test('leaves an entry with its actor, request and both sides, and nothing that must not be read', async () => {
    const wrong: unknown[] = [];
    for (const step of STEPS) {
      const requestId = randomUUID();
      const response = await send(step, requestId);
      const text = await response.text();
      if (step.keep !== undefined && response.ok) ids[step.keep] = (JSON.parse(text) as { id: number }).id;
      const [entry] = await entriesOf(requestId);
      const sides = [entry?.before === null ? '' : 'before', entry?.after === null ? '' : 'after'].filter(Boolean);
      const has = { none: '', before: 'before', after: 'after', both: 'before after' }[step.has ?? 'both'];
      const found = { what: entry?.what, actor: entry?.actor, sides: sides.join(' ') };
      const wanted = { what: step.audit, actor: `USER ${ids['walker']}`, sides: has };
      if (!response.ok || JSON.stringify(found) !== JSON.stringify(wanted))
        wrong.push({ operation: step.operation, status: response.status, text: text.slice(0, 300), found, wanted });
    }
    const everything = JSON.stringify(await api.deps.db.query('select before, after from audit_entry'));

    expect(wrong).toEqual([]);
    expect(everything).not.toMatch(/canary|walk@|walk2@|long password|horse battery|argon2/);
  });
});

describe('the audit', () => {
  /** Everything in it, oldest first, with one entry that is certainly there. */
  async function all() {
    await admin.post('/roles', { code: `R${Date.now()}`, name: 'Audited', permissions: [] });
    return api.deps.db.query<{ id: number }>('select * from audit_entry order by id');
  }

  test.each([
    `update audit_entry set reason = 'another'`,
    'delete from audit_entry',
    'truncate audit_entry',
    `insert into audit_entry (id, actor_type, entity_type, entity_id, action) overriding system value
       select id, 'SYSTEM', 'user', '1', 'x' from audit_entry limit 1 on conflict (id) do update set action = 'x'`,
  ])('takes nothing back: %s', async (statement) => {
    const before = await all();

    await expect(api.deps.db.query(statement)).rejects.toMatchObject({ code: '23001' });
    expect(await api.deps.db.query('select * from audit_entry order by id')).toEqual(before);
  });

  test('is read by entity, user and time, newest first, page by page', async () => {
    const role = await admin.post<{ id: number }>('/roles', { code: `F${Date.now()}`, name: 'Found', permissions: [] });
    await admin.patch(`/roles/${role.id}`, { version: 1, name: 'Found again' });
    type Entries = { items: { action: string; at: string; userId: number; userName: string }[]; total: number };
    const read = (query: string) => admin.get<Entries>(`/audit?entity_type=role&entity_id=${role.id}${query}`);
    const found = await read('');
    const [later, earlier] = found.items;

    expect(found.items.map((each) => each.action)).toEqual(['update', 'create']);
    expect(later).toMatchObject({ userId: 1, userName: 'Administrator' });
    expect((await read(`&from=${later!.at}`)).items.map((each) => each.action)).toEqual(['update']);
    expect((await read(`&to=${later!.at}`)).items.map((each) => each.action)).toEqual(['create']);
    expect((await read(`&from=${earlier!.at}&to=${later!.at}&user_id=1`)).total).toBe(1);
    expect((await read('&user_id=999')).total).toBe(0);
    expect(await read('&page=2&size=1')).toMatchObject({ items: [{ action: 'create' }], page: 2, size: 1, total: 2 });
    expect((await admin.get<Entries>(`/audit?entity_type=nothing`)).total).toBe(0);
    expect((await admin.raw('GET', '/audit?from=yesterday')).status).toBe(422);
  });
});
