import { readFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { routes } from '../../../api/routes.ts';
import { buildSnapshot } from '../../../modules/menus/snapshot/build-snapshot.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { migratedDatabase } from '../../support/database.ts';
import { menuRows } from '../../support/menu-rows.ts';
import { ELSEWHERE, STEPS, type Ids, type Step } from './changes.ts';
import { treeVersion } from '../../../modules/catalog/categories/category-views.ts';
import { asOwner } from '../../support/database-roles.ts';
import { addRow, selectRows } from '../../support/rows.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let api: TestApi;
let admin: AdminClient;
/** Administrator whose session and password the changes end. */
let walker: AdminClient;
let ids: Ids;
beforeAll(async () => {
  database = await migratedDatabase();
  ids = await fixture();
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

async function fixture(): Promise<Ids> {
  const rows = menuRows(database.db);
  const place = await rows.restaurant();
  const price = { [place.organizationId]: 10_050 };
  const first = await rows.dish({ ...place, prices: price });
  const second = await rows.dish({ ...place, prices: price });
  const free = async () => {
    const item = await rows.item();
    const sizeId = await rows.size(item.id);
    await rows.offer(place.menuId, { itemId: item.id, sizeId }, price);
    return { ...item, sizeId };
  };
  const gift = async () => {
    const item = await rows.item();
    await rows.offer(
      place.menuId,
      { itemId: item.id, sizeId: await rows.size(item.id) },
      { [place.organizationId]: 0 },
    );
    return item.erpId;
  };
  const [other, created, third, ignored] = [await free(), await free(), await free(), await free()];
  for (const { itemId, productId } of [first, second])
    await rows.insert(
      'catalog_item_binding',
      { item_id: itemId, product_id: productId },
      'item_id',
    );
  const sauce = await rows.modifier(place.menuId, price);
  await rows.link(
    await rows.group(place.menuId, first.sizeId, { group_key: 'walk-group' }),
    sauce.itemId,
  );
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
  await addRow(database.db, 'mirror_delivery_defaults', { organizationId: place.organizationId });
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
    giftItem: await gift(),
    zone: await rows.insert('mirror_delivery_zone', {
      organization_id: place.organizationId,
      name: 'Centre',
    }),
    dismiss: await incident('ITEM_MISSING'),
    snooze: await incident('NAME_CHANGED'),
    notification: await rows.insert('notification', {
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
    operation === 'POST /media'
      ? await picture()
      : body === undefined
        ? undefined
        : JSON.stringify(body(ids));
  return fetch(`${api.url}/api/admin/v1${path?.(ids) ?? own}`, {
    method,
    headers: {
      'x-request-id': requestId,
      // Granting a right requires a separate key.
      ...(operation === 'POST /compensations' ? { 'idempotency-key': requestId } : {}),
      ...(operation === 'POST /auth/login'
        ? {}
        : { authorization: `Bearer ${walker.accessToken}` }),
      ...(typeof content === 'string' ? { 'content-type': 'application/json' } : {}),
    },
    ...(content === undefined ? {} : { body: content }),
  });
}

async function picture(): Promise<FormData> {
  const bytes = await sharp({
    create: { width: 900, height: 700, channels: 3, background: '#c33' },
  })
    .png()
    .toBuffer();
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'soup.png');
  return form;
}

type Entry = { what: string; actor: string; before: unknown; after: unknown };
const readEntries = (requestId: string) =>
  api.deps.db.query<Entry>(
    `select entity_type || ' ' || action as what, actor_type || ' ' || coalesce(actor_id, 0) as actor, before, after
       from audit_entry where request_id = $1 order by id`,
    [requestId],
  );

describe('every change of the admin API', () => {
  test('appears in this table or in another test', async () => {
    const changes = routes.filter((route) => route.api === 'admin' && route.method !== 'GET');
    const shown = [...STEPS.map((step) => step.operation), ...Object.keys(ELSEWHERE)];

    expect([...new Set(shown)].toSorted()).toEqual(
      changes.map((change) => `${change.method} ${change.path}`).toSorted(),
    );
    for (const proof of Object.values(ELSEWHERE).filter((entry) => typeof entry !== 'string'))
      expect(await readFile(proof.file, 'utf8')).toContain(proof.text);
  });

  test('[ACC-8] creates an entry with actor, request, and both states, but no secret value', async () => {
    const wrong: unknown[] = [];
    for (const step of STEPS) {
      const requestId = randomUUID();
      ids['treeVersion'] = await treeVersion(api.deps.db);
      const response = await send(step, requestId);
      const text = await response.text();
      if (step.keep !== undefined && response.ok)
        ids[step.keep] = (JSON.parse(text) as { id: number }).id;
      const [entry] = await readEntries(requestId);
      const sides = [
        entry?.before === null ? '' : 'before',
        entry?.after === null ? '' : 'after',
      ].filter(Boolean);
      const has = { none: '', before: 'before', after: 'after', both: 'before after' }[
        step.has ?? 'both'
      ];
      const found = { what: entry?.what, actor: entry?.actor, sides: sides.join(' ') };
      const wanted = { what: step.audit, actor: `USER ${ids['walker']}`, sides: has };
      if (!response.ok || JSON.stringify(found) !== JSON.stringify(wanted))
        wrong.push({
          operation: step.operation,
          status: response.status,
          text: text.slice(0, 300),
          found,
          wanted,
        });
    }
    const everything = JSON.stringify(
      await selectRows(api.deps.db, 'audit_entry', ['before', 'after']),
    );

    expect(wrong).toEqual([]);
    expect(everything).not.toMatch(/canary|walk@|walk2@|long password|horse battery|argon2/);
  });
});

describe('the audit', () => {
  /** Adds an entry and returns all entries, oldest first. */
  async function all() {
    await admin.post('/roles', { code: `R${Date.now()}`, name: 'Audited', permissions: [] });
    return selectRows(api.deps.db, 'audit_entry', '*', {}, { orderBy: 'id' });
  }

  test.each([
    `update audit_entry set reason = 'another'`,
    'delete from audit_entry',
    'truncate audit_entry',
    `insert into audit_entry (id, actor_type, entity_type, entity_id, action) overriding system value
       select id, 'SYSTEM', 'user', '1', 'x' from audit_entry limit 1 on conflict (id) do update set action = 'x'`,
  ])('rejects a change of its entries: %s', async (statement) => {
    const before = await all();

    await expect(asOwner(api.deps.db, statement)).rejects.toMatchObject({ code: '23001' });
    expect(await selectRows(api.deps.db, 'audit_entry', '*', {}, { orderBy: 'id' })).toEqual(
      before,
    );
  });

  test('can be read by entity, user and time, newest first, in pages', async () => {
    const role = await admin.post<{ id: number }>('/roles', {
      code: `F${Date.now()}`,
      name: 'Found',
      permissions: [],
    });
    await admin.patch(`/roles/${role.id}`, { version: 1, name: 'Found again' });
    type Entries = {
      items: { action: string; at: string; userId: number; userName: string }[];
      total: number;
    };
    const read = (query: string) =>
      admin.get<Entries>(`/audit?entity_type=role&entity_id=${role.id}${query}`);
    const found = await read('');
    const [later, earlier] = found.items;

    expect(found.items.map((item) => item.action)).toEqual(['update', 'create']);
    expect(later).toMatchObject({ userId: 1, userName: 'Administrator' });
    expect((await read(`&from=${later!.at}`)).items.map((item) => item.action)).toEqual(['update']);
    expect((await read(`&to=${later!.at}`)).items.map((item) => item.action)).toEqual(['create']);
    expect((await read(`&from=${earlier!.at}&to=${later!.at}&user_id=1`)).total).toBe(1);
    expect((await read('&user_id=999')).total).toBe(0);
    expect(await read('&page=2&size=1')).toMatchObject({
      items: [{ action: 'create' }],
      page: 2,
      size: 1,
      total: 2,
    });
    const unknown = await admin.raw('GET', '/audit?entity_type=nothing');
    expect({ status: unknown.status, ...((await unknown.json()) as object) }).toMatchObject({
      status: 422,
      errors: [{ field: 'entity_type', code: 'enum' }],
    });
    expect((await admin.raw('GET', '/audit?from=yesterday')).status).toBe(422);
  });
});
