import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import {
  connectionForImport,
  getConnection,
  listConnections,
} from '../../../modules/connections/connection-view.ts';
import { createConnection } from '../../../modules/connections/create-connection.ts';
import { switchConnection } from '../../../modules/connections/switch-connection.ts';
import { renewToken } from '../../../modules/connections/erp-calls/renew-token.ts';
import { setFranchiseeActive } from '../../../modules/connections/franchise/franchisees.ts';
import { setLegalEntityActive } from '../../../modules/connections/franchise/legal-entities.ts';
import type { Problem } from '../../../kernel/problem.ts';
import type { Database, Tx } from '../../support/text-database.ts';
import { ErpFailure, type ErpFailureKind } from '../../../erp/failure.ts';
import { createLog } from '../../../platform/log.ts';
import { aConnection, anOwner, testActor, testSecrets } from '../../support/connection.ts';
import { migratedDatabase } from '../../support/database.ts';
import { holdTable } from '../../support/races.ts';
import { addRows, countRows, selectRows, updateRows } from '../../support/rows.ts';

const user = { type: 'USER', userId: 7, requestId: 'r-1' } as const;

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let db: Database;
beforeAll(async () => {
  database = await migratedDatabase();
  db = database.db;
});
afterAll(() => database.close());

const deps = () => ({ db, secrets: testSecrets });
const traces = (id: number) =>
  Promise.all([
    selectRows(
      db,
      'audit_entry',
      ['action', 'before', 'after', 'actorId'],
      { entityType: 'connection', entityId: String(id) },
      { orderBy: 'id' },
    ),
    db.query(`select event, payload from outbox where payload->>'connectionId' = $1 order by id`, [
      String(id),
    ]),
  ]);
const readConnections = async (legalEntityId: number) =>
  (await listConnections({ db }, { legalEntityId, page: 1, size: 100 })).items;
const count = async () => await countRows(db, 'connection');

describe('the creation of a connection', () => {
  test('[CON-2] trims and encrypts the credential, writes audit and event, and returns no credential', async () => {
    const { legalEntityId } = await anOwner(db);
    const created = await createConnection(deps(), user, {
      legalEntityId,
      name: '  Main  ',
      apiLogin: ' login-1 ',
    });
    expect(created).toEqual({
      id: expect.any(Number),
      legalEntityId,
      name: 'Main',
      status: 'ACTIVE',
      createdAt: expect.any(Date),
      updatedAt: expect.any(Date),
      version: 1,
    });
    const [row] = await selectRows(db, 'connection', ['apiLoginEncrypted as sealed'], {
      id: created.id,
    });
    expect(testSecrets.open('connection.apiLogin', created.id, row?.sealed ?? '')).toBe('login-1');
    expect(await traces(created.id)).toEqual([
      [
        {
          action: 'create',
          before: null,
          after: { legalEntityId, name: 'Main', status: 'ACTIVE' },
          actorId: 7,
        },
      ],
      [{ event: 'ConnectionChanged', payload: { connectionId: created.id, change: 'CREATED' } }],
    ]);
    expect(await getConnection(db, created.id)).toEqual(created);
  });

  test('[CON-3] succeeds several times for a legal entity, even with one credential', async () => {
    const { legalEntityId } = await anOwner(db);
    const input = { legalEntityId, name: 'Same', apiLogin: 'same-login' };
    const [first, second] = [
      await createConnection(deps(), user, input),
      await createConnection(deps(), user, input),
    ];
    expect((await readConnections(legalEntityId)).map(({ id }) => id)).toEqual([
      first.id,
      second.id,
    ]);
    expect(await readConnections(999_999)).toEqual([]);
  });

  test.each([
    [
      'empty texts',
      { name: '  ', apiLogin: '' },
      [
        ['name', 'required'],
        ['apiLogin', 'required'],
      ],
    ],
    [
      'long texts',
      { name: 'n'.repeat(201), apiLogin: 'a'.repeat(501) },
      [
        ['name', 'max_length'],
        ['apiLogin', 'max_length'],
      ],
    ],
    [
      'control characters',
      { name: 'a\u0000b', apiLogin: 'a\nb' },
      [
        ['name', 'invalid'],
        ['apiLogin', 'invalid'],
      ],
    ],
    [
      'a name with the credential',
      { name: 'Key ABC-1', apiLogin: 'abc-1' },
      [['name', 'contains_secret']],
    ],
    [
      'an unknown owner',
      { name: 'N', apiLogin: 'abc', legalEntityId: 999_999 },
      [['legalEntityId', 'not_found']],
    ],
  ])('rejects %s, names each field and repeats no value', async (_name, input, expected) => {
    const { legalEntityId } = await anOwner(db);
    const before = await count();
    const failure: unknown = await createConnection(deps(), user, {
      legalEntityId,
      ...input,
    }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'Problem', kind: 'validation' });
    const { errors } = (failure as { details: { errors: { field: string; code: string }[] } })
      .details;
    expect(errors.map(({ field, code }) => [field, code])).toEqual(expected);
    expect(await count()).toBe(before);
  });

  test('accepts texts of the maximum length', async () => {
    const { legalEntityId } = await anOwner(db);
    const name = '🍕'.repeat(200);
    const created = await createConnection(deps(), user, {
      legalEntityId,
      name,
      apiLogin: 'a'.repeat(500),
    });
    expect(created.name).toBe(name);
  });

  test.each(['legal_entity', 'franchisee'] as const)(
    'rejects an inactive owner (%s)',
    async (table) => {
      const { legalEntityId, franchiseeId } = await anOwner(db);
      const id = table === 'franchisee' ? franchiseeId : legalEntityId;
      await updateRows(db, table, { isActive: false }, { id });
      await expect(
        createConnection(deps(), user, { legalEntityId, name: 'N', apiLogin: 'abc' }),
      ).rejects.toMatchObject({
        kind: 'owner-inactive',
      });
    },
  );

  test.each([
    ['legal entity', setLegalEntityActive],
    ['franchisee', setFranchiseeActive],
  ])('waits while its %s is being deactivated, and then fails', async (kind, setActive) => {
    const { legalEntityId, franchiseeId } = await anOwner(db);
    const gate = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const id = kind === 'franchisee' ? franchiseeId : legalEntityId;
    const paused = {
      ...db,
      transaction: <T>(work: (tx: Tx) => Promise<T>) =>
        db.transaction(async (tx) => {
          const result = await work(tx);
          held.resolve();
          await gate.promise;
          return result;
        }),
    };
    const deactivating = setActive({ db: paused }, user, { id, isActive: false });
    await held.promise;
    const creating = createConnection(deps(), user, { legalEntityId, name: 'N', apiLogin: 'abc' });
    const settled = creating.then(
      () => 'CREATED',
      ({ kind: problem }: Problem) => problem,
    );
    const first = await Promise.race([settled, delay(300).then(() => 'WAITING')]);
    gate.resolve();

    expect(first).toBe('WAITING');
    expect(await settled).toBe('owner-inactive');
    expect(await deactivating).toMatchObject({ isActive: false });
    expect(await readConnections(legalEntityId)).toEqual([]);
  });

  test('happens once for the same idempotency key', async () => {
    const { legalEntityId } = await anOwner(db);
    const key = {
      scope: 'admin',
      key: 'k-1',
      fingerprint: 'f',
      isSameRequest: (stored: string) => stored === 'f',
      status: 201,
    };
    const input = { legalEntityId, name: 'Once', apiLogin: 'abc' };
    const first = await createConnection(deps(), user, input, key);
    expect(await createConnection(deps(), user, input, key)).toEqual(first);
    expect(await readConnections(legalEntityId)).toHaveLength(1);
  });
});

describe('the disabling of a connection', () => {
  test('writes audit and event, raises the version, and a second call changes nothing', async () => {
    const { id } = await aConnection(db, 'abc');
    const disabled = await switchConnection(deps(), user, 'disable', { id, version: 1 });
    expect(disabled).toMatchObject({ status: 'DISABLED', version: 2 });
    expect(await switchConnection(deps(), user, 'disable', { id })).toEqual(disabled);
    const [audit, outbox] = await traces(id);
    expect(audit.slice(1)).toMatchObject([
      { action: 'disable', before: { status: 'ACTIVE' }, after: { status: 'DISABLED' } },
    ]);
    expect(outbox.slice(1)).toEqual([
      { event: 'ConnectionChanged', payload: { connectionId: id, change: 'DISABLED' } },
    ]);
  });

  test('rejects an outdated version and returns the current one', async () => {
    const { id } = await aConnection(db, 'abc');
    await expect(
      switchConnection(deps(), user, 'disable', { id, version: 4 }),
    ).rejects.toMatchObject({
      kind: 'version-conflict',
      details: { extra: { currentVersion: 1 } },
    });
  });

  test('takes effect once in two concurrent requests', async () => {
    const { id } = await aConnection(db, 'abc');
    const audit = await holdTable(db, 'audit_entry');
    const disabled = Promise.all(
      [1, 2, 3].map(() => switchConnection(deps(), user, 'disable', { id })),
    );
    await audit.waits(3);
    await audit.release();
    const results = await disabled;
    expect(new Set(results.map(({ version }) => version))).toEqual(new Set([2]));
    expect((await traces(id))[1]).toHaveLength(2);
  });
});

describe('the reading of connections', () => {
  test('lists all connections by pages, or those of one owner', async () => {
    const { legalEntityId } = await anOwner(db);
    for (const name of ['A', 'B', 'C'])
      await createConnection(deps(), user, { legalEntityId, name, apiLogin: 'secret-x' });
    const page = await listConnections({ db }, { legalEntityId, page: 2, size: 2 });
    expect(page).toMatchObject({ page: 2, size: 2, total: 3, items: [{ name: 'C' }] });
    const all = await listConnections({ db }, { page: 1, size: 200 });
    expect(all.total).toBeGreaterThan(3);
    expect(JSON.stringify(all)).not.toMatch(/secret-x|apiLogin|encrypted/i);
  });

  test('[CON-6] omits connections without an owner, which are not imported', async () => {
    const [row] = await addRows(db, 'connection', [
      { name: 'old', apiLoginEncrypted: 'x', status: 'DISABLED' },
    ]);
    const id = row?.id ?? 0;
    expect(
      (await listConnections({ db }, { page: 1, size: 200 })).items.map((item) => item.id),
    ).not.toContain(id);
    await expect(getConnection(db, id)).rejects.toMatchObject({ kind: 'not-found' });
    await expect(switchConnection(deps(), user, 'disable', { id })).rejects.toMatchObject({
      kind: 'not-found',
    });
    await expect(connectionForImport(db, id)).rejects.toMatchObject({ kind: 'not-found' });
  });

  test('returns the reason why an import skips a connection, or none', async () => {
    const connection = await aConnection(db, 'abc');
    const { id, legalEntityId } = connection;
    expect(await connectionForImport(db, id)).toEqual({ connection, skip: null });
    await updateRows(db, 'legal_entity', { isActive: false }, { id: legalEntityId });
    expect(await connectionForImport(db, id)).toEqual({ connection, skip: 'OWNER_INACTIVE' });
    await switchConnection(deps(), testActor, 'disable', { id });
    expect((await connectionForImport(db, id)).skip).toBe('DISABLED');
  });
});

test('[ERP-1] a failed renewal of a token fails no poll, and a rejected credential is logged once', async () => {
  const lines: string[] = [];
  const log = createLog({
    service: 'test',
    level: 'warn',
    destination: { write: (line) => void lines.push(line) },
  });
  const renewed = (kind: ErpFailureKind | null) =>
    renewToken(
      {
        erp: {
          refreshToken: async () => {
            if (kind !== null) throw new ErpFailure(kind, { endpoint: '/token' });
          },
        },
        log,
      },
      1,
    );
  for (const kind of [null, 'SERVER', 'CREDENTIALS_REFUSED', 'DISABLED', 'OWNER_INACTIVE'] as const)
    await renewed(kind);

  expect(lines.map((line) => (JSON.parse(line) as { kind: string }).kind)).toEqual(['SERVER']);
});
