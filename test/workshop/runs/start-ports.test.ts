import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { freeLowPort, LOWEST_PORT } from '../../../tools/ports.ts';
import { portAsked } from '../../../tools/start/environment.ts';
import { createPorts } from '../../../tools/start/ports.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder: string;
let usual: number;
const servers: Server[] = [];
beforeEach(async () => {
  folder = await temporaryFolder('ports');
  usual = await freeLowPort();
});
afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
  await rm(folder, { recursive: true });
});

async function listen(port: number): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
}

/** The port reservation of another start: of this test's parent, or of an ended process. */
const writeNote = (pid: number) => writeFile(join(folder, `${usual}.${pid}`), '');
const endedPid = () => spawnSync(process.execPath, ['--version']).pid;

test('a start without a request uses the default port, or another one if that is in use', async () => {
  const ports = createPorts(folder);
  expect(await ports.choose({ program: 'It', usual })).toBe(usual);
  await ports.release();

  await listen(usual);
  const other = await createPorts(folder).choose({ program: 'It', usual });
  expect(other).not.toBe(usual);
  // Higher ports may be used for outgoing connections before the server listens.
  expect(other).toBeLessThan(32_768);
});

test('a start without a request uses another port if another start has reserved the default one', async () => {
  await writeNote(process.ppid);

  expect(await createPorts(folder).choose({ program: 'It', usual })).not.toBe(usual);
});

test('a start that was killed releases its port', async () => {
  await writeNote(endedPid());

  const ports = createPorts(folder);

  expect(await ports.choose({ program: 'It', usual })).toBe(usual);
  expect(await readdir(folder)).toEqual([`${usual}.${process.pid}`]);
  await ports.release();
  expect(await readdir(folder)).toEqual([]);
});

test('a requested port is used, or rejected with its variable', async () => {
  const asked = await freeLowPort();
  await writeNote(process.ppid);
  const ports = createPorts(folder);
  const wish = { program: 'The API', variable: 'PORT', usual };
  expect(await ports.choose({ ...wish, asked })).toBe(asked);
  expect(await ports.choose({ ...wish, asked: usual })).toBe(usual);

  await listen(asked);
  await expect(ports.choose({ ...wish, asked })).rejects.toThrow(
    `The API cannot start because port ${asked} on 127.0.0.1 is in use; stop the program that has it or set PORT to another port.`,
  );
});

test('EMULATOR_PORT requests a port, and must be valid', () => {
  expect(portAsked({}, 'EMULATOR_PORT')).toBeUndefined();
  expect(portAsked({ EMULATOR_PORT: '8181' }, 'EMULATOR_PORT')).toBe(8181);
  expect(() => portAsked({ EMULATOR_PORT: '65536' }, 'EMULATOR_PORT')).toThrow(
    'EMULATOR_PORT must be a port, not "65536".',
  );
  expect(() => portAsked({ EMULATOR_CUSTOMERS_PORT: 'many' }, 'EMULATOR_CUSTOMERS_PORT')).toThrow(
    'EMULATOR_CUSTOMERS_PORT',
  );
});

test('a port that was not requested is allowed in browsers', async () => {
  const isRefused = (port: number) =>
    fetch(`http://127.0.0.1:${port}`).then(
      () => false,
      (error: Error) => (error.cause as Error).message === 'bad port',
    );

  expect(await isRefused(10_080)).toBe(true);
  expect(await isRefused(LOWEST_PORT)).toBe(false);
  expect(LOWEST_PORT).toBeGreaterThan(10_080);
});
