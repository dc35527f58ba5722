import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildConsole } from '../../../tools/built-site.ts';
import { startBrowser, type Browser } from '../../support/browser.ts';
import { describeWith, programForTests } from '../../support/unless-mandatory.ts';
import { consolePage, type ConsolePage } from '../../e2e/console/console-page.ts';
import { startConsoleProduct, type ConsoleProduct } from '../../e2e/console/product.ts';
import { screenHands, type ScreenAction } from './screen-hands.ts';

const log = (line: string) => void process.stderr.write(`${line}\n`);
const chromium = await programForTests('chromium');

type List<Item> = { items: Item[]; total: number };
type Restaurant = { id: number; name: string; effectiveTimeZone: string };
type Overview = {
  organizations: {
    busy: { extraMinutes: number; until: string } | null;
    delivery: { enabled: boolean; accepting: boolean };
    pickup: { enabled: boolean; accepting: boolean };
  }[];
};
type Exception = { organizationId: number; kind: string; channel: string | null; reason: string };

/** Milliseconds by which the clock of a browser is fast. */
const FAST_MS = 1_800_000;

const FAST_CLOCK = `(() => {
  const { now } = Date;
  Date = class extends Date {
    constructor(...values) { super(...(values.length === 0 ? [Date.now()] : values)); }
    static now() { return now() + ${FAST_MS}; }
  };
})()`;

/** A day of next year, so that no other exception covers it. */
const DAY = `${new Date().getFullYear() + 1}-05-09`;

describeWith(chromium, 'restaurants in the console', (program) => {
  let fixture: ConsoleProduct;
  let browser: Browser;
  let page: ConsolePage;
  let hands: ReturnType<typeof screenHands>;
  let restaurants: Restaurant[];
  beforeAll(async () => {
    await buildConsole(log);
    fixture = await startConsoleProduct('small');
    browser = await startBrowser(program);
    page = consolePage(browser, fixture.api.url, log);
    hands = screenHands(page, browser);
    restaurants = (await get<List<Restaurant>>('/organizations?active=true&size=200')).items;
    await page.enter(fixture.product.administrator);
  });
  afterAll(async () => {
    await browser?.stop();
    await fixture?.stop();
  });

  const get = <T>(path: string) => fixture.admin.get<T>(path);
  const { text } = { text: (...given: Parameters<typeof hands.text>) => hands.text(...given) };

  describe('all restaurants of today', () => {
    const overview = async () => (await get<Overview>('/organizations/overview')).organizations;
    const chooseAll = async () => {
      await page.open('/restaurants');
      await page.click(`input[aria-label="${text('table.selectEvery')}"]`);
      await page.sees(text('restaurants.chosen', { count: restaurants.length }));
    };

    test('[CSL-41] restaurants in several time zones become busy until one moment', async () => {
      const ends = async () => new Set((await overview()).map(({ busy }) => busy?.until));
      await fixture.product.db.query(
        `update mirror_organization set time_zone = 'Asia/Vladivostok'
          where id = (select max(id) from mirror_organization where inactive_at is null)`,
      );
      const minutes = async () => (await overview()).map(({ busy }) => busy?.extraMinutes ?? 0);
      await chooseAll();
      await page.confirmed(() => hands.press(text('restaurants.plus', { minutes: 40 })));
      expect(await minutes()).toEqual(restaurants.map(() => 40));
      expect((await ends()).size).toBe(1);
      await page.confirmed(async () => {
        await hands.press(text('restaurants.busyOther'));
        await hands.setField('extraMinutes', '35');
        await page.press(hands.inDialog('button'), text('restaurants.busyOther'));
      });
      expect(await minutes()).toEqual(restaurants.map(() => 35));
      expect((await ends()).size).toBe(1);
      await page.confirmed(() => hands.press(text('restaurants.endBusy')));

      expect(await minutes()).toEqual(restaurants.map(() => 0));
    });

    test('[CSL-41] the busy mode of a row ends by the clock of the server', async () => {
      await page.open('/restaurants');
      await browser.run(FAST_CLOCK);
      const start = Date.now();
      await page.confirmed(() =>
        hands.press(text('restaurants.plus', { minutes: 20 }), restaurants[0]!.name),
      );
      const ends = (await overview()).flatMap(({ busy }) => (busy === null ? [] : [busy.until]));
      await page.confirmed(() => hands.press(text('restaurants.undoBusy'), restaurants[0]!.name));

      expect(ends).toHaveLength(1);
      expect(Math.abs(Date.parse(ends[0]!) - start - 7_200_000)).toBeLessThan(FAST_MS / 2);
      expect((await overview()).filter(({ busy }) => busy !== null)).toEqual([]);
    });

    test('[CSL-41] a stop of intake begins at once, also if the clock of the browser is fast', async () => {
      const stops = async () =>
        (await get<List<Exception>>('/schedule-exceptions?size=200')).items.filter(
          ({ reason }) => reason === 'Power cut',
        );
      const delivery = { channel: 'DELIVERY', reason: 'Power cut' };
      await chooseAll();
      await browser.run(FAST_CLOCK);
      await page.confirmed(async () => {
        await hands.press(text('restaurants.stop'));
        for (const [name, value] of Object.entries(delivery)) await hands.setField(name, value);
        await page.press(hands.inDialog('button'), text('restaurants.stop'));
      });

      expect(await stops()).toHaveLength(restaurants.length);
      expect(await stops()).toEqual(
        restaurants.map(() =>
          expect.objectContaining({ kind: 'INTAKE_STOPPED', channel: 'DELIVERY' }),
        ),
      );
      expect((await overview()).filter(({ delivery: { accepting } }) => accepting)).toEqual([]);
      for (const _restaurant of restaurants)
        await hands.run({
          path: '/exceptions',
          row: 'Power cut',
          button: 'exceptions.end',
          fields: {},
        });
      expect(await stops()).toEqual([]);
      await page.open('/restaurants');
    });
  });

  test('[CSL-39] a holiday closes all chosen restaurants, and a second one is named as left out', async () => {
    const [first, ...others] = restaurants;
    const holidays = async () =>
      (await get<List<Exception & { date: string }>>('/schedule-exceptions?size=200')).items
        .filter(({ date }) => date === DAY)
        .map(({ organizationId }) => organizationId)
        .toSorted((one, other) => one - other);
    const add = (ids: readonly number[]): ScreenAction => ({
      path: '/exceptions',
      button: 'exceptions.add',
      fields: { date: DAY, organizationIds: ids.map(String), reason: 'Holiday' },
    });
    await hands.run(add([first!.id]));
    expect(await holidays()).toEqual([first!.id]);
    await hands.run(add(restaurants.map(({ id }) => id)));
    await page.sees(text('exceptions.left', { names: first!.name }));

    expect(others.length).toBeGreaterThan(0);
    expect(await holidays()).toEqual(
      restaurants.map(({ id }) => id).toSorted((one, other) => one - other),
    );
  });

  /** An action, what it changes, and the record after it. */
  type Case = readonly [
    name: string,
    action: () => ScreenAction,
    read: () => Promise<unknown>,
    after: object | null,
  ];
  const find = async <Item extends object>(list: string, value: Partial<Item>) =>
    (await get<List<Item>>(`${list}?size=200`)).items.find((item) =>
      Object.entries(value).every(([key, part]) => item[key as keyof Item] === part),
    );
  const id = () => restaurants[0]!.id;
  const save = { submit: 'action.save' } as const;
  const edit = { button: 'action.edit', ...save } as const;
  const remove = { button: 'action.delete', fields: {} } as const;

  test.each<Case>([
    [
      'the name of a way to pay is changed',
      () => ({ path: '/payments', row: 'Cash', ...edit, fields: { name: 'Banknotes' } }),
      () => get('/payment-methods/CASH'),
      { name: 'Banknotes' },
    ],
    [
      'an import is paused',
      () => ({
        path: '/sync',
        row: 'Terminals',
        button: 'sync.pause',
        fields: { reason: 'Repair at the ERP' },
      }),
      () => find('/sync/pauses', { reason: 'Repair at the ERP' }),
      { job: 'TERMINALS' },
    ],
    [
      'a paused import is resumed',
      () => ({ path: '/sync', row: 'Terminals', button: 'sync.resume' }),
      () => find('/sync/pauses', { reason: 'Repair at the ERP' }),
      null,
    ],
    [
      'a rule of promised minutes is created',
      () => ({
        path: '/offers?tab=expectation',
        button: 'expectation.create',
        ...save,
        fields: { scope: 'GLOBAL', durationMinutes: '55' },
      }),
      () => find('/expectation-rules', { durationMinutes: 55 }),
      { scope: 'GLOBAL' },
    ],
    [
      'a rule of promised minutes is changed',
      () => ({
        path: '/offers?tab=expectation',
        row: '55',
        ...edit,
        fields: { durationMinutes: '65' },
      }),
      () => find('/expectation-rules', { durationMinutes: 65 }),
      { scope: 'GLOBAL' },
    ],
    [
      'a rule of promised minutes is deleted',
      () => ({ path: '/offers?tab=expectation', row: '65', ...remove }),
      () => find('/expectation-rules', { durationMinutes: 65 }),
      null,
    ],
    [
      'a rule of cutlery is created',
      () => ({
        path: '/offers?tab=composition',
        button: 'composition.create',
        ...save,
        fields: { role: 'CHOPSTICKS', everyPersons: '2', freeUnits: '3' },
      }),
      () => find('/composition-rules', { role: 'CHOPSTICKS' }),
      { everyPersons: 2, freeUnits: 3 },
    ],
    [
      'a rule of cutlery is changed',
      () => ({
        path: '/offers?tab=composition',
        row: 'CHOPSTICKS',
        ...edit,
        fields: { freeUnits: '4' },
      }),
      () => find('/composition-rules', { role: 'CHOPSTICKS' }),
      { freeUnits: 4 },
    ],
    [
      'a rule of cutlery is deleted',
      () => ({ path: '/offers?tab=composition', row: 'CHOPSTICKS', ...remove }),
      () => find('/composition-rules', { role: 'CHOPSTICKS' }),
      null,
    ],
    [
      'a notice is created',
      () => ({
        path: '/offers?tab=notices',
        button: 'notices.create',
        ...save,
        fields: { code: 'STORM', title: 'Storm', text: 'Couriers are late' },
      }),
      () => find('/notices', { code: 'STORM' }),
      { severity: 'INFO', isActive: true },
    ],
    [
      'a notice is changed',
      () => ({
        path: '/offers?tab=notices',
        row: 'Storm',
        ...edit,
        fields: { severity: 'WARNING', isActive: false },
      }),
      () => find('/notices', { code: 'STORM' }),
      { severity: 'WARNING', isActive: false },
    ],
    [
      'a notice is deleted',
      () => ({ path: '/offers?tab=notices', row: 'Storm', ...remove }),
      () => find('/notices', { code: 'STORM' }),
      null,
    ],
    [
      'other terms of a zone are added',
      () => ({
        path: '/zones',
        button: 'overrides.create',
        ...save,
        fields: { zoneId: zoneId(), deliveryFee: '777' },
      }),
      () => find('/zone-overrides', { deliveryFee: 777 }),
      {},
    ],
    [
      'other terms of a zone are changed',
      () => ({ path: '/zones', row: '777', ...edit, fields: { deliveryFee: '778' } }),
      () => find('/zone-overrides', { deliveryFee: 778 }),
      {},
    ],
    [
      'other terms of a zone are deleted',
      () => ({ path: '/zones', row: '778', ...remove }),
      () => find('/zone-overrides', { deliveryFee: 778 }),
      null,
    ],
    [
      'a discount is created',
      () => ({
        path: '/offers',
        button: 'discounts.create',
        ...save,
        fields: { code: 'RAIN', name: 'Rainy day', percent: '7', needsPromocode: true },
      }),
      () => find('/discounts', { code: 'RAIN' }),
      { percent: 7, needsPromocode: true, isActive: true },
    ],
    [
      'a discount is changed',
      () => ({ path: '/offers', row: 'RAIN', ...edit, fields: { percent: '9' } }),
      () => find('/discounts', { code: 'RAIN' }),
      { percent: 9 },
    ],
    [
      'a discount is switched off',
      () => ({ path: '/offers', row: 'RAIN', ...edit, fields: { isActive: false } }),
      () => find('/discounts', { code: 'RAIN' }),
      { isActive: false },
    ],
    [
      'a promo code is created',
      () => ({
        path: '/offers?tab=promocodes',
        button: 'promocodes.create',
        ...save,
        fields: { code: 'UMBRELLA', discountId: discountId() },
      }),
      () => find('/promocodes', { code: 'UMBRELLA' }),
      { isActive: true },
    ],
    [
      'a promo code is switched off',
      () => ({
        path: '/offers?tab=promocodes',
        row: 'UMBRELLA',
        ...edit,
        fields: { isActive: false },
      }),
      () => find('/promocodes', { code: 'UMBRELLA' }),
      { isActive: false },
    ],
    [
      'a promo code is deleted',
      () => ({ path: '/offers?tab=promocodes', row: 'UMBRELLA', ...remove }),
      () => find('/promocodes', { code: 'UMBRELLA' }),
      null,
    ],
    [
      'a discount is deleted',
      () => ({ path: '/offers', row: 'RAIN', ...remove }),
      () => find('/discounts', { code: 'RAIN' }),
      null,
    ],
  ])('[CSL-39] %s', async (_name, action, read, after) => {
    zone ??= (await get<List<{ id: number }>>('/delivery-zones?size=1')).items[0]!.id;
    discount = (await find<{ id: number; code: string }>('/discounts', { code: 'RAIN' }))?.id;
    await hands.run(action());

    expect([(await read()) ?? null]).toMatchObject([after]);
  });
  let zone: number | undefined;
  const zoneId = () => String(zone);
  let discount: number | undefined;
  const discountId = () => String(discount);

  describe('one restaurant', () => {
    const form = (tab: string) => page.show(`/setup/${id()}?tab=${tab}`);

    test('[CSL-39] the pickup of a restaurant is switched off', async () => {
      await form('switches');
      await page.press('label:has(input[name=pickupEnabled])');
      await page.confirmed(() => hands.press(text('action.save')));

      expect(await get(`/organizations/${id()}/ordering`)).toMatchObject({ pickupEnabled: false });
    });

    test('[CSL-39] a restaurant no longer takes cash for deliveries', async () => {
      type Methods = { methods: { code: string; fulfillmentTypes: string[] }[] };
      await form('payments');
      await page.press('label:has(input[name=CASH][value=DELIVERY])');
      await page.confirmed(() => hands.press(text('action.save')));

      const { methods } = await get<Methods>(`/organizations/${id()}/payment-methods`);
      expect(methods.find(({ code }) => code === 'CASH')!.fulfillmentTypes).not.toContain(
        'DELIVERY',
      );
    });
  });

  test('[CSL-39] no action caused a failed request', () => {
    expect(page.errors()).toEqual([]);
  });
});
