import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startEmulator, type Emulator } from '../../../packages/erp-emulator/server.ts';
import { createErpClient } from '../../../erp/client.ts';
import type { ErpClientOptions } from '../../../erp/call.ts';
import type { ErpCustomer } from '../../../erp/schemas/customers.ts';
import type { ExchangeEntry } from '../../../erp/ports.ts';
import { createLog } from '../../../platform/log.ts';
import { login } from '../../emulator/client.ts';
import { readLoyalty } from '../../support/erp-guests.ts';
import { CANARY, canaryIn } from '../../support/erp-orders.ts';
import { openPorts } from '../../support/erp-ports.ts';

const INFO = '/api/1/loyalty/erp/customer/info';
const WRITE = '/api/1/loyalty/erp/customer/create_or_update';
const ADD = '/api/1/loyalty/erp/customer_category/add';

let emulator: Emulator;
let program: Awaited<ReturnType<typeof readLoyalty>>;
let erp: ReturnType<typeof createErpClient>;
let id: string;
const ids: string[] = [];
const logged: string[] = [];
const exchanges: ExchangeEntry[] = [];
const thrown: unknown[] = [];

beforeAll(async () => {
  emulator = await startEmulator({ size: 'small' });
  program = await readLoyalty(emulator);
  erp = await createClient();
});
beforeEach(async () => {
  id = await program.put({ comment: CANARY.comment });
  ids.push(id);
});
afterEach(async () => {
  await emulator.control('clear-faults');
  await emulator.control('put-customer', { id, isDeleted: true });
  await emulator.control('loyalty-settings', {
    offFor: [],
    repeats: '200',
    assignmentBody: 'empty',
    comments: 'exact',
  });
});
afterAll(async () => {
  await erp.close();
  await emulator.stop();
});

async function createClient(options: Partial<ErpClientOptions> = {}) {
  return createErpClient({
    baseUrl: emulator.url,
    ...openPorts(await login(emulator)),
    log: createLog({
      service: 'test',
      level: 'trace',
      destination: { write: (line) => void logged.push(line) },
    }),
    exchangeLog: {
      write: async (entry) => void exchanges.push(entry),
      close: async () => undefined,
    },
    timeouts: { readMs: 300 },
    ...options,
  });
}

const info = (key: { id: string } | { phone: string } = { id }) =>
  erp.customerInfo(1, program.organizationId, key);
const card = async (): Promise<ErpCustomer> => {
  const found = await info();
  if (found.outcome !== 'FOUND') throw new Error(found.outcome);
  return found.customer;
};
const write = (comment: string, customerId = id) =>
  erp.writeCustomerComment(1, { organizationId: program.organizationId, customerId, comment });
const dessert = () => ({
  organizationId: program.organizationId,
  customerId: id,
  categoryId: program.dessert,
});
const failing = async (work: Promise<unknown>): Promise<unknown> => {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  thrown.push(error);
  return error;
};
const plan = (kind: string, endpoint: string, more: object = {}) =>
  emulator.control('fault', { kind, endpoint, ...more });

describe('the card of a client', () => {
  test('contains comment and categories, read by phone and by id', async () => {
    await program.edit(id, { addCategoryIds: [program.roll] });
    const customer = {
      id,
      phone: CANARY.phone,
      comment: CANARY.comment,
      categories: [{ id: program.roll, name: 'Подарок: ролл', isActive: true }],
      isGone: false,
    };

    expect(await info({ phone: CANARY.phone })).toEqual({ outcome: 'FOUND', customer });
    expect(await info({ id: id.toUpperCase() })).toEqual({ outcome: 'FOUND', customer });
  });

  test('[ERP-19] cannot be found for an unknown client in any answer of the ERP, and nothing is quoted', async () => {
    expect(await info({ phone: '+79990000000' })).toEqual({ outcome: 'NOT_FOUND' });
    for (const code of ['Transport_WrongCustomerNumber', 'Customer_CustomerNotFound']) {
      await plan('400-loyalty', INFO, { code });
      expect(await info({ phone: CANARY.phone })).toEqual({ outcome: 'NOT_FOUND' });
    }
    await plan('400-loyalty', INFO, { code: 'Transport_SomethingElse' });
    expect(await failing(info())).toMatchObject({
      kind: 'CLIENT',
      status: 400,
      code: 'Transport_SomethingElse',
    });
  });

  test('shows that a client was deleted', async () => {
    await program.edit(id, { isDeleted: true });
    expect(await card()).toMatchObject({ id, isGone: true });
  });

  test('[ERP-19] pitfall 20: does not exist without a loyalty program, without a failure', async () => {
    await emulator.control('loyalty-settings', { offFor: [program.organizationId] });
    const off = { outcome: 'LOYALTY_OFF' };

    expect(await info()).toEqual(off);
    expect(await write('x')).toEqual(off);
    expect(await erp.addCustomerCategory(1, dessert())).toEqual(off);
    expect(await erp.customerCategories(1, program.organizationId)).toEqual(off);
  });

  test('[ERP-20] keeps every character, even those that no database stores', async () => {
    const comment = ' \r\n\u00a0Nuts\0 \ud83c 🍕 e\u0301 \\u0000 [COMP]Tart[/COMP]\t';
    await program.edit(id, { comment });
    expect((await card()).comment).toBe(comment);
  });

  test.each([
    ['without a comment', { comment: undefined }],
    ['without categories', { categories: undefined }],
    ['with a category that has no id', { categories: [{ name: 'x', isActive: true }] }],
    ['with a comment that is no text', { comment: 5 }],
    ['without an id', { id: 'somebody' }],
  ])('[ERP-20] cannot be read from %s, which is invalid', async (_what, change) => {
    await emulator.control('answer', {
      endpoint: INFO,
      body: { id, comment: null, categories: [], ...change },
    });
    const error = await failing(info());
    await emulator.control('answer', { endpoint: INFO });

    expect(error).toMatchObject({ kind: 'INVALID_ANSWER', status: 200, retryable: false });
  });

  test('[ERP-20] cannot be read from bytes that are no text, instead of a text with other letters', async () => {
    const head = Buffer.from(`{"id":"${id}","categories":[],"comment":"`);
    const server = createServer((request, response) => {
      request.resume();
      response.end(Buffer.concat([head, Buffer.from([0xd1]), Buffer.from('"}')]));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const broken = await createClient({
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    });
    const error = await failing(broken.customerInfo(1, program.organizationId, { id }));
    await broken.close();
    server.close();

    expect(error).toMatchObject({ kind: 'NOT_JSON', status: 200 });
  });
});

describe('a comment on a card', () => {
  test('keeps every character, and its write changes nothing else on the card', async () => {
    const before = await program.read(id);
    const comment = ' \r\nNuts 🍕 "e\u0301"\\ ';

    expect(await write(comment)).toEqual({ outcome: 'DONE' });
    expect(await program.read(id)).toEqual({ ...before, comment });
    expect((await card()).comment).toBe(comment);
  });

  test('can be erased only if the ERP erases empty fields', async () => {
    expect(await write('')).toEqual({ outcome: 'DONE' });
    expect(await program.read(id)).toMatchObject({
      comment: null,
      name: CANARY.name,
      phone: CANARY.phone,
    });
  });

  test('fails for an unknown client', async () => {
    expect(await write('x', program.organizationId)).toEqual({
      outcome: 'REFUSED',
      code: 'Validation_IncorrectPhone',
    });
  });

  test.each([
    ['trim', '  a b ', 'a b'],
    ['truncate', 'x'.repeat(70), 'x'.repeat(60)],
  ])(
    'can be read again if the ERP stores it differently (%s)',
    async (comments, comment, stored) => {
      await emulator.control('loyalty-settings', { comments });

      expect(await write(comment)).toEqual({ outcome: 'DONE' });
      expect((await card()).comment).toBe(stored);
    },
  );

  test('may be changed by an operator between any two calls', async () => {
    await program.edit(id, { when: 'after-read', append: ' 1' });
    await program.edit(id, { when: 'after-write', append: ' 2' });
    const read = (await card()).comment;
    const between = (await program.read(id)).comment;
    await write('new');

    expect([read, between, (await card()).comment]).toEqual([
      CANARY.comment,
      `${CANARY.comment} 1`,
      'new 2',
    ]);
  });

  test('fails if it was written to another client', async () => {
    await emulator.control('answer', { endpoint: WRITE, body: { id: program.organizationId } });
    const error = await failing(write('x'));
    await emulator.control('answer', { endpoint: WRITE });

    expect(error).toMatchObject({ kind: 'INVALID_ANSWER' });
  });
});

describe('a category', () => {
  test.each([['empty'], ['object'], ['null']])(
    'can be assigned and removed, also twice, with any response body: %s',
    async (assignmentBody) => {
      await emulator.control('loyalty-settings', { assignmentBody });
      const has = async () => (await program.read(id)).categoryIds;

      for (let times = 0; times < 2; times += 1)
        expect(await erp.addCustomerCategory(1, dessert())).toEqual({ outcome: 'DONE' });
      expect(await has()).toEqual([program.dessert]);
      for (let times = 0; times < 2; times += 1)
        expect(await erp.removeCustomerCategory(1, dessert())).toEqual({ outcome: 'DONE' });
      expect(await has()).toEqual([]);
    },
  );

  test('[ERP-19] returns a rejection, not a failure, if the ERP rejects an unchanged category', async () => {
    await emulator.control('loyalty-settings', { repeats: '400' });
    const refused = { outcome: 'REFUSED', code: 'Transport_CategoryUnchanged' };

    expect(await erp.removeCustomerCategory(1, dessert())).toEqual(refused);
    await erp.addCustomerCategory(1, dessert());
    expect(await erp.addCustomerCategory(1, dessert())).toEqual(refused);
    expect(
      await erp.addCustomerCategory(1, { ...dessert(), categoryId: program.organizationId }),
    ).toMatchObject({
      outcome: 'REFUSED',
    });
  });

  test('appears in the list with inactive categories', async () => {
    const listed = await erp.customerCategories(1, program.organizationId);
    expect(listed).toEqual({
      outcome: 'FOUND',
      categories: program.categories.map(({ id, name, isActive }) => ({ id, name, isActive })),
    });
  });
});

test.each([
  ['no-answer', { kind: 'TIMEOUT', retryable: true }],
  ['slow', { kind: 'TIMEOUT', retryable: true }],
  ['truncated-json', { kind: 'NOT_JSON', retryable: false }],
  ['500', { kind: 'SERVER', retryable: true }],
  ['502-html', { kind: 'SERVER', retryable: true }],
  ['429', { kind: 'RATE_LIMITED', retryable: true }],
  ['403', { kind: 'FORBIDDEN', retryable: false }],
])(
  'a change of a category fails during %s, which is no answer about the client',
  async (kind, expected) => {
    for (const [endpoint, call] of [
      [INFO, () => info()],
      [WRITE, () => write('x')],
    ] as const) {
      await plan(kind, endpoint);
      expect(await failing(call())).toMatchObject(expected);
    }
    // The answer to an assignment is empty, so a truncated answer also means success.
    if (kind === 'truncated-json') return;
    await plan(kind, ADD);
    expect(await failing(erp.addCustomerCategory(1, dessert()))).toMatchObject(expected);
  },
);

test('[ERP-19] a change without an answer may have been made, which the card shows', async () => {
  await plan('no-answer', WRITE);
  await failing(write('made'));
  await plan('no-answer', ADD);
  await failing(erp.addCustomerCategory(1, dessert()));

  expect(await card()).toMatchObject({ comment: 'made', categories: [{ id: program.dessert }] });
});

test('[ERP-21] the exchange log, logs and failures contain neither words nor ids of a client', () => {
  const about = exchanges.filter(({ endpoint }) =>
    endpoint.startsWith('/api/1/loyalty/erp/customer'),
  );
  const written = about.map(({ request, answer }) => request + answer).join('\n');
  const everything = [
    written,
    ...logged,
    ...thrown.map((error) => JSON.stringify(error, Object.getOwnPropertyNames(error as object))),
  ].join('\n');
  const asked = new Set(about.map(({ endpoint }) => endpoint));

  expect(asked.size).toBe(5);
  expect(canaryIn(everything)).toEqual([]);
  expect(ids.filter((text) => everything.includes(text))).toEqual([]);
  expect(written).toContain(`"organizationId":"${program.organizationId}"`);
  expect(written).toContain(`"categoryId":"${program.dessert}"`);
  expect(written).toContain('"errorCode":"Validation_IncorrectPhone"');
});
