import { randomUUID } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import {
  announceProcess,
  polledVersions,
  requireKnownKey,
} from '../../../kernel/running-process.ts';
import { createLog } from '../../../platform/log.ts';
import { createSecretBox } from '../../../platform/secrets.ts';
import { aConnection } from '../../support/connection.ts';
import { migratedDatabase } from '../../support/database.ts';
import { startLoneApi } from '../../support/lone-api.ts';
import { eventually, untilReady, type Started } from '../../support/processes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { addRow, ago, deleteRows, selectRow, selectRows } from '../../support/rows.ts';
import { longTest } from '../../support/repetitions.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let folder: string;
const running: Started[] = [];
beforeAll(async () => {
  database = await migratedDatabase();
  folder = await temporaryFolder('running-processes');
});
afterEach(async () => {
  for (const entry of running.splice(0)) await entry.kill();
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

const log = createLog({ service: 'test', level: 'silent' });
const key = (id: string, fill = 7) => ({ id, key: Buffer.alloc(32, fill) });
/** `test@row` is the key of `aConnection`. */
const buildKeys = (...ids: string[]) =>
  ids
    .map((id) => `${id}:${Buffer.alloc(32, id === 'test@row' ? 7 : 8).toString('base64')}`)
    .join(',');
const processes = () =>
  selectRows(database.db, 'running_process', ['name', 'keyIds'], {}, { orderBy: 'startedAt' });

async function startApi(keys: string): Promise<Started> {
  const { api, opsPort } = await startLoneApi(
    { databaseUrl: database.url, folder },
    { ENCRYPTION_KEYS: keys },
  );
  running.push(api);
  await untilReady(api, opsPort);
  return api;
}

async function command(
  name: 'secrets-rotate' | 'keys-rotate',
  keys: string,
): Promise<{ code: number; output: string }> {
  const program = new URL(`../../../tools/${name}.ts`, import.meta.url).pathname;
  const env = { PATH: process.env['PATH'], DATABASE_URL: database.url, ENCRYPTION_KEYS: keys };
  const child = spawn(process.execPath, [program], { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}

longTest(
  '[OPS-60] keys are rotated only when every running process has the first one',
  async () => {
    await aConnection(database.db, 'login');
    const usedKeys = () =>
      database.db.query(
        `select distinct split_part(api_login_encrypted, '.', 1) as key from connection`,
      );
    const [first, second] = [
      await startApi(buildKeys('test@row', 'next@row')),
      await startApi(buildKeys('test@row')),
    ];

    const refused = await command('secrets-rotate', buildKeys('next@row', 'test@row'));
    const tokens = await command('keys-rotate', buildKeys('next@row', 'test@row'));
    const kept = await usedKeys();
    expect(await second.stop()).toBe(0);
    const third = await startApi(buildKeys('test@row', 'next@row'));
    const done = await command('secrets-rotate', buildKeys('next@row', 'test@row'));

    for (const { code, output } of [refused, tokens]) {
      expect(code).toBe(1);
      expect(output).toMatch(
        /^Nothing was changed: these processes run without the key "next@row" in ENCRYPTION_KEYS .*: api@\S+#\d+\./,
      );
      expect(output).toContain(`#${second.child.pid}.`);
      expect(output).not.toContain(`#${first.child.pid}`);
    }
    expect(kept).toEqual([{ key: 'test@row' }]);
    expect(done).toMatchObject({
      code: 0,
      output: expect.stringContaining('"table":"connection","rotated":1'),
    });
    expect(await usedKeys()).toEqual([{ key: 'next@row' }]);
    expect((await processes()).map(({ keyIds }) => keyIds)).toEqual([
      ['test@row', 'next@row'],
      ['test@row', 'next@row'],
    ]);
    for (const entry of [first, third]) expect(await entry.stop()).toBe(0);
    expect(await processes()).toEqual([]);
  },
);

test('[OPS-60] a running process renews its record, also a lost one, which expires after two minutes', async () => {
  const secrets = createSecretBox([key('mine')]);
  const announced = await announceProcess({ db: database.db, secrets, log }, 'api@host#1', {
    beatMs: 5,
  });
  const wanted = createSecretBox([key('other')]);
  await expect(requireKnownKey(database.db, wanted)).rejects.toThrow('api@host#1');

  const seenAt = async () =>
    (await selectRow(database.db, 'running_process', ['seenAt as at'])).at.getTime();
  const first = await seenAt();
  await eventually('it is seen again', async () => ((await seenAt()) > first ? true : undefined));
  await deleteRows(database.db, 'running_process');
  await eventually('it is noted again', async () =>
    (await processes()).length === 1 ? true : undefined,
  );
  await announced.stop();
  expect(await processes()).toEqual([]);

  await addRow(database.db, 'running_process', {
    id: randomUUID(),
    name: 'killed',
    keyIds: ['mine'],
    seenAt: ago('121 seconds'),
  });
  await expect(requireKnownKey(database.db, wanted)).resolves.toBeUndefined();
});

test.each([
  ['mine', ['the first key of ENCRYPTION_KEYS does not bind']],
  ['mine@row', []],
])('[OPS-60] a process with the first key %s reports %j', async (id, told) => {
  const lines: string[] = [];
  const listening = createLog({
    service: 'test',
    level: 'warn',
    destination: { write: (line) => void lines.push(line) },
  });
  const secrets = createSecretBox([key(id)]);
  const announced = await announceProcess(
    { db: database.db, secrets, log: listening },
    'api@host#2',
  );
  await announced.stop();

  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(
    told.map((text) => expect.stringContaining(text)),
  );
});

test('[OPS-183] a worker that has been silent for 35 s polls for no version', async () => {
  await deleteRows(database.db, 'running_process');
  const worker = (name: string, polled: string[] | null, seconds: number) =>
    addRow(database.db, 'running_process', {
      id: randomUUID(),
      name,
      keyIds: ['mine'],
      polledVersions: polled,
      seenAt: ago(`${seconds} seconds`),
    });
  await worker('worker-sync@host#1', ['carte-workflows:new'], 30);
  await worker('worker-build@host#2', ['carte-build:old'], 36);
  await worker('worker-import@host#3', [], 0);
  await worker('api@host#4', null, 0);
  expect([...(await polledVersions(database.db))]).toEqual(['carte-workflows:new']);

  await worker('worker-order@host#5', null, 0);
  expect(await polledVersions(database.db)).toEqual(new Set(['carte-workflows:new', null]));
  await deleteRows(database.db, 'running_process');
});
