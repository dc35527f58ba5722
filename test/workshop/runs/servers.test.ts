import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTE_NAMES } from '../../../platform/pure/search-attributes.ts';
import { StartFailure } from '../../../platform/start-failure.ts';
import { isAlive } from '../../../tools/lock.ts';
import { startPostgres, withClient } from '../../../tools/postgres.ts';
import type { Postgres, PostgresOptions } from '../../../tools/postgres.ts';
import { resolveTemporal } from '../../../tools/temporal-binary.ts';
import { startTemporal } from '../../../tools/temporal-server.ts';
import { freeLowPort } from '../../../tools/ports.ts';
import { waitUntil, writeProgram } from '../../support/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const log = (): void => undefined;
/** One data folder for all tests: creating a cluster takes longer than starting a server. */
let folder: string;
const started: { stop: () => Promise<void> }[] = [];

beforeAll(async () => {
  folder = await temporaryFolder('servers');
});
afterEach(async () => {
  await Promise.all(started.splice(0).map(async (server) => server.stop()));
});
afterAll(async () => rm(folder, { recursive: true }));

async function postgres(options: Partial<PostgresOptions> = {}): Promise<Postgres> {
  const server = await startPostgres({
    dataDir: join(folder, 'postgres'),
    durable: false,
    log,
    ...options,
  });
  started.push(server);
  return server;
}

/** A TCP server that occupies its port. */
const squatter = createServer().listen(0, '127.0.0.1');
await once(squatter, 'listening');
const takenPort = (squatter.address() as AddressInfo).port;
afterAll(() => void squatter.close());

async function awaitSentence(work: Promise<unknown>): Promise<string> {
  const failure = await work.catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StartFailure);
  const { message } = failure as StartFailure;
  expect(message).not.toContain('\n');
  return message;
}

test('a second start of PostgreSQL continues with the data and the password of the first', async () => {
  const first = await postgres();
  const url = await first.createDatabase('carte');
  expect(await first.createDatabase('carte')).toBe(url);
  await withClient(url, async (client) => client.query('create table kept as select 42 as answer'));
  await first.stop();
  expect(isAlive(first.pid)).toBe(false);

  const second = await postgres();
  const again = await second.createDatabase('carte');
  expect(new URL(again).password).toBe(new URL(url).password);
  const { rows } = await withClient(again, async (client) =>
    client.query('select answer from kept'),
  );
  expect(rows).toEqual([{ answer: 42 }]);
});

test('PostgreSQL keeps its password to itself and listens on the loopback interface only', async () => {
  const server = await postgres();
  const file = join(folder, 'postgres', 'password');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const { rows } = await withClient(server.url, async (client) =>
    client.query(
      `select current_setting('listen_addresses') as listen, current_setting('fsync') as fsync`,
    ),
  );
  expect(rows).toEqual([{ listen: '127.0.0.1', fsync: 'off' }]);
  const stranger = new URL(server.url);
  stranger.password = 'guess';
  await expect(withClient(stranger.href, async () => undefined)).rejects.toThrow(
    'password authentication failed',
  );
});

test('PostgreSQL starts durable by default', async () => {
  const server = await postgres({ durable: true });
  const { rows } = await withClient(server.url, async (client) =>
    client.query(
      `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit`,
    ),
  );
  expect(rows).toEqual([{ fsync: 'on', commit: 'on' }]);
});

test('a port in use is reported in one sentence for PostgreSQL, Temporal and its user interface', async () => {
  expect(await awaitSentence(postgres({ port: takenPort }))).toContain(`port ${takenPort}`);
  const binary = '/bin/false';
  expect(await awaitSentence(startTemporal({ binary, port: takenPort, log }))).toContain(
    `port ${takenPort}`,
  );
  expect(await awaitSentence(startTemporal({ binary, uiPort: takenPort, log }))).toContain(
    'user interface',
  );
});

test('a second PostgreSQL on the same data is rejected with the process that uses it', async () => {
  const { pid } = await postgres();
  expect(await awaitSentence(postgres({ formerServerPatienceMs: 300 }))).toContain(
    `process ${pid}`,
  );
});

test('a process id file left by a crash is ignored, even if another program has that id', async () => {
  const first = await postgres();
  const pidFile = join(folder, 'postgres', 'cluster', 'postmaster.pid');
  const left = await readFile(pidFile, 'utf8');
  await first.stop();
  await writeFile(pidFile, left.replace(String(first.pid), String(process.pid)));
  expect((await postgres()).pid).not.toBe(first.pid);
});

test('PostgreSQL killed with SIGKILL starts again', async () => {
  const first = await postgres();
  process.kill(first.pid, 'SIGKILL');
  expect(await first.exited).toMatchObject({ signal: 'SIGKILL' });
  await postgres();
});

test('a program that is not Temporal is reported in one sentence', async () => {
  expect(await awaitSentence(startTemporal({ binary: '/bin/false', log }))).toContain(
    'Temporal ended during its start',
  );
});

test('a Temporal that ends during its first start is started again, unless its port was requested', async () => {
  const found = await resolveTemporal({ log, env: { ...process.env, TEMPORAL_ADDRESS: '' } });
  if (found.kind !== 'binary') throw new Error('without TEMPORAL_ADDRESS a binary is resolved');
  const [binary, mark] = [join(folder, 'unlucky-temporal'), join(folder, 'had-bad-luck')];
  const unlucky = async () => {
    await rm(mark, { force: true });
    await writeProgram(
      binary,
      `[ -e '${mark}' ] || { : > '${mark}'; exit 1; }\nexec '${found.path}' "$@"`,
    );
  };
  await unlucky();
  const server = await startTemporal({ binary, log });
  started.push(server);
  await unlucky();

  expect(isAlive(server.pid)).toBe(true);
  const port = await freeLowPort();
  expect(await awaitSentence(startTemporal({ binary, port, log }))).toContain(
    'Temporal ended during its start',
  );
});

test('Temporal has the search attributes and keeps its state over a restart', async () => {
  const found = await resolveTemporal({ log, env: { ...process.env, TEMPORAL_ADDRESS: '' } });
  if (found.kind !== 'binary') throw new Error('a binary was expected');
  const options = { binary: found.path, dataDir: join(folder, 'temporal'), log };
  const start = async () => {
    const server = await startTemporal(options);
    started.push(server);
    return server;
  };
  const first = await start();
  const connection = await Connection.connect({ address: first.address });
  const { customAttributes } = await connection.operatorService.listSearchAttributes({
    namespace: first.namespace,
  });
  expect(Object.keys(customAttributes)).toEqual(
    expect.arrayContaining([...SEARCH_ATTRIBUTE_NAMES]),
  );
  await connection.workflowService.startWorkflowExecution({
    namespace: first.namespace,
    workflowId: 'kept',
    workflowType: { name: 'nobody' },
    taskQueue: { name: 'nobody' },
    requestId: 'kept',
  });
  await connection.close();
  // Bytes 18 and 19 of an SQLite file: 2 means write-ahead logging, so that a transaction waits for
  // the disk at most once.
  const header = (await readFile(join(folder, 'temporal', 'temporal.db'))).subarray(18, 20);
  expect([...header]).toEqual([2, 2]);
  await first.stop();

  const second = await start();
  const later = await Connection.connect({ address: second.address });
  const { workflowExecutionInfo } = await later.workflowService.describeWorkflowExecution({
    namespace: second.namespace,
    execution: { workflowId: 'kept' },
  });
  expect(workflowExecutionInfo?.type?.name).toBe('nobody');
  await later.close();
});

test('servers end within seconds when the process that started them is killed', async () => {
  const script = fileURLToPath(new URL('fixtures/hold-servers.ts', import.meta.url));
  const holder = spawn(process.execPath, [script, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(holder.stdout, 'data');
  const pids: number[] = JSON.parse(String(line));
  expect(pids.map(isAlive)).toEqual([true, true]);
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  await waitUntil('the servers are gone', () => !pids.some(isAlive), 30_000);
});
