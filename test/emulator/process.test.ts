import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, test } from '@jest/globals';
import { startEmulator } from '../../packages/erp-emulator/server.ts';

const MAIN = fileURLToPath(new URL('../../packages/erp-emulator/main.ts', import.meta.url));

function start(environment: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [MAIN], {
    env: { ...process.env, NODE_OPTIONS: '', EMULATOR_PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
}

async function firstLine(child: ChildProcess, stream: 'stdout' | 'stderr'): Promise<string> {
  const output = child[stream];
  if (!output) throw new Error('no output');
  const [chunk] = (await once(output, 'data')) as [Buffer];
  return chunk.toString();
}

describe('the process of the emulator', () => {
  test.each([
    ['SIGTERM', (child: ChildProcess) => child.kill('SIGTERM')],
    ['SIGINT', (child: ChildProcess) => child.kill('SIGINT')],
    ['loss of its parent', (child: ChildProcess) => child.disconnect()],
  ])('prints one line and ends cleanly on %s', async (_, end) => {
    const child = start({});
    const line = await firstLine(child, 'stdout');
    end(child);
    const [code] = (await once(child, 'exit')) as [number];

    expect(line).toMatch(/^ERP emulator listening on http:\/\/127\.0\.0\.1:\d+\n$/);
    expect(code).toBe(0);
  });

  it('reports in one sentence that its port is in use', async () => {
    const other = await startEmulator({ size: 'small' });
    try {
      const child = start({ EMULATOR_PORT: String(other.port) });
      const [sentence, [code]] = await Promise.all([
        firstLine(child, 'stderr'),
        once(child, 'exit') as Promise<[number]>,
      ]);

      expect(sentence).toMatch(
        /^The ERP emulator cannot start: port \d+ on 127\.0\.0\.1 is in use\..*\n$/,
      );
      expect(code).toBe(1);
    } finally {
      await other.stop();
    }
  });

  it('serves two organizations with the small data set', async () => {
    const child = start({ EMULATOR_SIZE: 'small' });
    const [, url] = / (http:\S+)/.exec(await firstLine(child, 'stdout'))!;
    const state = (await (await fetch(`${url}/_control/state`)).json()) as {
      organizations: unknown[];
    };
    child.kill();

    expect(state.organizations).toHaveLength(2);
  });

  it('rejects an unknown size', async () => {
    const child = start({ EMULATOR_SIZE: 'huge' });
    const [sentence, [code]] = await Promise.all([
      firstLine(child, 'stderr'),
      once(child, 'exit') as Promise<[number]>,
    ]);

    expect(sentence).toBe(
      'The ERP emulator cannot start: EMULATOR_SIZE must be one of demo, small, not "huge".\n',
    );
    expect(code).toBe(1);
  });

  it('rejects an invalid port', async () => {
    const child = start({ EMULATOR_PORT: 'abc' });
    const [sentence, [code]] = await Promise.all([
      firstLine(child, 'stderr'),
      once(child, 'exit') as Promise<[number]>,
    ]);

    expect(sentence).toContain('EMULATOR_PORT must be a whole number');
    expect(code).toBe(1);
  });
});
