import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PublicApi, type MenuVariant } from '../../../packages/client/src/storefront.ts';
import { freeLowPort } from '../../../tools/ports.ts';
import { startGuarded } from '../../../tools/guarded-process.ts';
import { startBrowser, type Browser } from '../../support/browser.ts';
import { ALWAYS_OPEN } from '../../support/open-restaurant.ts';
import { eventually } from '../../support/processes.ts';
import { startDemoProduct, type DemoProduct } from '../../support/product.ts';
import { countRows } from '../../support/rows.ts';
import { buildStarter, STARTERS } from '../../support/starters.ts';
import { describeWith, programForTests } from '../../support/unless-mandatory.ts';

const log = (line: string) => void process.stderr.write(`${line}\n`);
const chromium = await programForTests('chromium');

describeWith(chromium, 'a storefront of a newcomer', (program) => {
  let demo: DemoProduct;
  let browser: Browser;
  beforeAll(async () => {
    demo = await startDemoProduct();
    const { items } = await demo.admin.get<{ items: { id: number }[] }>('/organizations?size=200');
    for (const { id } of items.slice(0, 9)) {
      const path = `/organizations/${id}/schedule`;
      const { version } = await demo.admin.get<{ version: number }>(path);
      await demo.admin.raw('PUT', path, { version, windows: ALWAYS_OPEN });
    }
    browser = await startBrowser(program);
  });
  async function simpleDish(): Promise<string> {
    const api = new PublicApi({ baseUrl: demo.api.url });
    const { data } = await api.listOrganizations();
    const { id } = data.items.find((item) => item.pickup.accepting)!;
    const { data: menu } = await api.getMenu({ organization_id: id });
    const isSimple = ({ available, modifierGroupIds }: MenuVariant) =>
      available && modifierGroupIds.length === 0;
    return menu.products.find(({ variants }) => variants.some(isSimple))!.name;
  }

  afterAll(async () => {
    await browser?.stop();
    await demo?.product.stop();
  });

  test.each(Object.keys(STARTERS) as (keyof typeof STARTERS)[])(
    "[HTTP-55] shows pictures from another origin and places an order with the guide's page in %s",
    async (name) => {
      const { folder, serve, env } = await buildStarter(name, demo.api.url, log);
      const port = await freeLowPort();
      const server = await startGuarded({
        command: process.execPath,
        args: serve(port),
        cwd: folder,
        env,
        stopSignal: 'KILL',
        output: () => undefined,
        deleteFolder: dirname(folder),
      });
      try {
        const url = `http://127.0.0.1:${port}/`;
        await eventually('the page is served', async () =>
          (await fetch(url).catch(() => null))?.ok ? true : undefined,
        );
        await browser.open(url);
        await browser.until(
          'dishes are shown',
          `document.querySelectorAll('button img').length > 3`,
        );
        await browser.until(
          'every picture in sight is loaded',
          `[...document.querySelectorAll('button img')].slice(0, 4).every((each) => each.naturalWidth > 0)`,
        );
        const before = await countRows(demo.product.db, 'customer_order');
        await browser.run(
          `[...document.querySelectorAll('button')].find((each) => each.textContent.includes(${JSON.stringify(await simpleDish())})).click()`,
        );
        await browser.until(
          'the order has a number',
          `/^\\d+/.test(document.querySelector('p').textContent)`,
        );

        expect(await countRows(demo.product.db, 'customer_order')).toBe(before + 1);
      } finally {
        await server.stop();
        await rm(dirname(folder), { recursive: true, force: true });
      }
    },
  );
});
