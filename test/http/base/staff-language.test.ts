import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import type { MissingProducts } from '../../../modules/menus/schemas/snapshot.ts';
import { raiseNotification } from '../../../modules/notifications/raise-notification.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { openStream } from '../../support/event-stream.ts';
import { menuRows, type MenuRows } from '../../support/menu-rows.ts';
import { eventually } from '../../support/processes.ts';

let api: TestApi;
let admin: AdminClient;
let rows: MenuRows;
beforeAll(async () => {
  api = await startTestApi({ routes });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
  rows = menuRows(api.deps.db);
});
afterAll(() => api.stop());

async function inLanguage<T>(
  language: string,
  path: string,
  init: { method?: string; body?: unknown } = {},
) {
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
      ['ru-RU,ru;q=0.9,en;q=0.5', 'en', 'de'].map((language) =>
        inLanguage<MissingProducts>(language, path),
      ),
    );

    const sentences = [russian, english, other].map((answer) => [
      answer!.headers.get('content-language'),
      answer!.headers.get('vary')?.includes('Accept-Language'),
      answer!.body.items.map(({ reason, sentence }) => [reason, sentence]),
    ]);
    expect(sentences).toEqual([
      ['ru', true, [['PUBLISHED', 'Блюдо не опубликовано.']]],
      ['en', true, [['PUBLISHED', 'The product is not published.']]],
      ['en', true, [['PUBLISHED', 'The product is not published.']]],
    ]);
    const explained = await inLanguage<{ items: { sentence: string }[] }>(
      'ru',
      `/products/${dish.productId}/explain?all=true`,
    );
    expect(explained.body.items.map(({ sentence }) => sentence)).toEqual([
      'Блюдо не опубликовано.',
    ]);
  });

  test('decides titles and units of settings', async () => {
    type Settings = { items: { title: string; unit: string | null; unitTitle: string | null }[] };
    const [russian, english] = [
      await inLanguage<Settings>('ru', '/settings'),
      await inLanguage<Settings>('en', '/settings'),
    ];

    expect(russian.body.items.filter(({ title }) => !RUSSIAN.test(title))).toEqual([]);
    expect(english.body.items.filter(({ title }) => !ENGLISH.test(title))).toEqual([]);
    const units = [russian, english].map(
      ({ body }) => body.items.find(({ unit }) => unit === 'MINUTES')?.unitTitle,
    );
    expect(units).toEqual(['минуты', 'minutes']);
    expect(
      english.body.items.every(({ unit, unitTitle }) => (unit === null) === (unitTitle === null)),
    ).toBe(true);
  });

  test('[NOT-7] decides title and text of notifications, but not of mails and webhooks', async () => {
    const place = await rows.restaurant();
    const id = await raiseNotification(api.deps.db, {
      kind: 'SNAPSHOT_TOO_LARGE',
      subjectType: 'organization',
      subjectId: place.organizationId,
      details: { organizationId: place.organizationId, bytes: 1_200_000 },
    });
    type Answer = { kind: string; title: string; text: string; details: object };
    const [russian, english] = await Promise.all(
      ['ru', 'en'].map(
        async (language) => (await inLanguage<Answer>(language, `/notifications/${id}`)).body,
      ),
    );

    expect(russian).toMatchObject({
      title: 'Меню слишком большое для публикации',
      text: 'Новое меню больше предела. Гости видят прежнее меню.',
    });
    expect(english).toMatchObject({ title: 'A menu is too large to be published' });
    expect(russian!.details).toEqual(english!.details);
  });

  test('decides the titles of notifications on the stream', async () => {
    const place = await rows.restaurant();
    const streams = await Promise.all(
      ['ru', 'en'].map((language) =>
        openStream(`${api.url}/api/admin/v1/stream`, {
          authorization: `Bearer ${admin.accessToken}`,
          'accept-language': language,
        }),
      ),
    );
    const titles = (event: string) =>
      eventually(`${event} on both streams`, () => {
        const found = streams.flatMap(
          ({ events }) => events.find((entry) => entry.event === event) ?? [],
        );
        return Promise.resolve(found.length === streams.length ? found : undefined);
      });
    await titles('snapshot');
    await raiseNotification(api.deps.db, {
      kind: 'SNAPSHOT_TOO_LARGE',
      subjectType: 'organization',
      subjectId: place.organizationId,
      details: {},
    });
    const sent = await titles('notification');
    for (const stream of streams) stream.close();

    expect(sent.map(({ data }) => (data as { title: string }).title)).toEqual([
      'Меню слишком большое для публикации',
      'A menu is too large to be published',
    ]);
  });

  test('decides the sentences of violations, also of a rejected publication', async () => {
    const { id } = await admin.post<{ id: number }>('/products', { name: 'Soup', categoryIds: [] });
    const violationsIn = async (language: string) => {
      type Violations = { violations: { code: string; message: string }[] };
      const check = await inLanguage<Violations>(language, `/products/${id}/publish-check`);
      const refusal = await inLanguage<Violations>(language, `/products/${id}/publish`, {
        method: 'POST',
      });
      expect(refusal.status).toBe(422);
      expect(refusal.body.violations).toEqual(check.body.violations);
      return check.body.violations;
    };
    const [russian, english] = [await violationsIn('ru'), await violationsIn('en')];

    expect(russian[0]).toEqual({
      code: 'NO_MAIN_IMAGE',
      message: 'У блюда нет основного изображения.',
    });
    expect(russian.every(({ message }) => RUSSIAN.test(message))).toBe(true);
    expect(english.every(({ message }) => ENGLISH.test(message))).toBe(true);
    expect(russian.map(({ code }) => code)).toEqual(english.map(({ code }) => code));
  });

  test('decides the titles of the checklist of a restaurant', async () => {
    const { organizationId } = await rows.restaurant();
    type Checklist = { checklist: { code: string; title: string }[] };
    const path = `/organizations/${organizationId}/readiness`;
    const [russian, english] = [
      await inLanguage<Checklist>('ru', path),
      await inLanguage<Checklist>('en', path),
    ];

    expect(russian.body.checklist.every(({ title }) => RUSSIAN.test(title))).toBe(true);
    expect(english.body.checklist.every(({ title }) => ENGLISH.test(title))).toBe(true);
    expect(russian.body.checklist.find(({ code }) => code === 'HOURS')?.title).toBe('Часы работы');
  });

  test('decides the sentences of incidents, with the plural of their restaurants', async () => {
    const place = await rows.restaurant();
    const dish = await rows.dish({ ...place, prices: { [place.organizationId]: 25_050 } });
    const lastKnown = {
      erpItemId: dish.erpId,
      sku: null,
      name: 'Суп',
      price: null,
      lastSeenAt: null,
    };
    const incident = {
      severity: 'CRITICAL',
      status: 'OPEN',
      evaluation: 1,
      variant_id: dish.variantId,
    };
    const id = await rows.insert('binding_incident', {
      ...incident,
      type: 'ITEM_MISSING',
      lost: 'ITEM',
      product_id: dish.productId,
      last_known: lastKnown,
    });
    const sentenceIn = async (language: string) =>
      (
        await inLanguage<{ sentence: string; product: { name: string } }>(
          language,
          `/binding-incidents/${id}`,
        )
      ).body;
    const [russian, english] = [await sentenceIn('ru'), await sentenceIn('en')];

    expect(russian.sentence).toBe(
      `Учётная система удалила позицию «Суп» блюда «${russian.product.name}». Она продавалась в 1 ресторане.`,
    );
    expect(english.sentence).toBe(
      `The ERP has deleted the dish "Суп" of the product "${russian.product.name}". It was sold in 1 restaurant.`,
    );
  });

  test('[HTTP-111] decides title, detail and field errors of problems, with the same codes', async () => {
    type Problem = {
      type: string;
      title: string;
      detail: string;
      errors?: { field: string; code: string; message: string }[];
    };
    const refused = (language: string, path: string, method: string, body?: unknown) =>
      inLanguage<Problem>(language, path, { method, ...(body === undefined ? {} : { body }) });
    const requests: [string, string, unknown?][] = [
      ['/users', 'POST', { email: 'x', fullName: 'a'.repeat(500), roles: 'none', unknown: 1 }],
      ['/products/999999', 'GET'],
      ['/settings/quote_minutes', 'PATCH', { version: 0, value: 0 }],
      ['/unknown', 'GET'],
      ['/roles/1', 'DELETE'],
      ['/sync/runs/999999/cancel', 'POST', {}],
    ];
    for (const [path, method, body] of requests) {
      const [russian, english] = [
        await refused('ru', path, method, body),
        await refused('en', path, method, body),
      ];
      const codes = ({ errors = [] }: Problem) => errors.map(({ field, code }) => [field, code]);

      expect([path, russian.status, russian.body.type]).toEqual([
        path,
        english.status,
        english.body.type,
      ]);
      expect(codes(russian.body)).toEqual(codes(english.body));
      expect([
        russian.headers.get('content-language'),
        english.headers.get('content-language'),
      ]).toEqual(['ru', 'en']);
      const texts = ({ title, detail, errors = [] }: Problem) => [
        title,
        detail,
        ...errors.map(({ message }) => message),
      ];
      expect([path, texts(russian.body).filter((text) => !/[а-яё]/i.test(text))]).toEqual([
        path,
        [],
      ]);
      expect([path, texts(english.body).filter((text) => /[а-яё]/i.test(text))]).toEqual([
        path,
        [],
      ]);
    }
    const { body } = await refused('ru', '/settings/quote_minutes', 'PATCH', {
      version: 0,
      value: 0,
    });
    expect(body).toMatchObject({
      title: 'Неверный запрос',
      errors: [{ field: 'value', code: 'min', message: 'не может быть меньше 1' }],
    });
  });

  test('[HTTP-111] problems of the storefront API are in English', async () => {
    const answer = await fetch(`${api.url}/api/v1/orders/0d000001-0000-4000-8000-000000000001`, {
      headers: { 'accept-language': 'ru' },
    });
    expect(await answer.json()).toMatchObject({ title: expect.stringMatching(ENGLISH) as unknown });
  });
});
