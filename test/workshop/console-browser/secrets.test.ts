import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import { DEMO_API_LOGIN_SECOND } from '../../../packages/erp-emulator/server.ts';
import { buildConsole } from '../../../tools/built-site.ts';
import { newcomerClient, type AdminClient } from '../../support/admin-client.ts';
import { startBrowser, type Browser } from '../../support/browser.ts';
import { eventually } from '../../support/processes.ts';
import { addRow, not, selectRow } from '../../support/rows.ts';
import { describeWith, programForTests } from '../../support/unless-mandatory.ts';
import { webhookReceiver } from '../../support/webhook-receiver.ts';
import { consolePage, type ConsolePage } from '../../e2e/console/console-page.ts';
import { startConsoleProduct, type ConsoleProduct } from '../../e2e/console/product.ts';
import { screenHands } from './screen-hands.ts';

const log = (line: string) => void process.stderr.write(`${line}\n`);
const chromium = await programForTests('chromium');

type List<Item> = { items: Item[]; total: number };
type Key = {
  id: number;
  name: string;
  ownerId: number;
  organizationIds: number[] | null;
  revokedAt: string | null;
  secrets: { validUntil: string | null }[];
};

describeWith(chromium, 'access in the console', (program) => {
  let fixture: ConsoleProduct;
  let browser: Browser;
  let page: ConsolePage;
  let hands: ReturnType<typeof screenHands>;
  let restaurant: { id: number; name: string };
  let colleague: AdminClient;
  beforeAll(async () => {
    await buildConsole(log);
    fixture = await startConsoleProduct('small');
    browser = await startBrowser(program);
    page = consolePage(browser, fixture.api.url, log);
    hands = screenHands(page, browser);
    [restaurant] = (await get<List<typeof restaurant>>('/organizations?size=1')).items as [
      typeof restaurant,
    ];
    colleague = await user('colleague', ['ADMIN']);
    await user('careful', ['ADMIN']);
    await page.enter(fixture.product.administrator);
  });
  afterAll(async () => {
    await browser?.stop();
    await fixture?.stop();
  });

  const get = <T>(path: string) => fixture.admin.get<T>(path);
  const PASSWORD = 'a first password of 2026';
  const emailOf = (name: string) => `${name}@carte.test`;

  /** Creates a user who has set the own password. */
  async function user(name: string, roles: readonly string[]): Promise<AdminClient> {
    const person = { email: emailOf(name), password: PASSWORD, fullName: `Person ${name}` };
    await fixture.admin.post('/users', { ...person, roles });
    return newcomerClient(fixture.api.url, person.email, PASSWORD);
  }

  /** The status that the admin API answers to a token. */
  const statusFor = async (token: string, path = '/products?size=1') =>
    (
      await fetch(`${fixture.api.url}/api/admin/v1${path}`, {
        headers: { authorization: `Bearer ${token}` },
      })
    ).status;
  const keyOf = async (name: string) =>
    (await get<List<Key>>('/api-keys?size=200')).items.find((key) => key.name === name)!;
  const newKey = (name: string, by: AdminClient = fixture.admin) =>
    by.post<{ id: number; token: string }>('/api-keys', {
      name,
      use: 'ADMIN',
      permissions: ['catalog.read'],
    });

  describe('an API key', () => {
    test('[CSL-37] a new API key has the chosen limits, and its token is shown once', async () => {
      await hands.run({
        path: '/keys',
        button: 'keys.create',
        fields: {
          name: 'Till program',
          use: 'ADMIN',
          permissions: ['catalog.read'],
          organizationIds: [String(restaurant.id)],
        },
        submit: 'action.save',
        staysOpen: true,
      });
      const token = await hands.takeSecret();

      expect(await keyOf('Till program')).toMatchObject({ organizationIds: [restaurant.id] });
      expect(await statusFor(token)).toBe(200);
      expect(await statusFor(token, '/audit?size=1')).toBe(403);
    });

    test('[CSL-37] a replaced token works for the hours that were typed', async () => {
      const { token: before } = await newKey('Rotated');
      const rotate = { path: '/keys', row: 'Rotated', button: 'keys.rotate', isNew: true } as const;
      await hands.run({ ...rotate, fields: { overlapHours: '3' }, staysOpen: true });
      const after = await hands.takeSecret();
      const [, old] = (await keyOf('Rotated')).secrets;
      const hours = (Date.parse(old!.validUntil!) - Date.now()) / 3_600_000;

      expect([await statusFor(before), await statusFor(after)]).toEqual([200, 200]);
      expect(hours).toBeGreaterThan(2.9);
      expect(hours).toBeLessThan(3.1);
      await hands.run({ ...rotate, fields: { overlapHours: '0' }, staysOpen: true });
      const last = await hands.takeSecret();
      const gone = await eventually('the tokens before are revoked', async () => {
        const statuses = [await statusFor(before), await statusFor(after), await statusFor(last)];
        return statuses[0] === 401 && statuses[1] === 401 ? statuses : undefined;
      });
      expect(gone).toEqual([401, 401, 200]);
    });

    test('[CSL-37] a token is not replaced without the hours of the old one', async () => {
      await newKey('Without hours');
      await page.open('/keys');
      await hands.press(hands.text('keys.rotate'), 'Without hours');
      await hands.setField('overlapHours', '');
      await page.press(hands.inDialog('button'), hands.text('keys.rotate'));
      await page.sees(hands.text('form.missing'));

      expect((await keyOf('Without hours')).secrets).toHaveLength(1);
      await browser.press('Escape');
    });

    test('[CSL-39] an API key is limited to restaurants later', async () => {
      const { token } = await newKey('Limited later');
      await hands.run({
        path: '/keys',
        isNew: true,
        row: 'Limited later',
        button: 'action.edit',
        fields: { organizationIds: [String(restaurant.id)] },
        submit: 'action.save',
      });

      expect(await keyOf('Limited later')).toMatchObject({ organizationIds: [restaurant.id] });
      expect(await statusFor(token)).toBe(200);
    });

    test('[CSL-39] a taken-over key belongs to the person, who cannot take it over again', async () => {
      await newKey('Of a colleague', colleague);
      const { ownerId } = await keyOf('Of a colleague');
      await hands.run({
        path: '/keys',
        isNew: true,
        row: 'Of a colleague',
        button: 'keys.takeOver',
        fields: {},
      });
      const { id } = await get<{ id: number }>('/me');

      expect(ownerId).not.toBe(id);
      expect(await keyOf('Of a colleague')).toMatchObject({ ownerId: id });
      await browser.until(
        'the reason',
        `document.querySelector('[data-pressed]')?.textContent.includes(${JSON.stringify(hands.text('keys.isYours'))})`,
      );
    });

    test('[CSL-39] a revoked key stops working', async () => {
      const { token } = await newKey('Leaked');
      await hands.run({
        path: '/keys',
        isNew: true,
        row: 'Leaked',
        button: 'keys.revoke',
        fields: {},
      });

      expect((await keyOf('Leaked')).revokedAt).not.toBeNull();
      await eventually('it is revoked', async () => (await statusFor(token)) === 401 || undefined);
      expect(
        await browser.run(
          `document.querySelectorAll('[data-pressed] button[aria-disabled=true]').length`,
        ),
      ).toBe(4);
    });
  });

  describe('a connection', () => {
    const connection = async () =>
      (await get<List<{ id: number; name: string; status: string }>>('/connections')).items[0]!;
    const secrets = async () =>
      (await get<List<{ id: number }>>(`/connections/${(await connection()).id}/webhook-secrets`))
        .total;

    test('[CSL-16, CSL-37] a secret of a connection is shown once and ended', async () => {
      const before = await secrets();
      await page.show('/connections');
      await hands.press(hands.text('secrets.title'));
      await page.confirmed(() =>
        page.press(hands.inDialog('button'), hands.text('secrets.create')),
      );
      await hands.takeSecret();

      expect(await secrets()).toBe(before + 1);
      await hands.press(hands.text('secrets.title'));
      await browser.until('the list', `document.querySelector('[role=dialog] tbody tr')`);
      expect(
        await browser.run<boolean>(
          `document.body.innerText.includes(${JSON.stringify(hands.text('keys.tokenText'))})`,
        ),
      ).toBe(false);
      await page.press(hands.inDialog('tbody button'), hands.text('secrets.end'));
      await page.sees(hands.text('secrets.endText'));
      await page.confirmed(() =>
        page.press(
          `[role=dialog]:not(:has(table)) button[class*=danger]`,
          hands.text('secrets.end'),
        ),
      );
      expect(await secrets()).toBe(before);
      await browser.press('Escape');
      await page.closed();
    });

    test('[CSL-39] a connection is renamed, disabled and enabled with another API key', async () => {
      const { name } = await connection();
      const path = '/connections';
      const main = 'Main account';
      await hands.run({
        path,
        row: name,
        button: 'action.edit',
        fields: { name: main },
        submit: 'action.save',
      });
      expect(await connection()).toMatchObject({ name: main });
      await hands.run({
        path,
        row: main,
        button: 'connections.replaceLogin',
        fields: { apiLogin: fixture.product.emulator.apiLogin },
      });
      await hands.run({ path, row: main, button: 'connections.disable', fields: {} });
      expect((await connection()).status).toBe('DISABLED');
      await hands.run({ path, row: main, button: 'connections.enable' });
      expect((await connection()).status).toBe('ACTIVE');
    });

    test.each([
      ['franchisees', 'connections.createFranchisee', '/franchisees'],
      ['entities', 'connections.createEntity', '/legal-entities'],
    ] as const)(
      '[CSL-39] an owner of connections is created, renamed, deactivated and activated: %s',
      async (tab, button, list) => {
        const path = `/connections?tab=${tab}`;
        const owner = async (name: string) =>
          (await get<List<{ name: string; isActive: boolean }>>(`${list}?size=200`)).items.find(
            (one) => one.name === name,
          );
        const [franchisee] = (await get<List<{ id: number }>>('/franchisees?size=1')).items;
        const first = { name: `First ${tab}` };
        await hands.run({
          path,
          button,
          fields: tab === 'entities' ? { ...first, franchiseeId: String(franchisee!.id) } : first,
          submit: 'action.save',
        });
        const name = `Renamed ${tab}`;
        await hands.run({
          path,
          row: first.name,
          button: 'action.edit',
          fields: { name },
          submit: 'action.save',
        });
        await hands.run({ path, row: name, button: 'connections.deactivate', fields: {} });
        expect(await owner(name)).toMatchObject({ isActive: false });
        await hands.run({ path, row: name, button: 'connections.activate' });

        expect(await owner(name)).toMatchObject({ isActive: true });
      },
    );

    test('[CSL-39] a new connection belongs to its legal entity and imports with its API key', async () => {
      const [entity] = (await get<List<{ id: number }>>('/legal-entities?size=1')).items;
      const name = 'Second account';
      await hands.run({
        path: '/connections',
        button: 'connections.create',
        fields: { legalEntityId: String(entity!.id), name, apiLogin: DEMO_API_LOGIN_SECOND },
        submit: 'action.save',
      });
      const { items } = await get<List<{ id: number; name: string }>>('/connections?size=200');
      const created = items.find((one) => one.name === name)!;
      const run = await eventually('its first import ends', async () => {
        const runs = await get<List<{ status: string }>>(
          `/sync/runs?job=ORGANIZATIONS&connection_id=${created.id}`,
        );
        return runs.items.find(({ status }) => status !== 'RUNNING');
      });

      expect(created).toMatchObject({ legalEntityId: entity!.id, status: 'ACTIVE' });
      expect(run).toMatchObject({ status: 'SUCCESS' });
    });
  });

  describe('a receiver of events', () => {
    const url = 'https://receiver.example/console';
    const receiver = async () =>
      (
        await get<List<{ url: string; types: string[]; isEnabled: boolean }>>('/webhook-endpoints')
      ).items.find((endpoint) => endpoint.url === url);

    test('[CSL-37] a new receiver of events shows its secret once, and is changed and deleted', async () => {
      await hands.run({
        path: '/webhooks',
        button: 'webhooks.create',
        fields: { url, types: ['menu.published'] },
        submit: 'action.save',
        staysOpen: true,
      });
      await hands.takeSecret();
      expect(await receiver()).toMatchObject({ types: ['menu.published'], isEnabled: true });
      await hands.run({
        path: '/webhooks',
        row: url,
        button: 'action.edit',
        fields: { isEnabled: false },
        submit: 'action.save',
      });
      expect(await receiver()).toMatchObject({ isEnabled: false });
      await hands.run({ path: '/webhooks', row: url, button: 'action.delete', fields: {} });

      expect(await receiver()).toBeUndefined();
    });

    describe('that listens', () => {
      type Delivery = { eventId: number; status: string };
      let listener: Awaited<ReturnType<typeof webhookReceiver>>;
      let id: number;
      beforeAll(async () => {
        listener = await webhookReceiver();
        const endpoint = { url: listener.url, types: ['product.unpublished'] };
        const made = await fixture.admin.post<{ id: number; secret: string }>(
          '/webhook-endpoints',
          endpoint,
        );
        id = made.id;
        listener.secret = made.secret;
      });
      afterAll(() => listener?.close());

      test('[CSL-39] a receiver gets a test message, and its answer is shown', async () => {
        await hands.run({
          path: '/webhooks',
          isNew: true,
          row: listener.url,
          button: 'webhooks.test',
        });
        await page.sees('Answer 204');

        expect(listener.accepted).toMatchObject([
          { type: 'test', subject: `webhook-endpoint/${id}` },
        ]);
      });

      test('[CSL-39] a delivery that was set aside is repeated', async () => {
        const { db } = fixture.product;
        const event = await selectRow(
          db,
          'public_event',
          ['id', 'subject'],
          { id: not(null) },
          { orderBy: 'id', limit: 1 },
        );
        const eventId = event.id!;
        await addRow(db, 'webhook_delivery', {
          endpointId: id,
          eventId,
          subject: event.subject,
          isPending: false,
          attempts: [{ at: new Date().toISOString(), status: 500, error: null, durationMs: 35 }],
          failedAt: new Date(),
        });
        await hands.run({
          path: `/webhooks?endpoint=${id}`,
          row: `#${eventId}`,
          button: 'action.retry',
        });
        const delivery = await eventually('it is delivered', async () => {
          const { items } = await get<List<Delivery>>(`/webhook-endpoints/${id}/deliveries`);
          return items.find(({ status }) => status === 'DELIVERED');
        });

        expect(delivery).toMatchObject({
          eventId,
          isReplay: true,
          attempts: [{ status: 500 }, { status: 204 }],
        });
        expect(listener.accepted.map((accepted) => accepted.id)).toContain(eventId);
      });
    });
  });

  describe('a user', () => {
    const found = async (name: string) =>
      (
        await get<List<{ email: string; roles: string[]; organizationIds: number[] | null }>>(
          `/users?q=${name}`,
        )
      ).items.find(({ email }) => email === emailOf(name));

    test('[CSL-39] a user is created, limited to restaurants and deleted', async () => {
      const path = '/users';
      const row = emailOf('newcomer');
      await hands.run({
        path,
        button: 'users.create',
        fields: { fullName: 'New Comer', email: row, roles: ['VIEWER'], password: PASSWORD },
        submit: 'action.save',
      });
      expect(await found('newcomer')).toMatchObject({ roles: ['VIEWER'], organizationIds: null });
      await hands.run({
        path,
        row,
        button: 'action.edit',
        fields: { roles: ['OPERATOR'], organizationIds: [String(restaurant.id)] },
        submit: 'action.save',
      });
      expect(await found('newcomer')).toMatchObject({
        roles: ['OPERATOR'],
        organizationIds: [restaurant.id],
      });
      await hands.run({ path, row, button: 'action.delete', fields: {} });

      expect(await found('newcomer')).toBeUndefined();
    });

    test('[CSL-39] a user loses the second factor', async () => {
      const person = await user('forgetful', ['VIEWER']);
      const currentPassword = `${PASSWORD} from now on`;
      const { secret } = await person.post<{ secret: string }>('/me/second-factor', {
        currentPassword,
      });
      await person.post('/me/second-factor/confirm', {
        code: TOTP.generate({ secret: Secret.fromBase32(secret) }),
      });
      await hands.run({
        path: '/users',
        isNew: true,
        row: emailOf('forgetful'),
        button: 'users.removeFactor',
        fields: {},
      });

      expect(await found('forgetful')).toMatchObject({ hasSecondFactor: false });
    });

    test('[CSL-39] a role is created', async () => {
      await hands.run({
        path: '/roles',
        button: 'roles.create',
        fields: { code: 'CASHIER', name: 'Cashier' },
      });

      const { items } = await get<List<{ code: string }>>('/roles?size=100');
      expect(items.find(({ code }) => code === 'CASHIER')).toMatchObject({ name: 'Cashier' });
    });
  });

  test('[CSL-39] a setting is changed and restored', async () => {
    const path = '/settings';
    const row = 'order_send_minutes';
    const setting = () =>
      get<{ value: number; defaultValue: number; version: number }>(`/settings/${row}`);
    const { defaultValue } = await setting();
    await hands.run({
      path,
      row,
      button: 'action.edit',
      fields: { value: String(defaultValue + 1) },
      submit: 'action.save',
    });
    expect(await setting()).toMatchObject({ value: defaultValue + 1 });
    await hands.run({ path, row, button: 'settings.reset', fields: {} });

    expect(await setting()).toMatchObject({ value: defaultValue });
  });

  test('[CSL-39] an account ends its other sessions, one or all', async () => {
    const { email, password } = fixture.product.administrator;
    const sessions = async () => (await get<{ items: unknown[] }>('/me/sessions')).items.length;
    const signIn = () =>
      fetch(`${fixture.api.url}/api/admin/v1/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password }),
      });
    await signIn();
    await signIn();
    const before = await sessions();
    await page.show('/account');
    await page.confirmed(() => hands.press(hands.text('account.end')));
    await eventually('one is ended', async () => (await sessions()) === before - 1 || undefined);
    await hands.run({ path: '/account', button: 'account.endOthers', fields: {} });

    // Also the session of the test has ended.
    expect(
      await browser.run<number>(
        `fetch('/console').then(() => document.querySelectorAll('main li button').length)`,
      ),
    ).toBe(0);
  });

  test('[CSL-39] an account sets up a second factor, signs in with it and removes it', async () => {
    const password = `${PASSWORD} from now on`;
    await page.show('/account');
    await page.press('button', hands.text('account.signOut'));
    await browser.until('the sign-in', `document.querySelector('input[name=email]')`);
    await page.signIn(emailOf('careful'), password);
    await page.show('/account');
    const block = `[...document.querySelectorAll('main section')].find((part) => part.textContent.includes(${JSON.stringify(hands.text('account.secondFactor'))}))`;
    await browser.until('the block', block);
    await browser.run(`(() => { ${block}.id = 'factor'; })()`);
    await page.fill('#factor input[name=currentPassword]', password);
    await page.press('#factor button', hands.text('account.factorBegin'));
    await browser.until('the secret', `document.querySelector('#factor pre')`);
    const secret = await browser.run<string>(
      `document.querySelector('#factor pre').textContent.trim()`,
    );
    const codeAt = (steps: number) =>
      TOTP.generate({
        secret: Secret.fromBase32(secret),
        timestamp: Date.now() + steps * 30_000,
      });
    await page.fill('#factor input[name=code]', codeAt(-1));
    await page.press('#factor button', hands.text('account.factorConfirm'));
    await page.sees(hands.text('account.recoveryCodes'));
    const codes = await browser.run<string>(`document.querySelector('main pre').textContent`);

    expect(codes.trim().split('\n').length).toBeGreaterThan(5);
    await page.press('button', hands.text('account.signOut'));
    await browser.until('the sign-in', `document.querySelector('input[name=email]')`);
    for (const [name, value] of Object.entries({ email: emailOf('careful'), password }))
      await page.fill(`input[name=${name}]`, value);
    await browser.press('Enter');
    await browser.until('the code', `document.querySelector('input[name=code]')`);
    await page.fill('input[name=code]', codeAt(0));
    await browser.press('Enter');
    await browser.until('the frame', `document.querySelector('#content')`);
    await page.show('/account');
    await page.sees(hands.text('account.factorOn'));
    await browser.run(`(() => { ${block}.id = 'factor'; })()`);
    await page.fill('#factor input[name=currentPassword]', password);
    await page.fill('#factor input[name=code]', codeAt(1));
    await page.press('#factor button', hands.text('account.factorRemove'));
    await page.sees(hands.text('account.factorOff'));
  });

  test('[CSL-39] no action caused a failed request', () => {
    expect(page.errors().filter((error) => !/status of 401/.test(error))).toEqual([]);
  });
});
