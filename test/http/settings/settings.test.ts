import { Ajv } from 'ajv';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { changeSetting } from '../../../modules/settings/change-setting.ts';
import { readSettings } from '../../../modules/settings/read-settings.ts';
import { SETTING_RULES } from '../../../modules/settings/setting-rules.ts';
import { SETTING_DEFAULTS, type SettingKey } from '../../../modules/settings/schemas/settings.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { STAFF } from '../../support/catalog-fixtures.ts';
import { menuRows } from '../../support/menu-rows.ts';
import { NO_ORDER_LIMITS } from '../../support/order-limits.ts';
import { awaitRefusal } from '../../support/refusal.ts';
import { deleteRows, selectRows } from '../../support/rows.ts';

let api: TestApi;
let admin: AdminClient;
beforeAll(async () => {
  api = await startTestApi({ routes });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
  await menuRows(api.deps.db).restaurant();
});
afterAll(() => api.stop());
beforeEach(async () => {
  await deleteRows(api.deps.db, 'setting');
  await deleteRows(api.deps.db, 'outbox');
  await deleteRows(api.deps.db, 'snapshot_request');
});

type Setting = {
  key: string;
  value: unknown;
  defaultValue: unknown;
  version: number;
  updatedBy: { id: number; name: string } | null;
};
const change = (key: string, version: number, value: unknown) =>
  admin.patch<Setting>(`/settings/${key}`, { version, value });
const refused = (key: string, body: object) =>
  awaitRefusal(admin.raw('PATCH', `/settings/${key}`, body));
const announced = async () => ({
  events: await selectRows(api.deps.db, 'outbox', ['event', 'payload']),
  dirty: await selectRows(api.deps.db, 'snapshot_request', ['reason']),
});

/** Per setting: a non-default value, rejected values, and visibility to guests. */
const TABLE: {
  [K in SettingKey]: { other: unknown; wrong: [unknown, string, string][]; outdates: boolean };
} = {
  stoplist_behaviour: { other: 'HIDE', wrong: [['hide', 'value', 'enum']], outdates: true },
  stoplist_terminals: { other: 'ALL', wrong: [[1, 'value', 'enum']], outdates: true },
  'sync.shrink_threshold_percent': {
    other: 50,
    wrong: [
      [101, 'value', 'max'],
      [-1, 'value', 'min'],
      ['30', 'value', 'type'],
    ],
    outdates: false,
  },
  'binding.missing_grace': {
    other: { imports: 3, minutes: 60 },
    wrong: [
      [{ imports: 3 }, 'value.minutes', 'required'],
      [{ imports: 3, minutes: 1, days: 1 }, 'value.days', 'unknown_field'],
      [[], 'value', 'type'],
    ],
    outdates: false,
  },
  'snapshot.revision_days': { other: 30, wrong: [[0, 'value', 'min']], outdates: false },
  console: { other: 'OFF', wrong: [['off', 'value', 'enum']], outdates: false },
  chain_name: {
    other: 'Пицца',
    wrong: [
      [7, 'value', 'type'],
      ['  ', 'value', 'required'],
      ['\u200b', 'value', 'required'],
      ['Pizza\nBar', 'value', 'invalid'],
      ['\u202ePizza', 'value', 'invalid'],
      ['x'.repeat(101), 'value', 'max_length'],
    ],
    outdates: false,
  },
  map_tiles: {
    other: { url: 'https://tiles.test/{z}/{x}/{y}.png', attribution: '© Maps' },
    wrong: [
      ['https://tiles.test/{z}', 'value', 'type'],
      [{ url: 'https://tiles.test' }, 'value.attribution', 'required'],
      [{ url: 'https://tiles.test', attribution: null, key: 'x' }, 'value.key', 'unknown_field'],
      [{ url: null, attribution: null }, 'value.url', 'type'],
      [{ url: 'https://tiles.test', attribution: '' }, 'value.attribution', 'required'],
      [{ url: 'tiles/{z}/{x}/{y}.png', attribution: null }, 'value.url', 'format'],
      [{ url: 'javascript:alert(1)', attribution: null }, 'value.url', 'format'],
      [{ url: 'https:tiles.test/{z}', attribution: null }, 'value.url', 'format'],
      [{ url: 'https:\\\\tiles.test\\{z}', attribution: null }, 'value.url', 'format'],
      [{ url: 'https://{s}.tiles.test/{z}', attribution: null }, 'value.url', 'format'],
      [{ url: 'https://tiles.test;script-src/{z}', attribution: null }, 'value.url', 'format'],
      [{ url: 'https://[2001:db8::1]/{z}', attribution: null }, 'value.url', 'format'],
      [{ url: 'https://anna:secret@tiles.test/{z}', attribution: null }, 'value.url', 'format'],
    ],
    outdates: false,
  },
  temporal_ui_url: {
    other: 'https://temporal.test/ui',
    wrong: [
      [7, 'value', 'type'],
      ['temporal.test', 'value', 'format'],
      ['https://temporal.test/?namespace=x', 'value', 'format'],
      ['https://temporal.test/ ui', 'value', 'format'],
      ['https://temporal.test/{namespace}', 'value', 'format'],
    ],
    outdates: false,
  },
  guest_language: { other: 'EN', wrong: [['en', 'value', 'enum']], outdates: false },
  staff_language: { other: 'EN', wrong: [['ru', 'value', 'enum']], outdates: false },
  quote_minutes: {
    other: 20,
    wrong: [
      [0, 'value', 'min'],
      [121, 'value', 'max'],
    ],
    outdates: false,
  },
  compensation_grants_per_day: {
    other: 3,
    wrong: [
      [-1, 'value', 'min'],
      [1_001, 'value', 'max'],
    ],
    outdates: false,
  },
  'binding.escalation_minutes': {
    other: 60,
    wrong: [
      [4, 'value', 'min'],
      [10_081, 'value', 'max'],
    ],
    outdates: false,
  },
  order_watch_days: {
    other: 7,
    wrong: [
      [0, 'value', 'min'],
      [61, 'value', 'max'],
    ],
    outdates: false,
  },
  gift_return_days: {
    other: 14,
    wrong: [
      [0, 'value', 'min'],
      [366, 'value', 'max'],
    ],
    outdates: false,
  },
  gifts_per_order: {
    other: 2,
    wrong: [
      [0, 'value', 'min'],
      [11, 'value', 'max'],
    ],
    outdates: false,
  },
  order_send_minutes: {
    other: 30,
    wrong: [
      [0, 'value', 'min'],
      [181, 'value', 'max'],
    ],
    outdates: false,
  },
  imprecise_address: { other: 'ACCEPT', wrong: [['MAYBE', 'value', 'enum']], outdates: false },
  delivery_fee: {
    other: 149.5,
    wrong: [
      [-1, 'value', 'min'],
      [1.005, 'value', 'invalid'],
      ['149', 'value', 'type'],
    ],
    outdates: false,
  },
  order_limits: {
    other: NO_ORDER_LIMITS,
    wrong: [
      [{ ...NO_ORDER_LIMITS, GUEST: { open: -1, day: 0 } }, 'value.GUEST.open', 'min'],
      [{ ...NO_ORDER_LIMITS, POINT: { open: 1 } }, 'value.POINT.day', 'required'],
      [{ ...NO_ORDER_LIMITS, TABLE: { open: 1, day: 1 } }, 'value.TABLE', 'unknown_field'],
    ],
    outdates: false,
  },
  guest_order_sum: {
    other: 5_000,
    wrong: [
      [-1, 'value', 'min'],
      ['5000', 'value', 'type'],
    ],
    outdates: false,
  },
  serving_organization: { other: 'ERP', wrong: [['NOBODY', 'value', 'enum']], outdates: false },
  call_center_organization: {
    other: '3f6a1c52-8d0e-4b7a-9c11-5e2d7a904b01',
    wrong: [
      ['main', 'value', 'format'],
      [7, 'value', 'format'],
    ],
    outdates: false,
  },
  structured_cutlery: { other: 'FIELDS', wrong: [['WORDS', 'value', 'enum']], outdates: false },
  order_personal_days: {
    other: 90,
    wrong: [
      [29, 'value', 'min'],
      [1_826, 'value', 'max'],
    ],
    outdates: false,
  },
  gift_markers: {
    other: { usual: 'CATEGORY', connections: { 7: 'COMMENT' } },
    wrong: [
      [{ usual: 'CATEGORY' }, 'value.connections', 'required'],
      [{ usual: 'BOTH', connections: {} }, 'value.usual', 'enum'],
      [{ usual: 'OFF', connections: { 7: 'BOTH' } }, 'value.connections.7', 'enum'],
      [{ usual: 'OFF', connections: { main: 'OFF' } }, 'value.connections.main', 'invalid'],
      [{ usual: 'OFF', connections: [] }, 'value.connections', 'type'],
    ],
    outdates: false,
  },
  gift_phrases: {
    other: { usual: ['должны ролл', 'Free Roll'], connections: { 7: [] } },
    wrong: [
      [[], 'value', 'type'],
      [{ usual: 'free roll', connections: {} }, 'value.usual', 'type'],
      [{ usual: [7], connections: {} }, 'value.usual.0', 'type'],
      [{ usual: ['okay', 'ё!'], connections: {} }, 'value.usual.1', 'min_length'],
      [{ usual: ['free roll', ' FREE  roll!'], connections: {} }, 'value.usual.1', 'duplicate'],
      [{ usual: ['x'.repeat(61)], connections: {} }, 'value.usual.0', 'max_length'],
      [
        { usual: Array.from({ length: 51 }, (_, index) => `phrase ${index}`), connections: {} },
        'value.usual',
        'max_items',
      ],
      [{ usual: [], connections: { 7: [''] } }, 'value.connections.7.0', 'min_length'],
    ],
    outdates: false,
  },
  gifts_per_client: { other: 'SEVERAL', wrong: [['TWO', 'value', 'enum']], outdates: false },
  overlapping_zones: { other: 'PRIORITY', wrong: [['ANY', 'value', 'enum']], outdates: false },
};
const KEYS = Object.keys(TABLE) as SettingKey[];

describe('the settings of the installation', () => {
  test('appear by key with their defaults, in pages', async () => {
    const all = await admin.get<{ items: Setting[]; total: number }>('/settings');
    const second = await admin.get<{ items: Setting[]; total: number }>('/settings?page=2&size=2');

    expect(all.total).toBe(Object.keys(SETTING_DEFAULTS).length);
    expect(Object.fromEntries(all.items.map((item) => [item.key, item.value]))).toEqual(
      SETTING_DEFAULTS,
    );
    expect(all.items.every((item) => item.version === 0)).toBe(true);
    expect(second.items.map((item) => item.key)).toEqual(
      all.items.slice(2, 4).map((item) => item.key),
    );
  });

  test('[OPS-200] show titles in both languages, and schemas that accept valid values', async () => {
    const inLanguage = async (language: string) => {
      const answer = await fetch(`${api.url}/api/admin/v1/settings`, {
        headers: { authorization: `Bearer ${admin.accessToken}`, 'accept-language': language },
      });
      return (await answer.json()) as { items: (Setting & { title: string; schema: object })[] };
    };
    const [russian, english] = [await inLanguage('ru'), await inLanguage('en')];
    const ajv = new Ajv({
      allowUnionTypes: true,
      formats: { uuid: true, uri: true },
      multipleOfPrecision: 6,
    });
    for (const { key, title, schema, defaultValue } of english.items) {
      const isValid = ajv.compile(schema);
      const { other, wrong } = TABLE[key as SettingKey];
      expect([key, isValid(defaultValue), isValid(other)]).toEqual([key, true, true]);
      const detectable = wrong.filter(
        ([, , code]) => !['duplicate', 'min_length', 'format', 'invalid'].includes(code),
      );
      expect([key, detectable.filter(([value]) => isValid(value))]).toEqual([key, []]);
      expect(title).toMatch(/^[A-Z][a-z]/);
    }
    expect(russian.items.every(({ title }) => /^[А-Я]/.test(title))).toBe(true);
    expect(english.items.find(({ key }) => key === 'quote_minutes')).toMatchObject({
      unit: 'MINUTES',
    });
  });

  test.each(KEYS)('include %s, which can be changed, read, audited and reset', async (key) => {
    const { other, outdates } = TABLE[key];

    const changed = await change(key, 0, other);
    const effect = await announced();
    const read = (await readSettings(api.deps.db, key))[key];
    const back = await change(key, 1, null);
    const audit = await selectRows(
      api.deps.db,
      'audit_entry',
      ['action', 'before', 'after'],
      { entityType: 'setting', entityId: key },
      { orderBy: 'id' },
    );

    expect(changed).toMatchObject({
      key,
      value: other,
      version: 1,
      updatedBy: { id: expect.any(Number), name: expect.any(String) },
    });
    expect(read).toEqual(other);
    expect(back).toMatchObject({ value: SETTING_DEFAULTS[key], version: 2 });
    expect(audit).toEqual([
      { action: 'update', before: { value: SETTING_DEFAULTS[key] }, after: { value: other } },
      { action: 'update', before: { value: other }, after: { value: SETTING_DEFAULTS[key] } },
    ]);
    expect(SETTING_RULES[key].outdatesMenus).toBe(outdates);
    const reason = 'setting-change';
    expect(effect).toEqual(
      outdates
        ? {
            events: [{ event: 'CatalogChanged', payload: { organizationIds: null, reason } }],
            dirty: [{ reason }],
          }
        : { events: [], dirty: [] },
    );
  });

  test.each(KEYS.flatMap((key) => TABLE[key].wrong.map((wrong) => [key, ...wrong] as const)))(
    '[CMP-22] reject for %s the value %j at %s with %s',
    async (key, value, field, code) => {
      expect(await refused(key, { version: 0, value })).toMatchObject({
        status: 422,
        errors: [{ field, code }],
      });
      expect(await announced()).toEqual({ events: [], dirty: [] });
    },
  );

  test('reject an unknown key and another version, and ignore an equal value', async () => {
    await change('stoplist_behaviour', 0, 'HIDE');

    expect((await refused('no_such_setting', { version: 0, value: 1 })).status).toBe(404);
    expect((await refused('toString', { version: 0, value: 1 })).status).toBe(404);
    for (const version of [0, 2, 1e300])
      expect(await refused('stoplist_behaviour', { version, value: 'SHOW' })).toMatchObject({
        status: 409,
        currentVersion: 1,
      });
    expect(await change('stoplist_behaviour', 1, 'HIDE')).toMatchObject({ version: 1 });
    expect((await announced()).events).toHaveLength(1);
  });

  test.each([0, 1])(
    'accept one of several concurrent changes of version %d, and return the current version',
    async (version) => {
      if (version === 1) await change('snapshot.revision_days', 0, 20);

      const results = await Promise.allSettled(
        [31, 32, 33, 34].map((value) =>
          changeSetting(api.deps, STAFF, 'snapshot.revision_days', { version, value }),
        ),
      );

      const lost = {
        kind: 'version-conflict',
        details: { extra: { currentVersion: version + 1 } },
      };
      expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
      expect(
        results.flatMap((result) =>
          result.status === 'rejected' ? [result.reason as unknown] : [],
        ),
      ).toEqual(Array.from({ length: 3 }, () => expect.objectContaining(lost)));
    },
  );
});

describe('GET /console-config', () => {
  test('[OPS-199] shows the settings of the console, and servers only to staff', async () => {
    const read = async (authorization?: string) => {
      const answer = await fetch(`${api.url}/api/admin/v1/console-config`, {
        headers: authorization === undefined ? {} : { authorization },
      });
      return (await answer.json()) as object;
    };
    const shown = {
      languages: ['ru', 'en'],
      signOn: { isOn: false, startPath: null },
      docsPath: null,
    };
    const none = { ...shown, chainName: 'Carte', mapTiles: null, temporal: null };
    expect(await read(`Bearer ${admin.accessToken}`)).toEqual(none);

    const tiles = { url: 'https://tiles.test/{z}/{x}/{y}.png', attribution: '© Maps' };
    await change('chain_name', 0, 'Пицца');
    await change('map_tiles', 0, tiles);
    await change('temporal_ui_url', 0, 'https://temporal.test/ui/');
    const [anyone, stranger, staff] = [
      await read(),
      await read('Bearer x.y.z'),
      await read(`Bearer ${admin.accessToken}`),
    ];

    expect(anyone).toEqual({ ...none, chainName: 'Пицца' });
    expect(stranger).toEqual(anyone);
    expect(staff).toEqual({
      ...shown,
      chainName: 'Пицца',
      mapTiles: tiles,
      temporal: { url: 'https://temporal.test/ui', namespace: expect.any(String) },
    });
  });
});
