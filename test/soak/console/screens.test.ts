import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildConsole } from '../../../tools/built-site.ts';
import { startBrowser, type Browser } from '../../support/browser.ts';
import { consolePage, type ConsolePage } from '../../e2e/console/console-page.ts';
import { startConsoleProduct, type ConsoleProduct } from '../../e2e/console/product.ts';
import { recordScreens, SCREENS, TABS } from '../../e2e/console/screens.ts';
import { describeWith, programForTests } from '../../support/unless-mandatory.ts';

const log = (line: string) => void process.stderr.write(`${line}\n`);
const chromium = await programForTests('chromium');

describeWith(chromium, 'the screens of the console', (program) => {
  let fixture: ConsoleProduct;
  let browser: Browser;
  let page: ConsolePage;
  let screens: readonly string[];
  beforeAll(async () => {
    await buildConsole(log);
    fixture = await startConsoleProduct('demo');
    browser = await startBrowser(program);
    page = consolePage(browser, fixture.api.url, log);
    await page.open();
    await page.signIn(fixture.product.administrator.email, fixture.product.administrator.password);
    screens = [...SCREENS, ...TABS, ...(await recordScreens(fixture.admin))];
  });
  afterAll(async () => {
    await browser?.stop();
    await fixture?.stop();
  });

  test.each(['ru', 'en'] as const)(
    '[CSL-4, CSL-8] cause no findings of axe and no failed request in %s',
    async (language) => {
      await page.switchTo(language);
      const found: Record<string, unknown> = {};
      for (const path of screens) {
        await page.show(path);
        const [findings, words] = [
          await page.findings(),
          language === 'ru' ? await page.englishWords() : [],
        ];
        if (findings.length + words.length > 0) found[path] = { findings, words };
      }

      expect(found).toEqual({});
      expect(page.errors()).toEqual([]);
    },
  );

  test('[CSL-8] fit a width of 390 px', async () => {
    const size = { width: 390, height: 844, deviceScaleFactor: 1, mobile: true };
    await browser.command('Emulation.setDeviceMetricsOverride', size);
    const wide: string[] = [];
    for (const path of screens) {
      await page.show(path);
      if (await page.isTooWide()) wide.push(path);
    }

    expect(wide).toEqual([]);
  });
});
