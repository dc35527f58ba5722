import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { resolveProgram } from '../../../packages/dev/programs/programs.ts';
import { startCustomerProvider } from '../../../packages/erp-emulator/customers/provider.ts';
import { GUEST_PHONE } from '../../../packages/demo/seed/catalog.ts';
import { startBrowser } from '../../support/browser.ts';
import { startDemoProduct } from '../../support/product.ts';
import { buildStorefront } from '../../../tools/built-site.ts';

// `npm run carte -- shop:screenshot` takes the pictures of the example storefront, 1,280 and 390 px
// wide.

const fileOf = (name: string): string =>
  fileURLToPath(new URL(`../../../docs/images/${name}.webp`, import.meta.url));
const log = (line: string): void => void process.stderr.write(`${line}\n`);

const chromium = await resolveProgram('chromium', { log, isMandatory: true });
if ('reasons' in chromium) throw new Error(`There is no Chromium: ${chromium.reasons.join('; ')}`);
await buildStorefront(log);
log('Starting a product with its demo catalog…');
const customers = await startCustomerProvider({ host: '127.0.0.1', port: 0, audience: 'carte' });
const demo = await startDemoProduct({
  size: 'demo',
  pictures: {},
  env: { DEMO_SHOP: 'on', CUSTOMER_ISSUER: customers.issuer, CUSTOMER_AUDIENCE: 'carte' },
});
try {
  const browser = await startBrowser(chromium.path);
  try {
    await browser.open(`${demo.api.url}/?lang=ru&restaurant=${demo.organizationId}`);
    const simple = `[...document.querySelectorAll('.card button[data-simple]:not(:disabled)')]`;
    await browser.until('the menu is shown', `${simple}.length > 1`);
    await browser.run(`document.querySelector('#account button').click()`);
    await browser.until('the provider', `document.querySelector('#phone') !== null`);
    await browser.run(`document.querySelector('#phone').focus()`);
    await browser.type(GUEST_PHONE);
    await browser.press('Enter');
    await browser.until('the menu is shown again', `${simple}.length > 1`);
    for (const at of [0, 1]) {
      await browser.run(`${simple}[${at}].click()`);
      await browser.until(
        'the dish is in the cart',
        `document.querySelectorAll('#cart > ul > li').length > ${at}`,
      );
    }
    await browser.until(
      'the gift is shown',
      `document.querySelector('#gifts img')?.naturalWidth > 0`,
    );
    const take = async (name: string) => {
      await browser.run(`scrollTo(0, 0)`);
      await browser.until(
        'pictures are shown',
        `[...document.querySelectorAll('.card img')].slice(0, 6).every((each) => each.naturalWidth > 0)`,
      );
      await browser.screenshot(fileOf(name));
      log(`${fileOf(name)} is written.`);
    };
    await mkdir(dirname(fileOf('shop')), { recursive: true });
    await take('shop');
    await browser.command('Emulation.setDeviceMetricsOverride', {
      width: 390,
      height: 844,
      deviceScaleFactor: 1,
      mobile: true,
    });
    await take('shop-phone');
    await browser.run(`document.querySelector('.card h3 a').click()`);
    await browser.until('the dish', `document.querySelector('#dish img')?.naturalWidth > 0`);
    await take('shop-phone-dish');
    await browser.run(`document.querySelector('.brand').click()`);
    await browser.until('the way to the cart', `document.querySelector('.bar a')`);
    await browser.run(`document.querySelector('.bar a').click()`);
    await browser.until('the cart', `document.querySelector('#cart-view [data-key=checkout]')`);
    await browser.run(`document.querySelector('[data-key=checkout]').click()`);
    await browser.until(
      'the order is checked',
      `document.querySelector('#verdict')?.children.length > 0`,
    );
    await take('shop-phone-checkout');
  } finally {
    await browser.stop();
  }
} finally {
  await demo.product.stop();
  await customers.stop();
}
