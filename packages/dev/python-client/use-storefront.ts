import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGuarded } from '../../../tools/guarded-process.ts';

/** The data that a Python storefront has read of the first organization, and its order. */
export type UsedStorefront = {
  organization: string;
  products: number;
  variants: number;
  modifiers: number;
  /** Levels of the tree of categories. */
  categoryLevels: number;
  /** Name of the product whose card was read. */
  card: string;
  /** `type` of the problem that a product answers that does not exist. */
  refusal: string;
  /**
   * The order as it was read after it was placed; null if none was requested. Totals in roubles.
   */
  order: { status: string; lines: number; total: number; cartTotal: number } | null;
};

const here = import.meta.dirname;

/**
 * Generates a Python client from the description that the API at `url` serves, reads a menu through
 * it and, with `order`, places an order for pickup. `programs` is the answer of
 * `toolFolder('openapi-python-client')`. Throws with the last words of Python when the generator
 * leaves an operation or a schema out, or when something is not read as a value of its named type.
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
      await run(programs, 'python', folder, [join(here, 'use_storefront.py'), url, ...(order ? ['--order'] : [])]),
    ) as UsedStorefront;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The last line that a program writes. Throws with all of them when it fails. */
async function run(programs: string, program: string, folder: string, args: string[]): Promise<string> {
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
