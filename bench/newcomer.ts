import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { resolveProgram } from '../packages/dev/programs/programs.ts';
import { startGuarded } from '../tools/guarded-process.ts';
import { freeLowPort } from '../tools/ports.ts';
import { startBrowser } from '../test/support/browser.ts';
import { eventually, root, startProcess } from '../test/support/processes.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';
import { report, type Row } from './support/report.ts';

// `npm run carte -- bench newcomer`: the way of a newcomer in an empty folder, as README and guide
// describe it: clone, `npm ci`, `npm start`, `create-vite`, the packed client, the page of the
// guide, the first menu with its pictures and the first order, in Chromium. Packages come from the
// registry.
const [MOST_MINUTES, MOST_LINES] = [10, 45];
const START_MS = 600_000;

const run = promisify(execFile);
const log = (line: string) => console.log(line);
const chromium = await resolveProgram('chromium', { log });
if ('reasons' in chromium) throw new Error(`There is no Chromium: ${chromium.reasons.join('; ')}`);

const guide = await readFile(join(root, 'docs/guides/storefront.md'), 'utf8');
const [, page = ''] = /^```tsx\n([\s\S]*?)^```$/m.exec(guide) ?? [];
/** Brackets alone and comments are not counted. */
const isCode = (line: string) => /[A-Za-z]/.test(line) && !/^\s*(\/\/|\/\*\*|\*)/.test(line);
const lines = page.split('\n').filter(isCode).length;

const folder = await temporaryFolder('newcomer');
const steps: [what: string, seconds: number][] = [];
async function step<T>(what: string, work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  const result = await work();
  steps.push([what, (performance.now() - begun) / 1_000]);
  log(`${what}: ${steps.at(-1)![1].toFixed(1)} s`);
  return result;
}
const stops: (() => Promise<unknown>)[] = [];
try {
  const [carte, shop] = [join(folder, 'carte'), join(folder, 'shop')];
  const [port, opsPort, shopPort] = [await freeLowPort(), await freeLowPort(), await freeLowPort()];
  const { TEMPORAL_ADDRESS: _t, DATABASE_URL: _d, ERP_URL: _e, ...host } = process.env;
  const env = {
    ...host,
    CARTE_DATA_DIR: join(folder, 'data'),
    PORT: String(port),
    OPS_PORT: String(opsPort),
    NODE_OPTIONS: '',
  };
  const npm = (cwd: string, ...args: string[]) => run('npm', args, { cwd, env, maxBuffer: 64 * 2 ** 20 });

  await step('git clone', () => run('git', ['clone', '-q', root, carte]));
  await step('npm ci', () => npm(carte, 'ci'));
  const product = startProcess('npm start', 'npm', ['start', '--prefix', carte], env);
  stops.push(() => product.stop());
  await step('npm start, until it is ready', () =>
    eventually('the start', async () => (product.output().includes('Carte is ready.') ? true : undefined), START_MS),
  );
  await step('create-vite and its packages', async () => {
    await npm(folder, 'create', '--yes', 'vite@latest', 'shop', '--', '--template', 'react-ts', '--no-interactive');
    await npm(shop, 'install');
  });
  await step('the packed client', async () => {
    await npm(carte, 'pack', '-w', '@carte/client', '--pack-destination', folder);
    await npm(shop, 'install', join(folder, 'carte-client-0.1.0.tgz'));
  });
  await writeFile(join(shop, 'src/App.tsx'), page.replace('http://127.0.0.1:8080', `http://127.0.0.1:${port}`));
  const browser = await step('the first menu with its pictures', async () => {
    const vite = await startGuarded({
      command: 'npx',
      args: ['vite', '--host', '127.0.0.1', '--strictPort', '--port', String(shopPort)],
      cwd: shop,
      env,
      stopSignal: 'KILL',
      output: () => undefined,
    });
    stops.push(() => vite.stop());
    const browser = await startBrowser(chromium.path);
    stops.push(() => browser.stop());
    const url = `http://127.0.0.1:${shopPort}/`;
    await eventually('the page is served', async () => ((await fetch(url).catch(() => null))?.ok ? true : undefined));
    await browser.open(url);
    const pictures = `[...document.querySelectorAll('button img')].slice(0, 4)`;
    await browser.until(
      'the first pictures are shown',
      `${pictures}.length > 3 && ${pictures}.every((each) => each.naturalWidth > 0)`,
    );
    return browser;
  });
  await step('the first order', async () => {
    const read = async <T>(path: string) => (await (await fetch(`http://127.0.0.1:${port}/api/v1${path}`)).json()) as T;
    type Restaurant = { id: string; pickup: { accepting: boolean } };
    const [open] = (await read<{ items: Restaurant[] }>('/organizations')).items.filter(
      ({ pickup }) => pickup.accepting,
    );
    type Dish = { variants: { available: boolean; modifierGroupIds: string[] }[] };
    const { products } = await read<{ products: Dish[] }>(`/menu?organization_id=${open!.id}`);
    // A dish that needs no choice.
    const at = products.findIndex(({ variants: [first] }) => first!.available && first!.modifierGroupIds.length === 0);
    await browser.run(`document.querySelectorAll('button')[${at}].click()`);
    await browser.until('the order has a number', `/^\\d+$/.test(document.querySelector('p').textContent)`);
  });
  const minutes = steps.reduce((sum, [, seconds]) => sum + seconds, 0) / 60;
  const row = (what: string, measured: string, bar: string, reached: boolean): Row => ({
    what,
    measured,
    yardstick: '',
    ratio: null,
    bar,
    reached,
  });
  await report(
    'newcomer',
    [
      ...steps.map(([what, seconds]) => row(what, `${seconds.toFixed(1)} s`, '–', true)),
      row('all', `${minutes.toFixed(1)} min`, `≤ ${MOST_MINUTES} min`, minutes <= MOST_MINUTES),
      row('lines of own code', String(lines), `≤ ${MOST_LINES}`, lines <= MOST_LINES),
    ],
    {},
  );
} finally {
  for (const stop of stops.toReversed()) await stop();
  await rm(folder, { recursive: true, force: true });
}
