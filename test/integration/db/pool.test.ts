import { describe, expect, test } from '@jest/globals';
import { from as copyFrom } from 'pg-copy-streams';
import { problemOfError } from '../../../api/http/problems/error-problem.ts';
import { openDatabase, type Sql } from '../../support/text-database.ts';
import { openOwnDatabase } from '../../../modules/own-database.ts';
import { watchSilence } from '../../../platform/db/kept-connection.ts';
import { advisory } from '../../../platform/db/locks.ts';
import { createLog } from '../../../platform/log.ts';
import { describeStartFailure } from '../../../platform/start-failure.ts';
import { silentProxyTo, startSilentProxy } from '../../support/chaos/silent-proxy.ts';
import { eventually } from '../../support/processes.ts';
import { testDatabase } from '../../support/postgres.ts';

const log = createLog({ service: 'test', level: 'silent' });

test('an exhausted pool is reported as unavailable instead of waiting permanently', async () => {
  const { url, drop } = await testDatabase();
  const db = await openDatabase({ url, poolSize: 1, connectTimeoutMs: 3_000 });
  try {
    await db.transaction(async () => {
      const failures = await Promise.all(
        [
          db.query('select 1'),
          db.transaction((tx) => tx.query('select 1')),
          db.transaction(async () => []),
        ].map((entry) => entry.catch((error: unknown) => error)),
      );
      expect(failures.map((failure) => problemOfError(failure).problem.kind)).toEqual(
        Array(3).fill('unavailable'),
      );
    });
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
  } finally {
    await db.close();
    await drop();
  }
});

test('a connection lost during a transaction frees its slot in the pool', async () => {
  const { url, drop } = await testDatabase();
  const direct = await openDatabase({ url, poolSize: 1 });
  const db = await openDatabase({ url, poolSize: 1, connectTimeoutMs: 5_000 });
  try {
    for (const before of ['begun', 'committed', 'copied'] as const) {
      const lose = async (one: Pick<Sql, 'query'>) => {
        const [{ pid }] = (await one.query<{ pid: number }>('select pg_backend_pid() as pid')) as [
          { pid: number },
        ];
        await direct.query('select pg_terminate_backend($1)', [pid]);
        if (before === 'begun') await one.query('select 1');
      };
      const lost =
        before === 'copied'
          ? db.copyTransaction((client) =>
              lose({ query: async (text) => (await client.query(text)).rows }),
            )
          : db.transaction(lose);
      expect(problemOfError(await lost.catch((error: unknown) => error)).problem.kind).toBe(
        'unavailable',
      );
    }
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
  } finally {
    await db.close();
    await direct.close();
    await drop();
  }
});

test('a server behind a network that drops everything is given up, and our locks are released', async () => {
  const { url, drop } = await testDatabase();
  const { proxy, throughProxy } = await silentProxyTo(url);
  const direct = await openDatabase({ url, poolSize: 1 });
  const db = await openDatabase({
    url: throughProxy,
    poolSize: 2,
    connectTimeoutMs: 3_000,
    statementTimeoutMs: 300,
    graceMs: 200,
  });
  try {
    await direct.execute('create table seat (id int primary key)');
    await direct.execute('insert into seat values (1)');
    const lost = await db
      .transaction(async (tx) => {
        await tx.query('select id from seat for update');
        const cut = proxy.cut(50);
        const pooled = db.answers().catch((error: unknown) => error);
        await cut;
        return [await pooled, await tx.query('select 1').catch((error: unknown) => error)];
      })
      .catch((error: unknown) => [error]);
    const [seat] = await direct.transaction((tx) => tx.query('select id from seat for update'));

    for (const entry of lost) expect(problemOfError(entry).problem.kind).toBe('unavailable');
    expect(seat).toEqual({ id: 1 });
    expect(await db.answers()).toBe(true);
  } finally {
    await db.close();
    await direct.close();
    await proxy.close();
    await drop();
  }
});

test('[OPS-27] idle connections close with a lost one, so the next statement opens a new path', async () => {
  const { url, drop } = await testDatabase();
  const { proxy, throughProxy } = await silentProxyTo(url);
  const db = await openDatabase({
    url: throughProxy,
    poolSize: 4,
    statementTimeoutMs: 300,
    graceMs: 200,
  });
  try {
    await Promise.all(Array.from({ length: 4 }, () => db.query('select pg_sleep(0.1)')));
    expect(db.pool.idleCount).toBe(4);
    await proxy.cut(50);
    const ask = () =>
      db.query('select 1 as one').catch((error: unknown) => problemOfError(error).problem.kind);

    expect([await ask(), await ask()]).toEqual(['unavailable', [{ one: 1 }]]);
    expect(proxy.counts.connectionsLost).toBe(4);
  } finally {
    await db.close();
    await proxy.close();
    await drop();
  }
});

test('[OPS-26] a longer limit of a statement applies only within its transaction', async () => {
  const { url, drop } = await testDatabase();
  const db = await openDatabase({ url, poolSize: 1, statementTimeoutMs: 300, graceMs: 200 });
  const slow = 'select 1 as one from pg_sleep(1.2)';
  try {
    const allowed = await db.transaction(async (tx) => {
      await tx.query(`set local statement_timeout = '10s'`);
      return tx.query(slow);
    });
    const afterwards = await db.query(slow).catch((error: { code?: string }) => error.code);
    await db.query('set statement_timeout = 0');
    const unlimited = await db.query(slow);

    // 57014: the server ended the statement in time.
    expect([allowed, afterwards, unlimited]).toEqual([[{ one: 1 }], '57014', [{ one: 1 }]]);
  } finally {
    await db.close();
    await drop();
  }
});

describe('[OPS-37] a host that disappears', () => {
  test('loses its connection at the server', async () => {
    const { url, drop } = await testDatabase();
    const db = await openDatabase({ url, poolSize: 1 });
    try {
      const settings = await db.query<{ name: string; setting: string }>(
        `select name, setting from pg_settings where name like 'tcp%' or name = 'client_connection_check_interval' order by name`,
      );
      expect(
        Object.fromEntries(settings.map(({ name, setting }) => [name, Number(setting)])),
      ).toEqual({
        client_connection_check_interval: 5_000,
        tcp_keepalives_count: 3,
        tcp_keepalives_idle: 30,
        tcp_keepalives_interval: 10,
        tcp_user_timeout: 60_000,
      });
    } finally {
      await db.close();
      await drop();
    }
  });

  test('keeps no locks while its statement continues', async () => {
    const { url, drop } = await testDatabase();
    const direct = await openDatabase({ url, poolSize: 1, statementTimeoutMs: 40_000 });
    const host = await openDatabase({ url, poolSize: 1 });
    const inside = Promise.withResolvers<void>();
    const lost = host
      .transaction(async (tx) => {
        await tx.query(`set local statement_timeout = '170s'`);
        await advisory.connectionImports(tx, 1);
        inside.resolve();
        await tx.query('select pg_sleep(160)');
      })
      .catch((error: unknown) => error);
    try {
      await inside.promise;
      host.abandon();
      // It would end after 40 s, long before the statement of the lost program.
      await direct.transaction((tx) => advisory.connectionImports(tx, 1));

      expect(problemOfError(await lost).problem.kind).toBe('unavailable');
    } finally {
      await host.close();
      await direct.close();
      await drop();
    }
  }, 60_000);

  test.each(['between two statements', 'in the middle of one', 'in the middle of copying'])(
    'becomes silent %s and blocks no ERP connection longer than a statement',
    async (where) => {
      const { url, drop } = await testDatabase();
      const { proxy, throughProxy } = await silentProxyTo(url);
      const direct = await openDatabase({ url, poolSize: 1 });
      const host = await openDatabase({
        url: throughProxy,
        poolSize: 1,
        statementTimeoutMs: 500,
        graceMs: 200,
      });
      const lost = host
        .copyTransaction(async (client) => {
          await client.query('create temporary table staged (id int) on commit drop');
          await client.query(
            `select pg_advisory_xact_lock(hashtextextended('mirror/connection/1', 0))`,
          );
          if (where === 'in the middle of copying') {
            const copying = client.query(copyFrom('copy staged from stdin'));
            copying.write('1\n');
            await proxy.cut(50);
            await new Promise<never>((_, reject) => copying.on('error', reject));
          }
          const answer =
            where === 'in the middle of one' ? client.query('select pg_sleep(0.3)') : null;
          await proxy.cut(50);
          await (answer ?? client.query('select 1'));
        })
        .catch((error: unknown) => error);
      try {
        await eventually('the way is silent', async () =>
          proxy.counts.cuts > 0 ? true : undefined,
        );
        await direct.transaction((tx) => advisory.connectionImports(tx, 1));
        expect(problemOfError(await lost).problem.kind).toBe('unavailable');
      } finally {
        await host.close();
        await direct.close();
        await proxy.close();
        await drop();
      }
    },
  );
});

test('[OPS-36] a process without listeners aborts an import on a silent network early', async () => {
  const { url, drop } = await testDatabase();
  const { proxy, throughProxy } = await silentProxyTo(url);
  const db = await openDatabase({ url: throughProxy, poolSize: 2 });
  const watch = watchSilence({ db, log, silence: { askMs: 50, giveUpMs: 100 } });
  const lost = db
    .transaction(async (tx) => {
      await tx.query(`set local statement_timeout = '170s'`);
      await proxy.cut(50);
      await tx.query('select 1');
    })
    .catch((error: unknown) => error);
  try {
    expect(problemOfError(await lost).problem.kind).toBe('unavailable');
    expect(
      await eventually('the database answers again', () => db.query('select 1 as one')),
    ).toEqual([{ one: 1 }]);
  } finally {
    await watch.stop();
    await db.close();
    await proxy.close();
    await drop();
  }
}, 30_000);

test('a start without an answer of the database reports the cause in one sentence', async () => {
  const { url, drop } = await testDatabase();
  const { proxy, throughProxy } = await silentProxyTo(url);
  const nowhere = await startSilentProxy();
  const beside = Object.assign(new URL(url), { host: `127.0.0.1:${nowhere.port}` }).href;
  const reason = (there: string) =>
    openOwnDatabase({ url: there, connectTimeoutMs: 200 }).catch((error: unknown) =>
      describeStartFailure(error),
    );
  try {
    const silence = proxy.cut(1_000);
    expect(await reason(throughProxy)).toMatch(
      /^The database "\w+" at \S+ does not answer in time; check DATABASE_URL\.$/,
    );
    expect(await reason(beside)).toMatch(/ has ended the connection; check DATABASE_URL\.$/);
    await silence;
  } finally {
    await proxy.close();
    await nowhere.close();
    await drop();
  }
});
