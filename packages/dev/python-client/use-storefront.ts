import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGuarded } from '../../../tools/guarded-process.ts';

export type UsedStorefront = {
  organization: string;
  products: number;
  variants: number;
  modifiers: number;
  /** Depth of the category tree. */
  categoryLevels: number;
  /** Name of the product that was read. */
  card: string;
  /** Problem `type` of a product that does not exist. */
  refusal: string;
  /** Null if no order was requested. Amounts are in rubles. */
  order: { status: string; lines: number; total: number; cartTotal: number } | null;
};

const here = import.meta.dirname;

/**
 * Generates a Python client, reads a menu and, with `order`, places a pickup order. `programs` is
 * the result of `toolFolder('openapi-python-client')`. Throws with Python's last output if the
 * generator omits something, or a value has another type.
 */
export async function useStorefrontWithPython(
  programs: string,
  url: string,
  { order }: { order: boolean },
): Promise<UsedStorefront> {
  const folder = await mkdtemp(join(tmpdir(), 'carte-python-client-'));
  try {
    await run(programs, 'openapi-python-client', folder, [
      'generate',
      `--url=${url}/api/v1/openapi.json`,
      `--config=${join(here, 'config.yaml')}`,
      `--output-path=${join(folder, 'storefront')}`,
      '--meta=none',
      '--fail-on-warning',
    ]);

    return JSON.parse(
      await run(programs, 'python', folder, [
        join(here, 'use_storefront.py'),
        url,
        ...(order ? ['--order'] : []),
      ]),
    ) as UsedStorefront;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the last line of a program's output. Throws with all lines if it fails. */
async function run(
  programs: string,
  program: string,
  folder: string,
  args: string[],
): Promise<string> {
  const lines: string[] = [];
  const child = await startGuarded({
    command: join(programs, program),
    args,
    cwd: folder,
    env: { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' },
    output: (line) => lines.push(line),
    stopSignal: 'KILL',
  });

  const { code } = await child.exited;
  if (code !== 0) throw new Error(`${program} failed:\n${lines.join('\n')}`);

  return lines.at(-1) ?? '';
}
