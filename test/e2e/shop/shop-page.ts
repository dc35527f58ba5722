import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toolFolder } from '../../../packages/dev/programs/tool-folders.ts';
import {
  startCustomerProvider,
  type CustomerProvider,
} from '../../../packages/erp-emulator/customers/provider.ts';
import { buildStorefront } from '../../../tools/built-site.ts';
import { startBrowser, type Browser } from '../../support/browser.ts';
import { ALWAYS_OPEN } from '../../support/open-restaurant.ts';
import { startDemoProduct, type DemoProduct } from '../../support/product.ts';

const log = (line: string) => void process.stderr.write(`${line}\n`);

/** The demo shop in a browser, with a provider of customers. */
export type Shop = {
  demo: DemoProduct;
  customers: CustomerProvider;
  browser: Browser;
  stop(): Promise<void>;
};

/** Starts the demo with its shop. Nine restaurants are open around the clock. */
export async function startShop(program: string): Promise<Shop> {
  await buildStorefront(log);
  const customers = await startCustomerProvider({ host: '127.0.0.1', port: 0, audience: 'carte' });
  let demo: DemoProduct | undefined;
  let browser: Browser | undefined;
  const stop = async () => {
    await browser?.stop();
    await demo?.product.stop();
    await customers.stop();
  };
  try {
    demo = await startDemoProduct({
      env: {
        ORDER_WATCH_EVERY: '2s',
        DEMO_SHOP: 'on',
        CUSTOMER_ISSUER: customers.issuer,
        CUSTOMER_AUDIENCE: 'carte',
      },
    });
    const { items } = await demo.admin.get<{ items: { id: number }[] }>('/organizations?size=200');
    for (const { id } of items.slice(0, 9)) await openAlways(demo, id);
    browser = await startBrowser(program);
    return { demo, customers, browser, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openAlways({ admin }: DemoProduct, id: number): Promise<void> {
  const path = `/organizations/${id}/schedule`;
  const { version } = await admin.get<{ version: number }>(path);
  const answer = await admin.raw('PUT', path, { version, windows: ALWAYS_OPEN });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
}

/** The page of the shop, as a guest uses it. */
export function shopPage(browser: Browser) {
  const text = (selector: string) =>
    browser.run<string>(`document.querySelector(${JSON.stringify(selector)})?.textContent ?? ''`);
  const count = (selector: string) =>
    browser.run<number>(`document.querySelectorAll(${JSON.stringify(selector)}).length`);
  const click = (selector: string) =>
    browser.run(`document.querySelector(${JSON.stringify(selector)}).click()`);

  async function fillIn(name: string, phone: string): Promise<void> {
    for (const [field, typed] of Object.entries({ name, phone })) {
      await browser.run(`document.querySelector('[data-key=guest-${field}]').select()`);
      await browser.run(`document.querySelector('[data-key=guest-${field}]').focus()`);
      await browser.type(typed);
    }
  }
  async function checkOut(): Promise<void> {
    await browser.until('the cart can be ordered', `document.querySelector('[data-key=checkout]')`);
    await click('[data-key=checkout]');
    await browser.until('the checkout is shown', `document.querySelector('#checkout form')`);
  }
  async function closeOrder(): Promise<void> {
    await click('.brand');
    await browser.until('the menu is shown', `document.querySelector('#last-order a')`);
    await click('#last-order a');
    await browser.until('the order is shown', `document.querySelector('[data-key=order-close]')`);
    await click('[data-key=order-close]');
    await browser.until('the menu is shown', `document.querySelector('#menu .card')`);
  }

  async function violations(): Promise<object[]> {
    const modules = await toolFolder('axe-core', log);
    await browser.run(await readFile(join(modules, 'axe-core/axe.min.js'), 'utf8'));
    return browser.run(
      `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ html }) => html).slice(0, 3) })))`,
    );
  }
  return { text, count, click, fillIn, checkOut, closeOrder, violations };
}
