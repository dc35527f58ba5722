import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildConsole } from '../../../tools/built-site.ts';
import { startBrowser, type Browser } from '../../support/browser.ts';
import { eventually } from '../../support/processes.ts';
import { consolePage, type ConsolePage } from '../../e2e/console/console-page.ts';
import { recordDrill, formatText, type Result } from '../../e2e/console/drill.ts';
import { waitingOrder, DRILLS } from '../../e2e/console/drills.ts';
import { keyboard } from '../../e2e/console/keyboard.ts';
import { startConsoleProduct, type ConsoleProduct } from '../../e2e/console/product.ts';
import { describeWith, programForTests } from '../../support/unless-mandatory.ts';

const log = (line: string) => void process.stderr.write(`${line}\n`);
const chromium = await programForTests('chromium');
const WIDE = { width: 1280, height: 900, deviceScaleFactor: 1, mobile: false };

describeWith(chromium, 'the jobs of staff', (program) => {
  let fixture: ConsoleProduct;
  let browser: Browser;
  let page: ConsolePage;
  const results: Result[] = [];
  beforeAll(async () => {
    await buildConsole(log);
    fixture = await startConsoleProduct('demo');
    browser = await startBrowser(program);
    page = consolePage(browser, fixture.api.url, log);
    await page.open();
    await page.signIn(fixture.product.administrator.email, fixture.product.administrator.password);
  });
  afterAll(async () => {
    for (const { name, language, clicks, most, seconds } of results)
      log(`${language}  ${clicks} of ${most} clicks  ${seconds.toFixed(1).padStart(5)} s  ${name}`);
    await browser?.stop();
    await fixture?.stop();
  });

  test('[CSL-16] the keyboard alone cancels an order', async () => {
    await page.switchTo('en');
    const orderId = await waitingOrder(fixture);
    const { tabTo, press, type } = keyboard(browser);
    await page.show(`/orders/${orderId}`);
    await tabTo('main button', formatText('en', 'order.cancel'));
    await press('Enter');
    await browser.until(
      'the reason has the focus',
      `document.activeElement?.matches('[role=dialog] input')`,
    );
    await type('The guest has changed plans');
    await press('Enter');

    const order = await eventually('the order has ended', async () => {
      const read = await fixture.admin.get<{ status: string; problem: string | null }>(
        `/orders/${orderId}`,
      );
      return read.status === 'ACCEPTED' || read.status === 'SENT' ? undefined : read;
    });
    await fixture.product.emulator.control('clear-faults', {});

    expect(order.status).toBe('CANCELLED');
  });

  describe.each(['ru', 'en'] as const)('in %s', (language) => {
    beforeAll(() => page.switchTo(language));

    test.each(DRILLS.map((drill) => [drill.name, drill] as const))(
      '[CSL-15] %s',
      async (name, drill) => {
        const { most, theme, width } = drill;
        const work = await drill.prepare(fixture, browser, language);
        if (theme !== undefined)
          await browser.run(`document.documentElement.dataset.theme = '${theme}'`);
        if (width !== undefined)
          await browser.command('Emulation.setDeviceMetricsOverride', {
            ...WIDE,
            width,
            height: 844,
            mobile: true,
          });
        try {
          const result = await recordDrill({ page, browser, log }, { name, language, most }, work);
          results.push(result);

          expect(result.clicks).toBeLessThanOrEqual(most);
          expect(await page.findings()).toEqual([]);
          expect(await page.isTooWide()).toBe(false);
        } finally {
          await browser.run('delete document.documentElement.dataset.theme');
          await browser.command('Emulation.setDeviceMetricsOverride', WIDE);
        }
      },
    );
  });
});
