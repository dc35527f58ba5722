import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { resolveProgram } from '../../../packages/dev/programs/programs.ts';
import { startCustomerProvider } from '../../../packages/erp-emulator/customers/provider.ts';
import { GUEST_PHONE } from '../../../packages/demo/seed/catalogue.ts';
import { startBrowser } from '../../support/browser.ts';
import { startDemoProduct } from '../../support/product.ts';

// `npm run carte -- shop:screenshot`: the picture of the demo's shop that the documents show, with
// two dishes and a gift in the cart of its guest.

const FILE = fileURLToPath(new URL('../../../docs/images/shop.webp', import.meta.url));
const log = (line: string): void => void process.stderr.write(`${line}\n`);

const chromium = await resolveProgram('chromium', { log, isMandatory: true });
if ('reasons' in chromium) throw new Error(`There is no Chromium: ${chromium.reasons.join('; ')}`);
log('Starting a product with its demo catalogue…');
const customers = await startCustomerProvider({ host: '127.0.0.1', port: 0, audience: 'carte' });
const demo = await startDemoProduct({
  size: 'demo',
  env: { DEMO_SHOP: 'on', CUSTOMER_ISSUER: customers.issuer, CUSTOMER_AUDIENCE: 'carte' },
});
try {
  const browser = await startBrowser(chromium.path);
  try {
    await browser.open(`${demo.api.url}/?restaurant=${demo.organizationId}`);
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
      await browser.until('the dish is in the cart', `document.querySelectorAll('#cart li').length > ${at}`);
    }
    await browser.until('the gift is shown', `document.querySelector('#gifts img')?.naturalWidth > 0`);
    await browser.until('the order is checked', `document.querySelector('#verdict').children.length > 0`);
    await browser.until(
      'pictures are shown',
      `[...document.querySelectorAll('.card img')].slice(0, 6).every((each) => each.naturalWidth > 0)`,
    );
    await mkdir(new URL('.', `file://${FILE}`), { recursive: true });
    await browser.screenshot(FILE);
    log(`${FILE} is written.`);
  } finally {
    await browser.stop();
  }
} finally {
  await demo.product.stop();
  await customers.stop();
}
