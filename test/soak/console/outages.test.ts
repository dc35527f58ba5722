import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildConsole } from '../../../tools/built-site.ts';
import { startBrowser, type Browser } from '../../support/browser.ts';
import { consolePage, type ConsolePage } from '../../e2e/console/console-page.ts';
import { startConsoleProduct, type ConsoleProduct } from '../../e2e/console/product.ts';
import { describeWith, programForTests } from '../../support/unless-mandatory.ts';

const log = (line: string) => void process.stderr.write(`${line}\n`);
const chromium = await programForTests('chromium');
const typed = `document.querySelector('input[name=subtitle]').value`;

describeWith(chromium, 'the console during outages', (program) => {
  let fixture: ConsoleProduct;
  let browser: Browser;
  let page: ConsolePage;
  let id: number;
  beforeAll(async () => {
    await buildConsole(log);
    fixture = await startConsoleProduct('small');
    browser = await startBrowser(program);
    page = consolePage(browser, fixture.api.url, log);
    await page.enter(fixture.product.administrator);
    ({ id } = (await fixture.admin.get<{ items: { id: number }[] }>('/products?size=1')).items[0]!);
  });
  afterAll(async () => {
    await browser?.stop();
    await fixture?.stop();
  });

  const subtitle = async () =>
    (await fixture.admin.get<{ subtitle: string }>(`/products/${id}`)).subtitle;
  const isConnected = (state: string) =>
    browser.until(state, `document.querySelector('[data-state=${state}]')`);
  async function typeText(text: string): Promise<void> {
    await page.show(`/products/${id}?tab=texts`);
    await isConnected('connected');
    await page.fill('input[name=subtitle]', text);
  }

  test('[CSL-18] show that a killed API is gone, keep what was typed, and continue after it', async () => {
    await typeText('Typed before the API was killed');
    await fixture.api.kill();
    await isConnected('reconnecting');
    await page.sees('Reconnecting…');
    await page.press('button', 'Save');
    await page.sees('No connection');

    expect(await browser.run(typed)).toBe('Typed before the API was killed');
    await fixture.product.startApi({ PORT: new URL(fixture.api.url).port });
    await isConnected('connected');
    await page.confirmed(() => page.press('button', 'Save'));
    expect(await subtitle()).toBe('Typed before the API was killed');
  });

  test('[CSL-18] show that the network is gone, keep what was typed, and continue after it', async () => {
    await typeText('Typed before the network was gone');
    await page.setNetwork({ offline: true });
    await isConnected('reconnecting');
    await page.press('button', 'Save');
    await page.sees('No connection');

    expect(await browser.run(typed)).toBe('Typed before the network was gone');
    await page.setNetwork();
    await isConnected('connected');
    await page.confirmed(() => page.press('button', 'Save'));
    expect(await subtitle()).toBe('Typed before the network was gone');
  });

  test('[CSL-18] show that a killed worker leaves changes behind, and continue after it', async () => {
    await fixture.worker.kill();
    await typeText('Typed while no worker ran');
    await page.confirmed(() => page.press('button', 'Save'));
    await page.show('/');
    await page.sees('Changes are not processed');
    await fixture.product.startWorker();
    await browser.until(
      'the notice is gone',
      `!document.body.innerText.includes('Changes are not processed') && document.querySelector('main h1')`,
    );

    expect(await subtitle()).toBe('Typed while no worker ran');
  });
});
