import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { resolveProgram } from '../../../packages/dev/programs/programs.ts';
import { buildConsole } from '../../../tools/built-site.ts';
import type { AdminClient } from '../../support/admin-client.ts';
import { startBrowser } from '../../support/browser.ts';
import { consolePage } from './console-page.ts';
import { startConsoleProduct } from './product.ts';

// `npm run carte -- console:screenshots` takes the pictures of the console in English and Russian,
// 1,280 px wide. Names, such as `zones`, select pictures.

const log = (line: string): void => void process.stderr.write(`${line}\n`);
const folder = new URL('../../../docs/images/', import.meta.url);
const fileOf = (name: string): string => fileURLToPath(new URL(`console-${name}.webp`, folder));

const chromium = await resolveProgram('chromium', { log, isMandatory: true });
if ('reasons' in chromium) throw new Error(`There is no Chromium: ${chromium.reasons.join('; ')}`);
await buildConsole(log);
log('Starting a product with its demo catalog…');
const { product, api, admin, stop } = await startConsoleProduct('demo');
try {
  const first = async (list: string, key: string) => {
    const { items } = await admin.get<{ items: Record<string, unknown>[] }>(list);
    return String(items[0]?.[key] as string | number);
  };
  const restaurant = await first('/organizations?size=1', 'id');
  const failed = await first('/orders?status=FAILED&size=1', 'orderId');
  const dish = await first('/products?status=PUBLISHED&size=1', 'id');
  const shrink = await first('/sync/runs?status=FAILED&job=MENU&size=1', 'id');
  const organizations = await admin.get<{ items: { id: number }[] }>('/organizations?size=5');
  await admin.post('/schedule-exceptions', {
    organizationIds: organizations.items.map(({ id }) => id),
    mode: 'APPLY',
    kind: 'SPECIAL_HOURS',
    date: `${new Date().getFullYear() + 1}-01-01`,
    windows: [{ opensAt: '12:00', closesAt: '20:00', crossesMidnight: false }],
  });
  const SCREENS: Readonly<Record<string, string>> = {
    now: '/',
    restaurants: '/restaurants',
    missing: `/missing?product=${dish}`,
    'import-held-back': `/sync/runs/${shrink}`,
    orders: '/orders',
    order: `/orders/${failed}`,
    gifts: '/gifts',
    'new-dishes': '/new-dishes',
    product: `/products/${dish}`,
    categories: '/categories',
    week: `/setup/${restaurant}?tab=week`,
    readiness: `/setup/${restaurant}?tab=readiness`,
    exceptions: '/exceptions',
    copy: `/setup/${restaurant}?tab=copy`,
    promocodes: '/offers?tab=promocodes',
    connections: '/connections',
    zones: await zonesPath(admin),
  };
  const names = process.argv.slice(2);
  const unknown = names.filter((name) => !Object.hasOwn(SCREENS, name));
  if (unknown.length > 0) throw new Error(`There is no picture ${unknown.join(', ')}.`);

  const browser = await startBrowser(chromium.path);
  try {
    const page = consolePage(browser, api.url, log);
    await page.open();
    await page.signIn(product.administrator.email, product.administrator.password);
    await mkdir(folder, { recursive: true });
    for (const language of ['en', 'ru'] as const) {
      await page.switchTo(language);
      for (const [name, path] of Object.entries(SCREENS)) {
        if (names.length > 0 && !names.includes(name)) continue;
        await page.show(path);
        await browser.until(
          'pictures and maps are loaded',
          `[...document.images].every((each) => each.complete) && document.querySelector('[data-ready=false]') === null`,
        );
        await browser.screenshot(fileOf(language === 'en' ? name : `${name}-ru`));
        log(`${fileOf(name)} is written (${language}).`);
      }
    }
  } finally {
    await browser.stop();
  }
} finally {
  await stop();
}

/** Path of the delivery terms at the center of a zone. */
async function zonesPath(staff: AdminClient): Promise<string> {
  type Zone = { geometry: { coordinates: [number, number][][] } | null };
  const { items } = await staff.get<{ items: Zone[] }>('/delivery-zones?size=200');
  const [outline] = items.find(({ geometry }) => geometry !== null)!.geometry!.coordinates;
  const middle = (axis: 0 | 1) =>
    outline!.reduce((sum, position) => sum + position[axis], 0) / outline!.length;
  return `/zones?${new URLSearchParams({ at: `${middle(1).toFixed(5)}, ${middle(0).toFixed(5)}` }).toString()}`;
}
