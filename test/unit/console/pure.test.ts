import { describe, expect, test } from '@jest/globals';
import { NOTIFICATION_DETAILS } from '../../../modules/notifications/schemas/notification-details.ts';
import { KINDS_RESOLVED_BY_STAFF } from '../../../modules/notifications/schemas/notifications.ts';
import { changedFields, formValues, toBody } from '../../../packages/console/src/pure/fields.ts';
import { isFiltered, toParams } from '../../../packages/console/src/pure/filters.ts';
import { age, calendarDay, moment, money } from '../../../packages/console/src/pure/format.ts';
import {
  localTime,
  mostFrequent,
  nextNoon,
  startOfDay,
  toMoment,
} from '../../../packages/console/src/pure/moments.ts';
import { parseSearch, searchText } from '../../../packages/console/src/pure/search.ts';
import {
  sentSetting,
  settingFields,
  shownSetting,
  type SettingSchema,
} from '../../../packages/console/src/pure/setting.ts';
import { RESOLVED_BY_STAFF, subjectPath } from '../../../packages/console/src/pure/subjects.ts';
import {
  findTarget,
  moved,
  nested,
  placesChanged,
} from '../../../packages/console/src/pure/tree.ts';
import { mergedOrder, toggled, withToggle } from '../../../packages/console/src/pure/toggles.ts';
import {
  copiedToAllDays,
  edgeMoved,
  hoursLines,
  hoursOfLine,
  mergedWeek,
  withSpan,
  type HoursWindow,
} from '../../../packages/console/src/pure/week.ts';

describe('the form of a setting', () => {
  const tiles: SettingSchema = {
    type: ['object', 'null'],
    properties: { url: { type: 'string' }, attribution: { type: ['string', 'null'] } },
  };
  const phrases: SettingSchema = {
    type: 'object',
    properties: {
      usual: { type: 'array' },
      connections: { type: 'object' },
      most: { type: 'integer', minimum: 1 },
    },
  };
  const edit = (schema: SettingSchema, stored: unknown, edited: object) =>
    sentSetting({ fields: settingFields(schema), schema }, stored, { value: edited });

  test('[CSL-42] shows a control for each member of an object, and JSON for members without names', () => {
    expect(settingFields(tiles).map(({ name, kind }) => [name, kind])).toEqual([
      ['value.url', 'text'],
      ['value.attribution', 'text'],
    ]);
    expect(settingFields(phrases)).toMatchObject([
      { name: 'value.usual', kind: 'lines' },
      { name: 'value.connections', kind: 'long', isJson: true },
      { name: 'value.most', kind: 'number', isRequired: true, min: 1 },
    ]);
    expect(settingFields({ type: 'string', enum: ['A'] })).toMatchObject([
      { name: 'value', kind: 'choice', words: ['A'] },
    ]);
  });

  test('[CSL-42] sends the whole object with the edited members, and null without any content', () => {
    const stored = { url: 'https://a.example/{z}', attribution: 'A' };

    expect(edit(tiles, stored, { url: 'https://b.example/{z}' })).toEqual({
      url: 'https://b.example/{z}',
      attribution: 'A',
    });
    expect(edit(tiles, null, { url: 'https://b.example/{z}' })).toEqual({
      url: 'https://b.example/{z}',
      attribution: null,
    });
    expect(edit(tiles, stored, { url: null, attribution: null })).toBeNull();
    expect(stored.url).toBe('https://a.example/{z}');
  });

  test('[CSL-42] shows and sends members without names as JSON', () => {
    const stored = { usual: ['a'], connections: { 7: ['b'] }, most: 1 };

    expect(shownSetting(settingFields(phrases), stored)).toMatchObject({
      usual: ['a'],
      connections: JSON.stringify({ 7: ['b'] }, null, 2),
    });
    expect(edit(phrases, stored, { connections: '{"8":["c"]}' })).toEqual({
      ...stored,
      connections: { 8: ['c'] },
    });
  });
});

describe('the filters of a list in the URL', () => {
  const kinds = {
    q: 'text',
    status: 'choices',
    open: 'flag',
    category_id: 'number',
    from: 'day',
  } as const;

  test('[CSL-6] become the parameters of the API, and invalid values count as absent', () => {
    const search = parseSearch(
      '?q=tea&status=SENT&status=READY&open=true&category_id=7&from=2026-11-29&page=3&sort=name,desc',
    );

    expect(toParams(kinds, search)).toEqual({
      q: 'tea',
      status: ['SENT', 'READY'],
      open: true,
      category_id: 7,
      from: '2026-11-29',
      size: 50,
      page: 3,
      sort: ['name,desc'],
    });
    expect(
      toParams(kinds, parseSearch('?open=maybe&category_id=x&from=29.11&page=0&sort=name')),
    ).toEqual({ size: 50 });
    expect(toParams(kinds, parseSearch('?from=2026-99-99'))).toEqual({ size: 50 });
  });

  test('[CSL-6] remain equal after their conversion to a URL and back', () => {
    const search = { q: 'a b&c', status: ['SENT', 'READY'], open: 'false' };

    expect(parseSearch(searchText({ ...search, page: undefined, empty: '' }))).toEqual(search);
    expect(isFiltered(kinds, search)).toBe(true);
    expect(isFiltered(kinds, { page: '2', restaurant: '5' })).toBe(false);
  });
});

describe('values in the console', () => {
  test('[CSL-5] show kopecks in amounts only if there are any', () => {
    const plain = (text: string) => text.replaceAll(/\s/g, ' ');

    expect(plain(money(1250, 'ru'))).toBe('1 250 ₽');
    expect(plain(money(1250.5, 'ru'))).toBe('1 250,50 ₽');
    expect(money(1250.5, 'en')).toBe('₽1,250.50');
  });

  test('[CSL-5] show times in the zone of the restaurant, with a date except for today', () => {
    const now = new Date('2026-11-29T20:00:00Z');

    expect(moment('2026-11-29T20:16:00Z', 'Europe/Moscow', 'en', now)).toBe('23:16');
    expect(moment('2026-11-29T20:16:00Z', 'Asia/Novosibirsk', 'en', now)).toBe('03:16');
    expect(moment('2026-11-29T10:16:00Z', 'Asia/Novosibirsk', 'en', now)).toBe('Nov 29, 17:16');
    expect(moment('2025-11-29T10:16:00Z', 'UTC', 'en', now)).toBe('Nov 29, 2025, 10:16');
    expect(calendarDay('2026-11-29', 'ru')).toBe('29 нояб. 2026 г.');
    expect(age(7_300, 'en')).toBe('2 hr');
  });

  test.each([
    ['2026-11-29T18:30', 'Europe/Moscow', '2026-11-29T15:30:00.000Z'],
    ['2026-03-29T01:30', 'Europe/Berlin', '2026-03-29T00:30:00.000Z'],
    ['2026-03-29T03:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['2026-10-25T12:00', 'Europe/Berlin', '2026-10-25T11:00:00.000Z'],
  ])('[CSL-5] convert the time %s of %s to an instant and back', (local, zone, at) => {
    expect(toMoment(local, zone)).toBe(at);
    expect(localTime(at, zone)).toBe(local);
  });

  test('[CSL-5] begin a day in its zone', () => {
    expect(startOfDay('2026-11-29', 'Asia/Novosibirsk')).toBe('2026-11-28T17:00:00.000Z');
  });
});

describe('a form', () => {
  const fields = [
    { name: 'name', kind: 'text' },
    { name: 'texts.notice', kind: 'long' },
    { name: 'price', kind: 'number' },
    { name: 'isActive', kind: 'flag' },
    { name: 'categoryIds', kind: 'choices', isNumeric: true },
    { name: 'organizationIds', kind: 'restaurants' },
    { name: 'until', kind: 'moment' },
  ] as const;
  const record = {
    name: 'Tea',
    texts: {},
    price: 12.5,
    isActive: true,
    categoryIds: [1, 2],
    organizationIds: null,
    until: '2026-11-29T15:30:00.000Z',
  };

  test('[CSL-9] sends only the changed fields, so that others keep their values', () => {
    const values = {
      ...formValues(fields, record, 'Europe/Moscow'),
      name: 'Green tea',
      price: '13,5',
    };
    const changed = changedFields(fields, values, record, 'Europe/Moscow');

    expect(changedFields(fields, formValues(fields, record, 'UTC'), record, 'UTC')).toEqual([]);
    expect(toBody(changed, values, 'Europe/Moscow', true)).toEqual({
      name: 'Green tea',
      price: 13.5,
    });
  });

  test('[CSL-9] sends empty values of an edit as null, and omits them in a new record', () => {
    const values = {
      ...formValues(fields, record, 'UTC'),
      name: ' ',
      categoryIds: ['3'],
      texts: { notice: 'Ring' },
    };

    expect(toBody(fields, values, 'UTC', true)).toMatchObject({
      name: null,
      organizationIds: null,
      categoryIds: [3],
    });
    expect(toBody(fields, values, 'UTC', false)).toEqual({
      texts: { notice: 'Ring' },
      price: 12.5,
      isActive: true,
      categoryIds: [3],
      until: '2026-11-29T15:30:00.000Z',
    });
  });
});

test('[CSL-9] an empty selection is null if the API has no empty list', () => {
  const fields = [
    { name: 'weekdays', kind: 'choices', isNumeric: true, isNullable: true },
    { name: 'types', kind: 'choices' },
  ] as const;
  const values = { weekdays: [], types: [] };

  expect(toBody(fields, values, 'UTC', true)).toEqual({ weekdays: null, types: [] });
  expect(toBody(fields, values, 'UTC', false)).toEqual({ types: [] });
  expect(toBody(fields, { ...values, weekdays: ['7'] }, 'UTC', false)).toEqual({
    weekdays: [7],
    types: [],
  });
});

describe('the tree of categories', () => {
  const tree = [
    { id: 1, parentId: null, position: 0 },
    { id: 2, parentId: null, position: 1 },
    { id: 3, parentId: 2, position: 0 },
    { id: 4, parentId: null, position: 2 },
  ];

  test('[CSL-10] moves a node next to another one or into it, and never below itself', () => {
    const shape = (nodes: typeof tree): unknown =>
      nested(nodes).map(({ id, children }) => [id, children.map((child) => child.id)]);

    expect(shape([...moved(tree, 4, { id: 1, place: 'before' })])).toEqual([
      [4, []],
      [1, []],
      [2, [3]],
    ]);
    expect(shape([...moved(tree, 1, { id: 2, place: 'on' })])).toEqual([
      [2, [3, 1]],
      [4, []],
    ]);
    expect(moved(tree, 2, { id: 3, place: 'on' })).toBe(tree);
    expect(placesChanged(tree, moved(tree, 4, { id: 2, place: 'before' }))).toEqual([
      { id: 2, parentId: null, position: 2 },
      { id: 4, parentId: null, position: 1 },
    ]);
  });

  test('[CSL-10] allows each arrow a step, and none at an edge', () => {
    expect(findTarget(tree, 1, 'up')).toBeNull();
    expect(findTarget(tree, 1, 'down')).toEqual({ id: 2, place: 'after' });
    expect(findTarget(tree, 3, 'out')).toEqual({ id: 2, place: 'after' });
    expect(findTarget(tree, 4, 'in')).toEqual({ id: 2, place: 'on' });
    expect(findTarget(tree, 4, 'down')).toBeNull();
  });
});

test('[CSL-5] the next noon of a restaurant is in its own zone', () => {
  expect(nextNoon('Asia/Vladivostok', new Date('2026-11-29T01:30:00Z'))).toBe('2026-11-29T12:00');
  expect(nextNoon('Asia/Vladivostok', new Date('2026-11-29T02:30:00Z'))).toBe('2026-11-30T12:00');
});

describe('the screen of a notification', () => {
  const path = (kind: string, subjectType: string, details: unknown = {}) =>
    subjectPath({ kind, subjectType, subjectId: '3', details });
  const two = [{ orderId: 'a' }, { orderId: 'b' }];

  const cases: readonly [string, string, unknown, string][] = [
    ['MENU_NOT_IMPORTED', 'external-menu', { runId: 7 }, '/sync/runs/7'],
    ['EMPTY_LIST', 'connection', { runId: 7 }, '/sync/runs/7'],
    ['SUSPICIOUS_LIST', 'list-zones', { runId: 7 }, '/sync/runs/7'],
    ['BINDING_MISSING', 'binding-evaluation', {}, '/incidents'],
    ['BINDING_UNATTENDED', 'binding-evaluation', { incidentId: 5 }, '/incidents/5'],
    ['SUSPICIOUS_SHRINK', 'external-menu', { runId: 7 }, '/sync/runs/7'],
    ['MENU_WITHDRAWN', 'external-menu', { runId: null }, '/sync'],
    ['SNAPSHOT_TOO_LARGE', 'organization', {}, '/setup/3'],
    ['ORGANIZATION_REFUSED', 'organization', {}, '/setup/3'],
    ['DELIVERY_MAP_BROKEN', 'organization', {}, '/setup/3'],
    ['ORDERING_LEFT_BEHIND', 'organization', {}, '/setup/3'],
    ['ERP_CIRCUIT_OPEN', 'connection', {}, '/connections'],
    ['ORDER_DIVERGENCE', 'orders-of-connection', {}, '/orders'],
    ['ORDER_NOT_SENT', 'orders-of-connection', {}, '/orders'],
    ['ORDER_NEVER_ENDED', 'orders-of-connection', {}, '/orders'],
    ['COMPENSATION_RETURNED', 'compensation', {}, '/gifts/3'],
    ['GIFT_BROKEN', 'reward', {}, '/rewards'],
    ['GIFT_LIMITED', 'reward', {}, '/rewards'],
    ['GIFT_STOPPED', 'connection', {}, '/rewards'],
    ['GIFT_RESERVED_TOO_LONG', 'connection', { count: 1, compensationIds: ['g'] }, '/gifts/g'],
    ['GIFT_NAME_UNKNOWN', 'connection', { count: 2, clientIds: ['c', 'd'] }, '/gifts'],
    [
      'GIFT_CATEGORY_WITHOUT_REWARD',
      'connection',
      { count: 1, clientIds: ['c'] },
      '/guest?client=c',
    ],
    ['GIFT_HISTORIES_MISSED', 'connection', { count: 1, clientIds: ['c'] }, '/guest?client=c'],
    ['GIFT_CANDIDATES_WAITING', 'connection', {}, '/decisions'],
    ['GIFTS_NOT_COMPARED', 'connection', {}, '/reconciliation'],
    ['WEBHOOK_ENDPOINT_DISABLED', 'webhook-endpoint', {}, '/webhooks'],
    ['WEBHOOK_EVENTS_REFUSED', 'webhook-endpoint', {}, '/webhooks'],
    ['WEBHOOK_EVENT_FAILED', 'webhook-endpoint', {}, '/webhooks'],
    ['ORDER_STUCK', 'orders-of-connection', { count: 1, members: [two[0]] }, '/orders/a'],
    ['ORDER_STUCK', 'orders-of-connection', { count: 2, members: two }, '/orders'],
    ['ORDER_STUCK', 'orders-of-connection', { count: 60, members: [two[0]] }, '/orders'],
    ['DELIVERY_FEE_IN_WORDS', 'connection', { orderId: 'a' }, '/orders/a'],
    ['ORDERS_NOT_CONFIGURED', 'connection', {}, '/connections'],
    ['COMPENSATION_DIVERGENCE', 'erp-order', { ownOrderId: 'a' }, '/orders/a'],
    ['COMPENSATION_DIVERGENCE', 'compensation', { ownOrderId: null }, '/gifts/3'],
    ['COMPENSATION_CANDIDATES', 'connection', {}, '/decisions'],
    ['UNAUTHORIZED_COMPENSATION', 'unauthorized-gift', {}, '/decisions?tab=unauthorized'],
    ['GIFT_MARKERS_WAITING', 'connection', { count: 1, compensationIds: ['g'] }, '/gifts/g'],
    ['GIFT_MARKERS_WAITING', 'connection', { count: 2, compensationIds: ['g', 'h'] }, '/gifts'],
    ['GIFT_COMMENT_DAMAGED', 'connection', { count: 1, clientIds: ['c'] }, '/guest?client=c'],
    [
      'GIFTS_DIFFER',
      'gift-day',
      { day: '2026-11-29' },
      '/reconciliation?from=2026-11-29&to=2026-11-29',
    ],
    ['CREDENTIALS_REFUSED', 'connection', {}, '/connections'],
    ['A_NEW_KIND', 'product', null, '/products/3'],
  ];

  test.each(cases)(
    '[CSL-15] leads from %s about %s with %j to %s',
    (kind, subjectType, details, expected) => {
      expect(path(kind, subjectType, details)).toBe(expected);
    },
  );

  test('[CSL-15] covers each kind of notification', () => {
    const kinds = new Set(cases.map(([kind]) => kind));

    expect(Object.keys(NOTIFICATION_DETAILS).filter((kind) => !kinds.has(kind))).toEqual([]);
  });

  test('[CSL-15] shows nothing for an unknown kind about an unknown subject', () => {
    expect(path('A_NEW_KIND', 'new-type', null)).toBeNull();
  });

  test('[CSL-7] staff resolve the same kinds as in the API', () => {
    expect(RESOLVED_BY_STAFF).toEqual(KINDS_RESOLVED_BY_STAFF);
  });
});

describe('the week of a schedule', () => {
  const window: HoursWindow = {
    dayOfWeek: 1,
    channel: 'DELIVERY',
    opensAt: '10:00',
    closesAt: '22:00',
    crossesMidnight: false,
  };

  test('[CSL-11] moves an edge in steps of 15 minutes, even past midnight', () => {
    expect(edgeMoved(window, 'opens', -2)).toMatchObject({ opensAt: '09:30', closesAt: '22:00' });
    expect(edgeMoved(window, 'closes', 12)).toMatchObject({
      closesAt: '01:00',
      crossesMidnight: true,
    });
    expect(edgeMoved(window, 'opens', 99)).toMatchObject({ opensAt: '21:45' });
    expect(withSpan(window, 600, 9_999)).toMatchObject({
      closesAt: '10:00',
      crossesMidnight: true,
    });
  });

  test('[CSL-11] copies one day to all days of its channel', () => {
    const pickup = { ...window, channel: 'PICKUP' as const };

    expect(copiedToAllDays([window, pickup], 1, 'DELIVERY')).toHaveLength(8);
  });

  test('[CSL-11] keeps the days that another person has changed meanwhile', () => {
    const day = (dayOfWeek: number, opensAt: string): HoursWindow => ({
      ...window,
      dayOfWeek,
      opensAt,
    });
    const before = [day(1, '10:00'), day(2, '10:00'), day(3, '10:00')];
    const mine = [day(1, '11:00'), day(2, '10:00')];
    const newest = [day(1, '12:00'), day(2, '12:00'), day(3, '10:00')];

    expect(mergedWeek(before, mine, newest)).toEqual([day(1, '11:00'), day(2, '12:00')]);
  });
});

describe('the hours of a day', () => {
  test('[CSL-31] lines of text become hours, and an end before the beginning is on the next day', () => {
    const lines = ['10:00–22:30', '9:00 - 02:00', '12:00—12:00'];
    const hours = lines.map((line) => hoursOfLine(line)!);

    expect(hours).toEqual([
      { opensAt: '10:00', closesAt: '22:30', crossesMidnight: false },
      { opensAt: '09:00', closesAt: '02:00', crossesMidnight: true },
      { opensAt: '12:00', closesAt: '12:00', crossesMidnight: true },
    ]);
    expect(hoursLines(hours)).toEqual(['10:00–22:30', '09:00–02:00', '12:00–12:00']);
  });

  test.each(['', '10:00', '10-22', '24:00–25:00', '10:60–11:00', '10:00–11:00 lunch'])(
    '[CSL-31] reject the line "%s"',
    (line) => {
      expect(hoursOfLine(line)).toBeNull();
    },
  );
});

test('[CSL-33] the zone of a chain is that of most restaurants', () => {
  expect(mostFrequent(['Asia/Omsk', 'Europe/Moscow', 'Europe/Moscow'])).toBe('Europe/Moscow');
  expect(mostFrequent([])).toBeUndefined();
});

describe('the matrix of roles', () => {
  test('[CSL-9] toggles apply to permissions that another person has changed', () => {
    const toggles = withToggle(
      ['a', 'b'],
      withToggle(['a', 'b'], undefined, 'b', false),
      'c',
      true,
    );

    expect([...toggled(['a', 'b', 'new'], toggles)]).toEqual(['a', 'new', 'c']);
    expect(withToggle(['a', 'b'], toggles, 'b', true)).toEqual(new Map([['c', true]]));
  });
});

test('[CSL-35] a typed order keeps its place, and takes in what is new', () => {
  expect(mergedOrder(['3', 'gone', '1'], ['1', '2', '3'])).toEqual(['3', '1', '2']);
});
