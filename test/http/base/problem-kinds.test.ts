import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { PROBLEMS, type ProblemKind } from '../../../kernel/pure/problems.ts';
import { adminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { migratedDatabase } from '../../support/database.ts';
import { menuRows } from '../../support/menu-rows.ts';
import { updateRows } from '../../support/rows.ts';

type Fixture = {
  productId: number;
  draftId: number;
  mediaId: number;
  categoryId: number;
  sizeId: number;
  legalEntityId: number;
};

/** A request. `as` names another caller, `send` sends content other than JSON. */
type Request = {
  call: string;
  body?: unknown;
  send?: { type: string; content: string | FormData };
  as?: 'ADMIN' | 'VIEWER' | 'nobody';
  /** A preceding request, for problems that only a second request causes. */
  after?: Request;
  key?: string;
};

const anything = { email: 'twice@carte.test', fullName: 'Twice', roles: [] };

const REQUESTS: Readonly<Partial<Record<ProblemKind, (fixture: Fixture) => Request>>> = {
  validation: () => ({ call: 'POST /users', body: {} }),
  'malformed-body': () => ({
    call: 'POST /users',
    send: { type: 'application/json', content: '{' },
  }),
  'unsupported-media-type': () => ({
    call: 'POST /users',
    send: { type: 'text/plain', content: '{}' },
  }),
  'payload-too-large': () => ({ call: 'POST /users', body: { fullName: 'x'.repeat(1_100_000) } }),
  'uri-too-long': () => ({ call: `GET /me?${'q=&'.repeat(100)}` }),
  unauthorized: () => ({ call: 'GET /me', as: 'nobody' }),
  forbidden: () => ({ call: 'GET /users', as: 'VIEWER' }),
  'not-found': () => ({ call: 'GET /users/999999' }),
  'method-not-allowed': () => ({ call: 'DELETE /me' }),
  'version-conflict': () => ({ call: 'PATCH /users/1', body: { version: 99, fullName: 'Other' } }),
  duplicate: () => ({ call: 'POST /users', body: { ...anything, email: ADMIN.email } }),
  'invalid-transition': ({ draftId }) => ({
    call: `POST /products/${draftId}/unpublish`,
    body: {},
  }),
  'item-already-bound': ({ sizeId, categoryId }) => ({
    call: 'POST /erp/items/create-product',
    body: { name: 'Вторая', categoryIds: [categoryId], variants: [{ erpItemSizeId: sizeId }] },
  }),
  'category-not-empty': ({ categoryId }) => ({ call: `DELETE /categories/${categoryId}` }),
  'media-in-use': ({ mediaId }) => ({ call: `DELETE /media/${mediaId}` }),
  'publish-blocked': ({ draftId }) => ({ call: `POST /products/${draftId}/publish`, body: {} }),
  'idempotency-key-reused': () => ({
    call: 'POST /users',
    body: { ...anything, fullName: 'Somebody else' },
    key: 'used-before',
    after: { call: 'POST /users', body: anything, key: 'used-before' },
  }),
  'last-administrator': () => ({ call: 'DELETE /users/1' }),
  'owner-inactive': ({ legalEntityId }) => ({
    call: 'POST /connections',
    body: { legalEntityId, name: 'New', apiLogin: 'a-login' },
  }),
  'media-unreadable': () => ({
    call: 'POST /media',
    send: { type: 'form', content: brokenPicture() },
  }),
  'sign-on-refused': () => ({ call: 'GET /auth/oidc/callback?state=invented' }),
  // This API's identity provider is unreachable.
  unavailable: () => ({ call: 'GET /auth/oidc/start' }),
};

/** Kinds that need a separate server, with their tests. */
const ELSEWHERE: Readonly<Partial<Record<ProblemKind, { file: string; title: string }>>> = {
  'already-running': {
    file: 'test/http/mirror/sync-runs.test.ts',
    title: 'answers 202 with a run that can be read immediately, and 409 while it runs',
  },
  'idempotency-in-flight': {
    file: 'test/http/base/idempotency.test.ts',
    title: 'causes 409 for a concurrent repetition, which does not disturb the request',
  },
  'second-factor-required': {
    file: 'test/http/access/second-factor.test.ts',
    title: 'takes effect when its first code is confirmed',
  },
  'rate-limited': {
    file: 'test/http/access/session.test.ts',
    title: 'throttles by account and address',
  },
  'malformed-request': {
    file: 'test/http/base/requests.test.ts',
    title: 'answer 400 to %s and end the connection',
  },
  'headers-too-large': {
    file: 'test/http/base/requests.test.ts',
    title: 'answer 431 to headers of more than 16 KiB',
  },
  'checkout-blocked': {
    file: 'test/http/ordering/orders.test.ts',
    title: 'fails on changes that the guest has not seen, returns them, and writes nothing',
  },
  'cart-already-ordered': {
    file: 'test/http/ordering/orders.test.ts',
    title: 'requires a key, which returns the first answer again, even after the cart is deleted',
  },
  'compensation-taken': {
    file: 'test/http/gifts/admin.test.ts',
    title:
      'cannot be changed by staff if an order has it, and the answer contains the order number',
  },
  'reason-required': {
    file: 'test/http/gifts/admin.test.ts',
    title: 'requires a reason for a change, and the history contains user, time and reason',
  },
  'grant-limit-reached': {
    file: 'test/http/gifts/admin.test.ts',
    title: 'end at the daily limit of the setting, also in concurrent requests',
  },
  'order-not-cancellable': {
    file: 'test/http/ordering/orders.test.ts',
    title: 'can no longer be withdrawn if it is %s',
  },
  busy: {
    file: 'test/http/media/media.test.ts',
    title: 'a full pool rejects new pictures with Retry-After',
  },
  internal: {
    file: 'test/http/base/requests.test.ts',
    title: 'hides the cause of a fault (%s) behind a 500 with a request id',
  },
};

function brokenPicture(): FormData {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(64)], { type: 'image/png' }), 'broken.png');
  return form;
}

describe('every kind of problem', () => {
  let database: Awaited<ReturnType<typeof migratedDatabase>>;
  let api: TestApi;
  let fixture: Fixture;
  const tokens = new Map<string, string>();
  beforeAll(async () => {
    database = await migratedDatabase();
    const rows = menuRows(database.db);
    const place = await rows.restaurant();
    const dish = await rows.dish({ ...place, prices: { [place.organizationId]: 10_050 } });
    const draftId = await rows.product(place.categoryId, { status: 'DRAFT' });
    const franchiseeId = await rows.insert('franchisee', { name: 'Closed', is_active: false });
    const legalEntityId = await rows.insert('legal_entity', {
      franchisee_id: franchiseeId,
      name: 'Closed',
    });
    const mediaId = await rows.media();
    await updateRows(
      database.db,
      'catalog_product',
      { mainImageId: mediaId },
      { id: dish.productId },
    );
    await rows.insert(
      'catalog_item_binding',
      { item_id: dish.itemId, product_id: dish.productId },
      'item_id',
    );
    fixture = { ...place, ...dish, draftId, mediaId, legalEntityId };
    api = await startTestApi({
      routes,
      database,
      env: {
        ADMIN_ORIGINS: 'https://ui.carte.test',
        OIDC_ISSUER: 'http://127.0.0.1:9',
        OIDC_CLIENT_ID: 'carte',
        OIDC_CLIENT_SECRET: 'secret',
        OIDC_REDIRECT_URL: 'https://admin.carte.test/api/admin/v1/auth/oidc/callback',
      },
    });
    tokens.set('ADMIN', (await adminClient(api.url, ADMIN.email, ADMIN.password)).accessToken);
    const viewer = await api.user('VIEWER');
    tokens.set('VIEWER', (await adminClient(api.url, viewer.email, viewer.password)).accessToken);
  });
  afterAll(async () => {
    await api?.stop();
    await database?.close();
  });

  async function send({
    call,
    body,
    send: raw,
    as = 'ADMIN',
    key,
    after,
  }: Request): Promise<Response> {
    if (after !== undefined) await send(after);
    const [method = '', path = ''] = call.split(' ');
    const token = tokens.get(as);
    const type = raw?.type ?? (body === undefined ? undefined : 'application/json');
    return fetch(`${api.url}/api/admin/v1${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(type === undefined || type === 'form' ? {} : { 'content-type': type }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(raw !== undefined
        ? { body: raw.content }
        : body === undefined
          ? {}
          : { body: JSON.stringify(body) }),
    });
  }

  test.each(Object.entries(REQUESTS))('%s returns its status and body', async (kind, request) => {
    const response = await send(request(fixture));
    const body = (await response.json()) as Record<string, unknown>;
    const { status, title } = PROBLEMS[kind as ProblemKind];

    expect({ status: response.status, type: body['type'] }).toEqual({
      status,
      type: `/problems/${kind}`,
    });
    expect(body).toMatchObject({
      title,
      status,
      detail: expect.any(String),
      instance: expect.any(String),
    });
    expect(response.headers.get('content-type')).toContain('application/problem+json');
    expect(response.headers.get('x-request-id')).toBe(body['requestId']);
  });

  test.each(Object.entries(ELSEWHERE))(
    '%s appears in an existing test',
    async (kind, { file, title }) => {
      const text = await readFile(file, 'utf8');

      expect(text).toContain(title);
      expect(text).toContain(kind);
    },
  );

  test('[HTTP-10] appears in one of the tables', () => {
    expect(Object.keys({ ...REQUESTS, ...ELSEWHERE }).toSorted()).toEqual(
      Object.keys(PROBLEMS).toSorted(),
    );
  });
});
