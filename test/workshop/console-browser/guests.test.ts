import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readEnv } from '../../../modules/env.ts';
import { moveOrder } from '../../../modules/ordering/orders/move-order.ts';
import { holdOrder } from '../../../modules/ordering/orders/order-row.ts';
import { GUEST_PHONE } from '../../../packages/demo/seed/catalog.ts';
import { createMetrics } from '../../../platform/metrics.ts';
import { createSecretBox } from '../../../platform/secrets.ts';
import { buildConsole } from '../../../tools/built-site.ts';
import { startBrowser, type Browser } from '../../support/browser.ts';
import { CANARY } from '../../support/erp-orders.ts';
import { orderDesk } from '../../support/orders.ts';
import { eventually } from '../../support/processes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { describeWith, programForTests } from '../../support/unless-mandatory.ts';
import { consolePage, type ConsolePage } from '../../e2e/console/console-page.ts';
import { startConsoleProduct, type ConsoleProduct } from '../../e2e/console/product.ts';
import { screenHands, type ScreenAction } from './screen-hands.ts';

const log = (line: string) => void process.stderr.write(`${line}\n`);
const chromium = await programForTests('chromium');

type List<Item> = { items: Item[]; total: number };
type Gift = {
  id: string;
  rewardId: number;
  status: string;
  version: number;
  reason: string;
  reasonComment: string | null;
  expiresAt: string | null;
};
type Reward = { id: number; code: string; name: string; erpItemId: string };

const REASON = 'The guest has called';
/** Another guest than that of the demo. */
const PHONE = '+79990007788';

describeWith(chromium, 'guests in the console', (program) => {
  let fixture: ConsoleProduct;
  let browser: Browser;
  let page: ConsolePage;
  let hands: ReturnType<typeof screenHands>;
  let rewards: Reward[];
  let connectionId: number;
  let folder: string;
  beforeAll(async () => {
    await buildConsole(log);
    fixture = await startConsoleProduct('small');
    browser = await startBrowser(program);
    page = consolePage(browser, fixture.api.url, log);
    hands = screenHands(page, browser);
    folder = await temporaryFolder('downloads');
    await browser.command('Page.setDownloadBehavior', { behavior: 'allow', downloadPath: folder });
    rewards = (await get<List<Reward>>('/rewards?is_active=true&size=100')).items;
    connectionId = (await get<List<{ id: number }>>('/connections')).items[0]!.id;
    await page.enter(fixture.product.administrator);
  });
  afterAll(async () => {
    await browser?.stop();
    await fixture?.stop();
  });

  const get = <T>(path: string) => fixture.admin.get<T>(path);
  const guestPath = (phone: string) => `/guest?${new URLSearchParams({ phone }).toString()}`;
  const clientsOf = (phone: string) =>
    fixture.admin.raw('GET', `/clients?${new URLSearchParams({ phone }).toString()}`);
  const giftOf = (id: string) => get<Gift>(`/compensations/${id}`);

  /** Grants a gift, with a comment and a term. */
  const granted = async (phone: string, rewardId = rewards[0]!.id) => {
    const { id } = await fixture.admin.post<Gift>(
      '/compensations',
      {
        clientPhone: phone,
        connectionId,
        rewardId,
        reason: 'OTHER',
        reasonComment: 'A comment of staff',
        expiresAt: '2037-01-01T10:00:30.000Z',
      },
      { 'idempotency-key': crypto.randomUUID() },
    );
    return id;
  };

  describe('the data of a person', () => {
    test('[CSL-39] the data of a person are saved as a file, for a reason', async () => {
      await granted(PHONE);
      await hands.run({
        path: guestPath(PHONE),
        button: 'person.export',
        fields: { reason: REASON },
      });
      const file = await eventually('the file is saved', async () =>
        (await readdir(folder)).find((name) => name === 'person.json'),
      );
      const saved = JSON.parse(await readFile(join(folder, file), 'utf8')) as object;

      expect(JSON.stringify(saved)).toContain('A comment of staff');
      const audit = await get<List<object>>('/audit?size=20');
      expect(JSON.stringify(audit)).toContain(REASON);
      expect(JSON.stringify(audit)).not.toContain(PHONE.slice(2));
    });

    test('[CSL-39] the data of a person need a reason', async () => {
      await page.show(guestPath(PHONE));
      await hands.press(hands.text('person.export'));
      await page.press(hands.inDialog('button'), hands.text('person.export'));
      await page.sees(hands.text('form.missing'));

      expect(await browser.run('document.activeElement.name')).toBe('reason');
      await page.press(hands.inDialog('button'), hands.text('action.cancel'));
    });

    test('[CSL-39] a phone without orders and gifts has the rights of a person too', async () => {
      await page.show(guestPath('+79990000001'));
      await page.sees(hands.text('guest.unknown'));

      expect(await browser.run('document.querySelector("main").innerText')).toContain(
        hands.text('person.title'),
      );
    });

    test('[CSL-39] an erased guest is unknown', async () => {
      const { items } = await get<List<Gift>>(
        `/compensations?${new URLSearchParams({ client: PHONE }).toString()}`,
      );
      await hands.run({
        path: guestPath(PHONE),
        button: 'person.forget',
        fields: { reason: REASON },
      });
      await page.sees(hands.text('person.forgotten', { count: 1 }));
      await page.sees(hands.text('guest.unknown'));

      expect((await clientsOf(PHONE)).status).toBe(404);
      expect(await giftOf(items[0]!.id)).toMatchObject({ status: 'GRANTED', clientPhone: null });
    });
  });

  test('[CSL-7] the gifts of a guest offer no sorting, which only the list of all gifts has', async () => {
    await page.show(guestPath(GUEST_PHONE));
    await browser.until('the gifts', `document.querySelector('main tbody a[href*="/gifts/"]')`);

    expect(await browser.run(`document.querySelectorAll('main th a').length`)).toBe(0);
  });

  describe('a gift', () => {
    const path = (id: string) => `/gifts/${id}`;

    test('[CSL-9] an edit of a gift deletes what was emptied, and changes nothing else', async () => {
      const id = await granted(GUEST_PHONE);
      const edit = { path: path(id), button: 'action.edit', submit: 'action.save' } as const;
      await hands.run({ ...edit, fields: { reason: 'SERVICE_ERROR' } });
      const [first, before] = [await giftOf(id), '2037-01-01T10:00:30.000Z'];
      await hands.run({ ...edit, fields: { reasonComment: '', expiresAt: '' } });

      expect(first).toMatchObject({ reason: 'SERVICE_ERROR', expiresAt: before });
      expect(await giftOf(id)).toMatchObject({
        reason: 'SERVICE_ERROR',
        reasonComment: null,
        expiresAt: null,
      });
    });

    test('[CSL-39] a gift becomes another gift', async () => {
      const id = await granted(GUEST_PHONE);
      const other = rewards.find((reward) => reward.id !== rewards[0]!.id)!;
      await hands.run({
        path: path(id),
        button: 'gift.rebind',
        fields: { rewardId: String(other.id), reason: REASON },
      });

      expect(await giftOf(id)).toMatchObject({ rewardId: other.id });
    });

    test('[CSL-39] a canceled gift can no longer be changed', async () => {
      const id = await granted(GUEST_PHONE);
      await hands.run({ path: path(id), button: 'gift.cancel', fields: { reason: REASON } });
      await browser.until(
        'the reason',
        `document.querySelector('main').textContent.includes(${JSON.stringify(hands.text('gift.isOver', { status: 'canceled' }))})`,
      );

      expect(await giftOf(id)).toMatchObject({ status: 'CANCELLED' });
    });
  });

  describe('a decision', () => {
    type Decision = { id: number; status: string };
    const decided = async (list: string, id: number) =>
      (await get<List<Decision>>(`${list}?size=200`)).items.find((item) => item.id === id)!.status;
    const query = (sql: string) => fixture.product.db.query<{ id: number }>(sql);
    /** The client of the last granted gift. */
    const CLIENT = `(select client_id from compensation order by granted_at desc limit 1)`;
    const REWARD = `(select min(id) from reward where is_active)`;

    test.each([
      ['decisions.confirm', {}, 'CONFIRMED'],
      ['decisions.dismiss', { reason: REASON }, 'DISMISSED'],
    ] as const)('[CSL-39] a phrase is decided: %s', async (button, fields, status) => {
      const phrase = `free cake ${status}`;
      const [row] = await query(
        `insert into compensation_candidate (client_id, phrase, generation, is_present, found_at, seen_at, reward_id)
         values (${CLIENT}, '${phrase}', 1, true, now(), now(), ${REWARD}) returning id::int`,
      );
      await hands.run({ path: '/decisions', isNew: true, row: phrase, button, fields });

      expect(await decided('/compensation-candidates', row!.id)).toBe(status);
    });

    test.each([
      ['conflictDecision.GRANT', 'GRANTED'],
      ['conflictDecision.IGNORE', 'IGNORED'],
    ] as const)('[CSL-39] a conflict is decided: %s', async (button, status) => {
      const [row] = await query(
        `insert into compensation_conflict (client_id, kind, source, subject, generation, reward_id, found_at)
         values (${CLIENT}, 'SECOND_RIGHT', 'ERP_COMMENT', '${status}', 1, ${REWARD}, now()) returning id::int`,
      );
      await page.open('/decisions');
      await page.sees(`${hands.text('decisions.conflicts')} (1)`);
      await hands.run({
        path: '/decisions?tab=conflicts',
        isNew: true,
        button,
        fields: { reason: REASON },
      });

      expect(await decided('/compensation-conflicts', row!.id)).toBe(status);
    });

    test.each([
      ['unauthorizedDecision.ALLOWED', 'ALLOWED'],
      ['unauthorizedDecision.NOT_ALLOWED', 'NOT_ALLOWED'],
    ] as const)('[CSL-39] a gift without a right is decided: %s', async (button, status) => {
      const name = `Cake ${status}`;
      const [row] = await query(
        `with orders as (insert into erp_gift_order (connection_id, erp_order_id, organization_erp_id, day, status, erp_timestamp)
           values (${connectionId}, gen_random_uuid(), gen_random_uuid(), current_date - 1, 'Closed', 1) returning id)
         insert into unauthorized_gift (kind, gift_order_id, erp_item_id, erp_size_id, name, quantity, reward_id, found_at)
         select 'NO_RIGHT', id, gen_random_uuid(), '', '${name}', 1, ${REWARD}, now() from orders returning id::int`,
      );
      await hands.run({
        path: '/decisions?tab=unauthorized',
        isNew: true,
        row: name,
        button,
        fields: { reason: REASON },
      });

      expect(await decided('/compensations/unauthorized', row!.id)).toBe(status);
    });

    test('[CSL-39] the difference of a day of gifts is accepted for a reason', async () => {
      await query(
        `with orders as (insert into erp_gift_order (connection_id, erp_order_id, organization_erp_id, day, status, erp_timestamp)
           select connection_id, gen_random_uuid(), erp_id, current_date - 1, 'Closed', 1 from mirror_organization
            where erp_id is not null order by id limit 1 returning id)
         insert into erp_gift_line (gift_order_id, erp_item_id, erp_size_id, name, quantity)
         select id, gen_random_uuid(), '', 'Cake', 2 from orders returning gift_order_id::int as id`,
      );
      type Day = { difference: number; acceptanceReason: string | null };
      const days = async () => {
        const day = (before: number) =>
          new Date(Date.now() - before * 86_400_000).toISOString().slice(0, 10);
        const { items } = await get<List<Day>>(
          `/compensations/reconciliation?from=${day(5)}&to=${day(0)}`,
        );
        return items.filter(({ difference }) => difference !== 0);
      };
      const open = async () => {
        await page.open('/reconciliation');
        await page.press('main td button[class*=off]');
      };
      await open();
      await browser.until(
        'the reason',
        `document.querySelector('[role=dialog]')?.textContent.includes(${JSON.stringify(hands.text('reconciliation.unchecked'))})`,
      );
      await query(
        `insert into gift_reconciliation (day, organization_erp_id, connection_id, at_erp, redeemed, unauthorized, differing_orders, checked_at)
         select distinct day, organization_erp_id, connection_id, 2, 0, 0, 1, now() from erp_gift_order
             on conflict do nothing returning 1 as id`,
      );
      await open();
      await page.confirmed(async () => {
        await page.press(hands.inDialog('button'), hands.text('reconciliation.accept'));
        await hands.setField('reason', REASON);
        await page.press('[role=dialog] form button', hands.text('reconciliation.accept'));
      });

      expect((await days()).map(({ acceptanceReason }) => acceptanceReason)).toContain(REASON);
    });
  });

  test.each(['', '?to=abc', '?to=2026-99-99'])(
    '[CSL-39] the days that the comparison of gifts shows are in its fields: "%s"',
    async (search) => {
      await page.show(`/reconciliation${search}`);
      const [from, to] = await browser.run<string[]>(
        `['from', 'to'].map((name) => document.querySelector('input[name=' + name + ']').value)`,
      );

      expect(Date.parse(to!) - Date.parse(from!)).toBe(13 * 86_400_000);
    },
  );

  test.each([
    ['/reconciliation', /^gifts-.*csv$/],
    ['/gifts', /csv|xlsx/],
  ])('[CSL-39] the list %s is saved as a file', async (path, name) => {
    const before = await readdir(folder);
    await hands.run({ path, button: 'action.download' });
    const saved = await eventually('the file is saved', async () =>
      (await readdir(folder)).find((file) => name.test(file) && !before.includes(file)),
    );

    expect((await readFile(join(folder, saved), 'utf8')).length).toBeGreaterThan(10);
  });

  describe('a reward', () => {
    const reward = async () =>
      (
        await get<List<Reward & { isActive: boolean; defaultTermDays: number }>>(
          '/rewards?size=100',
        )
      ).items.find(({ code }) => code === 'CONSOLE_CAKE');

    test('[CSL-39] a reward is created, changed and checked', async () => {
      const { erpItemId } = rewards[0]!;
      const path = '/rewards';
      await hands.run({
        path,
        button: 'rewards.create',
        fields: { code: 'CONSOLE_CAKE', name: 'Cake of the console', erpItemId },
        submit: 'action.save',
      });
      expect(await reward()).toMatchObject({ isActive: true });
      await hands.run({
        path,
        row: 'CONSOLE_CAKE',
        button: 'action.edit',
        fields: { defaultTermDays: '30', isActive: false },
        submit: 'action.save',
      });
      expect(await reward()).toMatchObject({ isActive: false, defaultTermDays: 30 });
      await hands.run({ path, row: 'CONSOLE_CAKE', button: 'rewards.check' });
    });
  });

  describe('an order', () => {
    type Order = { person: { phone: string } | null; erasedAt: string | null };
    const path = (id: string) => `/orders/${id}`;

    /** Adds an order that has failed with an unknown result, which keeps its gift reserved. */
    async function failed(fields: { gift?: string } = {}): Promise<string> {
      const { product } = fixture;
      const secrets = createSecretBox(readEnv(product.env).ENCRYPTION_KEYS);
      const desk = await orderDesk(product, secrets);
      const id = await desk.accepted({ ...fields, isAnnounced: false });
      await product.db.transaction(async (tx) =>
        moveOrder(
          { metrics: createMetrics('test') },
          tx,
          await holdOrder(tx, id),
          'FAILED',
          'CARTE',
          { problem: 'NEVER_ENDED' },
        ),
      );
      return id;
    }

    test.each([
      ['NOT_CREATED', 'GRANTED'],
      ['CREATED', 'REDEEMED'],
    ] as const)('[CSL-39] the gifts of a failed order are decided: %s', async (outcome, status) => {
      const gift = await granted(GUEST_PHONE);
      const id = await failed({ gift });
      expect(await giftOf(gift)).toMatchObject({ status: 'RESERVED' });
      await hands.run({
        path: path(id),
        button: 'order.settle',
        fields: { outcome, reason: REASON },
      });

      expect(await giftOf(gift)).toMatchObject({ status });
    });

    test('[CSL-39] an ended order loses the personal data of its guest', async () => {
      const id = await failed();
      expect(await get<Order>(path(id))).toMatchObject({ person: { phone: CANARY.phone } });
      await hands.run({ path: path(id), button: 'order.erase', fields: { reason: REASON } });
      await page.sees(hands.text('order.erased'));

      expect(await get<Order>(path(id))).toMatchObject({
        person: null,
        erasedAt: expect.any(String),
      });
    });
  });

  test('[CSL-39] a notification is read, sent again and resolved', async () => {
    const details = {
      day: '2026-11-01',
      organizationErpId: crypto.randomUUID(),
      atErp: 2,
      redeemed: 0,
      unauthorized: 0,
      differingOrders: 1,
      orderIds: [],
    };
    const [{ id }] = (await fixture.product.db.query<{ id: number }>(
      `insert into notification (kind, severity, subject_type, subject_id, details)
       values ('GIFTS_DIFFER', 'CRITICAL', 'gift-day', gen_random_uuid()::text, '${JSON.stringify(details)}')
       returning id::int`,
    )) as [{ id: number }];
    const path = `/notifications/${id}`;
    const actions: ScreenAction[] = [
      { path, button: 'notifications.markRead' },
      { path, button: 'notifications.send' },
      { path, button: 'notifications.resolve', fields: {} },
    ];
    for (const action of actions) await hands.run(action);

    expect(await get(path)).toMatchObject({
      readAt: expect.any(String),
      resolvedAt: expect.any(String),
    });
  });

  test('[CSL-15] a notification about a gift without a right leads to its tab', async () => {
    const [{ id }] = (await fixture.product.db.query<{ id: number }>(
      `insert into notification (kind, severity, subject_type, subject_id, details)
       values ('UNAUTHORIZED_COMPENSATION', 'CRITICAL', 'unauthorized-gift', '1', '{"kind": "NO_RIGHT"}')
       returning id::int`,
    )) as [{ id: number }];
    await page.show(`/notifications/${id}`);
    await page.press('main a', hands.text('notifications.openSubject'));
    await browser.until(
      'the tab',
      `[...document.querySelectorAll('main nav a[aria-current=page]')].some((tab) => tab.textContent.startsWith(${JSON.stringify(hands.text('decisions.unauthorized'))}))`,
    );

    expect(await browser.run<string>(`location.pathname + location.search`)).toBe(
      '/console/decisions?tab=unauthorized',
    );
  });

  test('[CSL-4] a screen shows no text of the server in the language before', async () => {
    await page.show('/notifications');
    const title = await browser.run<string>(`document.querySelector('main tbody a').textContent`);
    await page.switchTo('ru');
    try {
      await page.setNetwork({ latency: 2_000 });
      await browser.run(`history.pushState(null, '', '/console/notifications')`);
      await browser.until(
        'the list loads',
        `document.querySelector('main')?.dataset.screen === '/notifications' && document.querySelector('main [role=status][aria-label]')`,
      );

      expect(await browser.run(`document.querySelector('main').textContent`)).not.toContain(title);
    } finally {
      await page.setNetwork();
      await page.switchTo('en');
    }
  });

  test('[CSL-39] no action caused a failed request', () => {
    expect(page.errors().filter((error) => !/status of 404/.test(error))).toEqual([]);
  });
});
