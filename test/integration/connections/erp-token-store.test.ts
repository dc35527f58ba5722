import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { switchConnection } from '../../../modules/connections/switch-connection.ts';
import { replaceApiLogin } from '../../../modules/connections/replace-api-login.ts';
import {
  createErpTokenStore,
  type TokenTimings,
} from '../../../modules/connections/erp-calls/erp-token-store.ts';
import type { Database } from '../../../platform/db/database.ts';
import { openDatabase } from '../../../modules/own-database.ts';
import { ErpFailure } from '../../../erp/failure.ts';
import type { ObtainToken, TokenStore } from '../../../erp/ports.ts';
import { aConnection, testActor, testSecrets } from '../../support/connection.ts';
import { migratedDatabase } from '../../support/database.ts';
import {
  addRow,
  ago,
  databaseNow,
  fromNow,
  plus,
  selectRows,
  updateRows,
} from '../../support/rows.ts';
import { tableNames, tablesWith } from '../../support/whole-schema.ts';

const LOGIN = 'login-canary-52';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let other: Database;
beforeAll(async () => {
  database = await migratedDatabase();
  other = await openDatabase({ url: database.url, poolSize: 5, applicationName: 'second-process' });
});
afterAll(async () => {
  await other.close();
  await database.close();
});

function store(db: Database, timings: Partial<TokenTimings> = {}): TokenStore {
  return createErpTokenStore({ db, secrets: testSecrets, timings: { pollMs: 20, ...timings } });
}

function erp(answer: (call: number) => string | Error = (call) => `token-${call}`, ms = 150) {
  const seen = { calls: 0, open: 0, mostOpen: 0, logins: new Set<string>() };
  const obtain: ObtainToken = async (apiLogin, signal) => {
    seen.calls += 1;
    seen.open += 1;
    seen.mostOpen = Math.max(seen.mostOpen, seen.open);
    seen.logins.add(apiLogin);
    const result = answer(seen.calls);
    try {
      await delay(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
    } finally {
      seen.open -= 1;
    }
    if (typeof result === 'string') return result;
    throw result;
  };
  return { seen, obtain };
}

const newConnection = async () => (await aConnection(database.db, LOGIN)).id;
const lease = (id: number) =>
  selectRows(database.db, 'erp_token', ['leaseOwner', 'tokenEncrypted as token'], {
    connectionId: id,
  });

describe('one request at a time for a connection', () => {
  test('[ERP-3, WIRE-1] pitfall 1: two processes that need a token at the same time make one call, ten times', async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = await newConnection();
      const { seen, obtain } = erp(undefined, 40);
      const [here, there] = [store(database.db), store(other)];
      const tokens = await Promise.all(
        [here, there, here, there, there].map((entry) => entry.token(id, { obtain })),
      );
      expect(seen).toMatchObject({ calls: 1, mostOpen: 1 });
      expect(new Set(tokens.map(({ token, generation }) => `${generation}/${token}`))).toEqual(
        new Set(['1/token-1']),
      );
    }
  });

  test('two processes that receive a 401 for the same token make one call', async () => {
    const id = await newConnection();
    const { seen, obtain } = erp();
    const [here, there] = [store(database.db), store(other)];
    const { generation } = await here.token(id, { obtain });
    const renewed = await Promise.all(
      [here, there, here, there].map((entry) => entry.token(id, { obtain, rejected: generation })),
    );
    expect(seen).toMatchObject({ calls: 2, mostOpen: 1 });
    expect(renewed.map((entry) => entry.generation)).toEqual([2, 2, 2, 2]);
  });

  test('a 401 for an old token returns the newer token without a call', async () => {
    const id = await newConnection();
    const { seen, obtain } = erp();
    const tokens = store(database.db);
    await tokens.token(id, { obtain });
    await tokens.token(id, { obtain, rejected: 1 });
    expect(await store(other).token(id, { obtain, rejected: 1 })).toMatchObject({
      token: 'token-2',
      generation: 2,
    });
    expect(seen.calls).toBe(2);
  });

  test('connections do not wait for each other', async () => {
    const { seen, obtain } = erp();
    const ids = [await newConnection(), await newConnection()];
    const tokens = store(database.db);
    await Promise.all(ids.map((id) => tokens.token(id, { obtain })));
    expect(seen).toMatchObject({ calls: 2, mostOpen: 2 });
  });
});

describe('the token lease of a process that stops', () => {
  test('expires, and another process continues', async () => {
    const id = await newConnection();
    const startedAt = Date.now();
    await addRow(database.db, 'erp_token', {
      connectionId: id,
      leaseOwner: 'dead',
      leaseUntil: fromNow('400 ms'),
    });
    const { seen, obtain } = erp(undefined, 0);
    expect(await store(other).token(id, { obtain })).toMatchObject({
      token: 'token-1',
      generation: 1,
    });
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(300);
    expect(seen.calls).toBe(1);
  });

  test('outlasts no request: the request is aborted before the lease expires', async () => {
    const id = await newConnection();
    const { seen, obtain } = erp(undefined, 10_000);
    const waiting = store(database.db, { leaseMs: 300 }).token(id, { obtain });
    await expect(waiting).rejects.toMatchObject({
      name: 'ErpFailure',
      kind: 'TIMEOUT',
      retryable: true,
    });
    expect(seen.mostOpen).toBe(1);
    expect(await lease(id)).toMatchObject([{ leaseOwner: null }]);
  });

  test('protects a newer token from one that arrives after the lease has moved', async () => {
    const id = await newConnection();
    const slow: ObtainToken = async () => {
      await updateRows(
        database.db,
        'erp_token',
        {
          tokenEncrypted: testSecrets.seal('erp.token', id, 'token-of-the-successor'),
          generation: plus('generation', 1),
          expiresAt: fromNow('1 h'),
          leaseOwner: null,
          leaseUntil: null,
        },
        { connectionId: id },
      );
      return 'token-too-late';
    };
    expect(await store(database.db).token(id, { obtain: slow })).toMatchObject({
      token: 'token-of-the-successor',
      generation: 1,
    });
  });

  test('ends with a failure that all callers of the process receive', async () => {
    const id = await newConnection();
    const failure = new ErpFailure('SERVER', { endpoint: '/token', status: 500 });
    const { seen, obtain } = erp((call) => (call === 1 ? failure : 'token-2'));
    const tokens = store(database.db);
    const results = await Promise.allSettled([
      tokens.token(id, { obtain }),
      tokens.token(id, { obtain }),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(seen.calls).toBe(1);
    expect(await lease(id)).toEqual([{ leaseOwner: null, token: null }]);
    expect(await tokens.token(id, { obtain })).toMatchObject({ token: 'token-2', generation: 1 });
  });

  test('continues for other callers if one caller gives up', async () => {
    const id = await newConnection();
    const { seen, obtain } = erp();
    const tokens = store(database.db);
    const impatient = tokens.token(id, { obtain, signal: AbortSignal.timeout(50) });
    const patient = tokens.token(id, { obtain });
    await expect(impatient).rejects.toMatchObject({ name: 'TimeoutError' });
    await expect(patient).resolves.toMatchObject({ token: 'token-1', generation: 1 });
    expect(seen.calls).toBe(1);
  });
});

describe('the life of a token', () => {
  test('[ERP-1] lasts 55 minutes from the request, also for another process', async () => {
    const id = await newConnection();
    const { seen, obtain } = erp(undefined, 0);
    await store(database.db).token(id, { obtain });
    await store(other).token(id, { obtain, minimumLifeMs: 54.9 * 60_000 });
    expect(seen.calls).toBe(1);
    await store(other).token(id, { obtain, minimumLifeMs: 60 * 60_000 });
    // A minimum life longer than the token's must not cause an endless loop.
    expect(seen.calls).toBe(2);
    await updateRows(database.db, 'erp_token', { expiresAt: databaseNow() }, { connectionId: id });
    expect((await store(other).token(id, { obtain })).generation).toBe(3);
  });

  test('ends with the connection', async () => {
    const id = await newConnection();
    const { seen, obtain } = erp(undefined, 0);
    const tokens = store(database.db);
    await tokens.token(id, { obtain });
    await switchConnection({ db: database.db }, testActor, 'disable', { id });
    await expect(tokens.token(id, { obtain })).rejects.toMatchObject({
      kind: 'DISABLED',
      retryable: false,
    });
    await expect(tokens.token(999_999, { obtain })).rejects.toMatchObject({
      kind: 'NO_CONNECTION',
    });
    expect(seen.calls).toBe(1);
    expect(await lease(id)).toEqual([{ leaseOwner: null, token: null }]);
  });
});

describe('a credential rejected by the ERP', () => {
  const refusal = (status: number) =>
    new ErpFailure('UNAUTHORIZED', { endpoint: '/token', status });
  const notifications = (id: number) =>
    database.db.db
      .selectFrom('notification')
      .where('kind', '=', 'CREDENTIALS_REFUSED')
      .where('subjectType', '=', 'connection')
      .where('subjectId', '=', String(id))
      .select((row) => ['repeated', row('resolvedAt', 'is', null).as('open'), 'details'])
      .orderBy('id')
      .execute();

  test.each([400, 401, 403])(
    '(%i) causes one request of all processes together, and one notification',
    async (status) => {
      const id = await newConnection();
      const { seen, obtain } = erp(() => refusal(status), 60);
      const [here, there] = [store(database.db), store(other)];

      const results = await Promise.allSettled(
        [here, there, here, there, there, here].map((entry) => entry.token(id, { obtain })),
      );
      await expect(there.token(id, { obtain })).rejects.toMatchObject({
        kind: 'CREDENTIALS_REFUSED',
        retryable: false,
      });

      for (const result of results)
        expect(result).toMatchObject({
          status: 'rejected',
          reason: { kind: 'CREDENTIALS_REFUSED', retryable: false },
        });
      expect(seen.calls).toBe(1);
      expect(await notifications(id)).toEqual([
        { repeated: 0, open: true, details: { endpoint: expect.any(String), status } },
      ]);
    },
  );

  test('allows another request after its pause, and a success ends the notification', async () => {
    const id = await newConnection();
    const { seen, obtain } = erp((call) => (call < 3 ? refusal(401) : 'token-3'), 0);
    const tokens = store(database.db, { restMs: 60_000 });
    const hasRested = () =>
      updateRows(database.db, 'erp_token', { refusedAt: ago('61 s') }, { connectionId: id });

    await expect(tokens.token(id, { obtain })).rejects.toMatchObject({
      kind: 'CREDENTIALS_REFUSED',
    });
    await hasRested();
    await expect(tokens.token(id, { obtain })).rejects.toMatchObject({
      kind: 'CREDENTIALS_REFUSED',
    });
    const open = await notifications(id);
    await hasRested();

    expect(await tokens.token(id, { obtain })).toMatchObject({ token: 'token-3' });
    expect(seen.calls).toBe(3);
    expect(open).toMatchObject([{ repeated: 1, open: true }]);
    expect(await notifications(id)).toMatchObject([{ open: false }]);
  });

  test('remains usable as long as its last token is valid', async () => {
    const id = await newConnection();
    const { seen, obtain } = erp((call) => (call === 1 ? 'token-1' : refusal(401)), 0);
    const tokens = store(database.db);
    await tokens.token(id, { obtain });

    await expect(tokens.token(id, { obtain, minimumLifeMs: 3_600_000 })).rejects.toMatchObject({
      kind: 'CREDENTIALS_REFUSED',
    });

    expect(await tokens.token(id, { obtain })).toMatchObject({ token: 'token-1' });
    expect(seen.calls).toBe(2);
  });

  test('a rejection of a credential that was replaced meanwhile is ignored', async () => {
    const id = await newConnection();
    const { seen, obtain } = erp((call) => (call === 1 ? refusal(401) : 'token-2'), 0);
    const replaced: ObtainToken = async (apiLogin, signal) => {
      if (seen.calls === 0)
        await replaceApiLogin({ db: database.db, secrets: testSecrets }, testActor, {
          id,
          apiLogin: 'fresh-login',
        });
      return obtain(apiLogin, signal);
    };

    expect(await store(database.db).token(id, { obtain: replaced })).toMatchObject({
      token: 'token-2',
    });

    expect(seen.logins).toEqual(new Set([LOGIN, 'fresh-login']));
    expect(await notifications(id)).toEqual([]);
  });
});

test('an inactive owner receives no token, not even the stored one', async () => {
  const connection = await aConnection(database.db, LOGIN);
  const { seen, obtain } = erp(undefined, 0);
  const tokens = store(database.db);
  await tokens.token(connection.id, { obtain });
  const outcomes: string[] = [];
  for (const table of ['legal_entity', 'franchisee'])
    for (const isActive of [false, true]) {
      const id = table === 'franchisee' ? 'franchisee_id' : 'id';
      await database.db.query(
        `update ${table} set is_active = $2 where id = (select ${id} from legal_entity where id = $1)`,
        [connection.legalEntityId, isActive],
      );
      const outcome = tokens.token(connection.id, { obtain }).then(
        ({ token }) => token,
        ({ kind }: ErpFailure) => kind,
      );
      outcomes.push(await outcome);
    }
  expect(outcomes).toEqual(['OWNER_INACTIVE', 'token-1', 'OWNER_INACTIVE', 'token-1']);
  expect(seen.calls).toBe(1);
});

test('no column contains a credential or token in plain text', async () => {
  const id = await newConnection();
  const { seen, obtain } = erp(() => 'token-canary-53', 0);
  await store(database.db).token(id, { obtain });
  expect(seen.logins).toEqual(new Set([LOGIN]));
  expect((await tableNames(database.db)).length).toBeGreaterThan(40);
  for (const canary of [LOGIN, 'token-canary-53'])
    expect(await tablesWith(database.db, (text) => text.includes(canary))).toEqual([]);
});
