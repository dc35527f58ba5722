import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import type { MissingProducts } from '../../../modules/menus/schemas/snapshot.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { menuRows, type MenuRows } from '../../support/menu-rows.ts';

let api: TestApi;
let admin: AdminClient;
let rows: MenuRows;
beforeAll(async () => {
  api = await startTestApi({ routes });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
  rows = menuRows(api.deps.db);
});
afterAll(() => api.stop());

/** An answer of the admin API in a language. */
async function inLanguage<T>(language: string, path: string, init: { method?: string; body?: unknown } = {}) {
  const { method = 'GET', body } = init;
  const answer = await fetch(`${api.url}/api/admin/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${admin.accessToken}`,
      'accept-language': language,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as T };
}

const RUSSIAN = /^[А-ЯЁ]/;
const ENGLISH = /^[A-Z]/;

describe('[HTTP-110] the language of staff', () => {
  test('decides the sentences of missing products and explanations', async () => {
    const place = await rows.restaurant();
    const dish = await rows.dish({ ...place, prices: { [place.organizationId]: 25_050 } });
    await admin.post(`/products/${dish.productId}/unpublish`);
    const path = `/organizations/${place.organizationId}/missing-products`;

    const [russian, english, other] = await Promise.all(
      ['ru-RU,ru;q=0.9,en;q=0.5', 'en', 'de'].map((language) => inLanguage<MissingProducts>(language, path)),
    );

    const sentences = [russian, english, other].map((answer) => [
      answer!.headers.get('content-language'),
      answer!.headers.get('vary')?.includes('Accept-Language'),
      answer!.body.items.map(({ reason, sentence }) => [reason, sentence]),
    ]);
    expect(sentences).toEqual([
      ['ru', true, [['PUBLISHED', 'Товар не опубликован.']]],
      ['en', true, [['PUBLISHED', 'The product is not published.']]],
      ['en', true, [['PUBLISHED', 'The product is not published.']]],
    ]);
    const explained = await inLanguage<{ items: { sentence: string }[] }>(
      'ru',
      `/products/${dish.productId}/explain?all=true`,
    );
    expect(explained.body.items.map(({ sentence }) => sentence)).toEqual(['Товар не опубликован.']);
  });

  test('decides titles and units of settings', async () => {
    type Settings = { items: { title: string; unit: string | null; unitTitle: string | null }[] };
    const [russian, english] = [
      await inLanguage<Settings>('ru', '/settings'),
      await inLanguage<Settings>('en', '/settings'),
    ];

    expect(russian.body.items.filter(({ title }) => !RUSSIAN.test(title))).toEqual([]);
    expect(english.body.items.filter(({ title }) => !ENGLISH.test(title))).toEqual([]);
    const units = [russian, english].map(({ body }) => body.items.find(({ unit }) => unit === 'MINUTES')?.unitTitle);
    expect(units).toEqual(['минуты', 'minutes']);
    expect(english.body.items.every(({ unit, unitTitle }) => (unit === null) === (unitTitle === null))).toBe(true);
  });
});
