import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { buildConsole } from '../../../tools/built-site.ts';
import { startBrowser, type Browser } from '../../support/browser.ts';
import { consolePage, type ConsolePage } from '../../e2e/console/console-page.ts';
import { startConsoleProduct, type ConsoleProduct } from '../../e2e/console/product.ts';
import { eventually } from '../../support/processes.ts';
import { describeWith, programForTests } from '../../support/unless-mandatory.ts';

const log = (line: string) => void process.stderr.write(`${line}\n`);
const chromium = await programForTests('chromium');

const TILE = await sharp({
  create: { width: 256, height: 256, channels: 3, background: '#dde5d0' },
})
  .png()
  .toBuffer();

/** Styles that the server of tiles has, and the folders of their tiles. */
const styles: Readonly<
  Record<string, { type: 'raster' | 'vector'; folder: string; sprite?: string }>
> = {
  '/style.json': { type: 'raster', folder: '/missing' },
  '/icons.json': { type: 'raster', folder: '/missing', sprite: '/icons' },
  '/partial.json': { type: 'vector', folder: '/partial' },
};

type Zone = { id: number; name: string; version: number; texts: object; style: object | null };
type Explanation = {
  rule: string;
  resolution: { zoneId: number | null };
  candidates: { name: string }[];
};

describeWith(chromium, 'the map of delivery zones', (program) => {
  let fixture: ConsoleProduct;
  let browser: Browser;
  let page: ConsolePage;
  let tiles: Server;
  let zones: Zone[];
  const requestedTiles: string[] = [];
  let canceledTiles = 0;

  beforeAll(async () => {
    await buildConsole(log);
    fixture = await startConsoleProduct('small');
    tiles = createServer(({ url, headers }, response) => {
      requestedTiles.push(url!);
      const style = styles[url!];
      if (style !== undefined) {
        const { type, folder, sprite } = style;
        const source = { type, tiles: [`http://${headers.host}${folder}/{z}/{x}/{y}`] };
        const layer =
          type === 'vector'
            ? { id: 'tiles', type: 'line', source: 'tiles', 'source-layer': 'roads' }
            : { id: 'tiles', type, source: 'tiles' };
        response.writeHead(200, { 'access-control-allow-origin': '*' }).end(
          JSON.stringify({
            version: 8,
            sources: { tiles: source },
            layers: [layer],
            ...(sprite === undefined ? {} : { sprite: `http://${headers.host}${sprite}` }),
          }),
        );
        return;
      }

      if (/^\/icons(?:@2x)?\.json$/.test(url!)) {
        response.writeHead(200, { 'access-control-allow-origin': '*' }).end('{}');
        return;
      }

      if (url!.startsWith('/partial/')) {
        // Other tiles are missing, and answer after the first one, which has no roads.
        const isFirst = requestedTiles.filter((path) => path.startsWith('/partial/')).length === 1;
        setTimeout(
          () =>
            response.writeHead(isFirst ? 200 : 404, { 'access-control-allow-origin': '*' }).end(),
          isFirst ? 0 : 300,
        );
        return;
      }

      if (url!.startsWith('/slow/')) {
        // A tile without an answer.
        response.on('close', () => (canceledTiles += 1));
        return;
      }

      const isMissing = url!.startsWith('/missing/');
      // Missing tiles answer after the pictures of their style.
      setTimeout(
        () =>
          response
            .writeHead(isMissing ? 404 : 200, {
              'content-type': 'image/png',
              'access-control-allow-origin': '*',
            })
            .end(TILE),
        isMissing ? 200 : 0,
      );
    });
    await new Promise<void>((resolve) => void tiles.listen(0, '127.0.0.1', resolve));
    ({ items: zones } = await fixture.admin.get<{ items: Zone[] }>('/delivery-zones?size=200'));
    browser = await startBrowser(program);
    page = consolePage(browser, fixture.api.url, log);
    await page.enter(fixture.product.administrator);
  });
  afterAll(async () => {
    await browser?.stop();
    await fixture?.stop();
    tiles?.close();
  });

  const isDrawn = () =>
    browser.until('the map', `document.querySelector('[data-ready=true] canvas')`);
  const chosen = () =>
    browser.run<string | null>(
      `document.querySelector('[data-chosen=true] [aria-pressed]')?.innerText ?? null`,
    );
  const pointInUrl = () =>
    browser.run<string | null>(`new URLSearchParams(location.search).get('at')`);
  const explainedAt = (at: string) => {
    const [latitude, longitude] = at.split(', ').map(Number);
    return fixture.admin.post<Explanation>('/delivery/explain', { coords: [longitude, latitude] });
  };
  async function set(key: string, value: unknown): Promise<void> {
    const { version } = await fixture.admin.get<{ version: number }>(`/settings/${key}`);
    await fixture.admin.patch(`/settings/${key}`, { version, value });
  }
  async function clickMap(): Promise<void> {
    const { x, y } = await browser.run<{ x: number; y: number }>(`(() => {
      const map = document.querySelector('[data-ready] canvas');
      map.scrollIntoView({ block: 'center', behavior: 'instant' });
      const { left, top, width, height } = map.getBoundingClientRect();
      return { x: left + width / 2, y: top + height / 2 };
    })()`);
    const at = { x, y, button: 'left', clickCount: 1 };
    await browser.command('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y });
    await browser.command('Input.dispatchMouseEvent', { type: 'mousePressed', ...at });
    await browser.command('Input.dispatchMouseEvent', { type: 'mouseReleased', ...at });
  }

  test('[CSL-21] a zone of the list is shown on the map, and a click there shows who delivers', async () => {
    await page.show('/zones');
    await isDrawn();
    const [zone] = zones;
    await page.click('[aria-pressed]', zone!.name);
    await browser.until('the chosen zone', `location.search === '?zone=${zone!.id}'`);
    await clickMap();
    await browser.until('the terms', `document.querySelector('main [role=status] h3')`);
    const at = (await pointInUrl())!;
    const { resolution, candidates } = await explainedAt(at);

    expect(candidates.length).toBeGreaterThan(0);
    await page.sees('Minimum order');
    expect(await chosen()).toBe(zones.find(({ id }) => id === resolution.zoneId)!.name);
    expect(page.errors()).toEqual([]);
  });

  test('[CSL-12] the middle of the map and a typed point show terms by keyboard', async () => {
    await page.show('/zones');
    await isDrawn();
    await browser.run(
      `[...document.querySelectorAll('main button')].find((each) => each.innerText.includes('middle of the map')).focus()`,
    );
    await browser.press('Enter');
    await browser.until('the point', `new URLSearchParams(location.search).has('at')`);
    await page.fill('input[name=at]', 'here');
    await browser.press('Enter');
    await page.sees('Two numbers are needed');
    await page.fill('input[name=at]', '0.5, 0.25');
    await browser.press('Enter');
    await browser.until(
      'the typed point',
      `new URLSearchParams(location.search).get('at') === '0.50000, 0.25000'`,
    );

    await browser.until(
      'an answer without a zone',
      `document.querySelector('main [role=status] strong') !== null && document.querySelector('main [role=status] h3') === null`,
    );
    expect((await explainedAt('0.5, 0.25')).rule).toBe('NO_ZONE');
    expect(await chosen()).toBeNull();
  });

  test('[CSL-9] an edit of a zone that another person has overtaken keeps the work of both', async () => {
    const [zone] = zones;
    await page.show(`/zones?zone=${zone!.id}`);
    await page.click('[data-chosen=true] button', 'Edit');
    await browser.until('the form', `document.querySelector('textarea[name="texts.description"]')`);
    await page.fill('textarea[name="texts.description"]', 'Mine');
    await page.fill('input[name=priority]', '7');
    const { version } = await fixture.admin.get<Zone>(`/delivery-zones/${zone!.id}`);
    await fixture.admin.patch(`/delivery-zones/${zone!.id}`, {
      version,
      texts: { description: 'Theirs', notice: 'Of the other person' },
    });
    await page.click('[role=dialog] button', 'Save');
    await page.sees('Someone else has changed this meanwhile');
    await page.sees('Theirs');
    await page.confirmed(() => page.click('[role=dialog] button', 'Save mine'));

    expect(await fixture.admin.get(`/delivery-zones/${zone!.id}`)).toMatchObject({
      priority: 7,
      texts: { description: 'Mine', notice: 'Of the other person' },
    });
  });

  test('[CSL-21] a color that staff choose is stored and drawn in the list', async () => {
    const [zone] = zones;
    await page.show(`/zones?zone=${zone!.id}`);
    await page.click('[data-chosen=true] button', 'Edit');
    await page.set('select[name="style.color"]', 'Purple');
    await page.click('[role=dialog] button', 'Save');
    await browser.until(
      'the color',
      `getComputedStyle(document.querySelector('[data-chosen=true] [aria-pressed] span')).backgroundColor === 'rgb(138, 79, 199)'`,
    );

    expect((await fixture.admin.get<Zone>(`/delivery-zones/${zone!.id}`)).style).toEqual({
      color: '#8a4fc7',
      opacity: 0.3,
    });
  });

  test('[CSL-22, CSL-42] an open page reads tiles as soon as the fields of the setting are saved', async () => {
    const origin = `http://127.0.0.1:${(tiles.address() as AddressInfo).port}`;
    await page.show('/zones');
    await isDrawn();
    await browser.run(`window.stayed = true`);
    await page.show('/settings');
    await browser.run(
      `[...document.querySelectorAll('tr')].find((row) => row.querySelector('code')?.textContent === 'map_tiles').querySelector('button').click()`,
    );
    await browser.until('the form', `document.querySelector('input[name="value.attribution"]')`);
    await page.fill('input[name="value.url"]', 'tiles');
    await page.fill('input[name="value.attribution"]', '© Tiles of a test');
    await page.click('[role=dialog] button', 'Save');
    await browser.until(
      'the error at its field',
      `document.querySelector('input[name="value.url"]').getAttribute('aria-invalid') === 'true'`,
    );
    const errors = page.errors().length;
    await page.fill('input[name="value.url"]', `${origin}/{z}/{x}/{y}.png`);
    await page.confirmed(() => page.click('[role=dialog] button', 'Save'));
    await page.show('/zones');
    await page.sees('© Tiles of a test');
    await isDrawn();
    await eventually('a tile', () => Promise.resolve(requestedTiles[0]));
    const [worker] = await browser.run<string[]>(
      `performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname).filter((path) => path.includes('tile-worker'))`,
    );
    const policyOf = async (path: string) =>
      (await fetch(`${fixture.api.url}${path}`)).headers.get('content-security-policy')!;

    expect(requestedTiles.every((path) => /^\/\d+\/\d+\/\d+\.png$/.test(path))).toBe(true);
    expect(await browser.run(`window.stayed`)).toBe(true);
    expect(await browser.run(`document.body.innerText`)).not.toContain('cannot be read');
    expect(page.errors().slice(errors)).toEqual([]);
    expect(await policyOf('/console/zones')).not.toContain(origin);
    expect(await policyOf(worker!)).toBe(`default-src 'none'; connect-src ${origin}`);
    await set('map_tiles', null);
    expect(await policyOf(worker!)).toBe(`default-src 'none'; connect-src 'none'`);
  });

  test.each(['/missing/{z}/{x}/{y}.png', '/style.json', '/icons.json'])(
    '[CSL-22] the page reports that the tiles of %s are missing',
    async (path) => {
      const origin = `http://127.0.0.1:${(tiles.address() as AddressInfo).port}`;
      requestedTiles.length = 0;
      await set('map_tiles', { url: `${origin}${path}`, attribution: null });
      await page.open('/zones');
      await isDrawn();
      await page.sees('The background of the map cannot be read');

      expect(requestedTiles.some((requested) => requested.startsWith('/missing/'))).toBe(true);
      await set('map_tiles', null);
    },
  );

  test('[CSL-22] the page does not report single vector tiles that are missing', async () => {
    const origin = `http://127.0.0.1:${(tiles.address() as AddressInfo).port}`;
    requestedTiles.length = 0;
    await set('map_tiles', { url: `${origin}/partial.json`, attribution: null });
    await page.open('/zones');
    await isDrawn();

    expect(requestedTiles.filter((path) => path.startsWith('/partial/')).length).toBeGreaterThan(1);
    expect(await browser.run(`document.body.innerText`)).not.toContain('cannot be read');
    await set('map_tiles', null);
  });

  test('[CSL-22] a tile that the map needs no longer is not read to its end', async () => {
    const origin = `http://127.0.0.1:${(tiles.address() as AddressInfo).port}`;
    requestedTiles.length = 0;
    await set('map_tiles', { url: `${origin}/slow/{z}/{x}/{y}.png`, attribution: null });
    await page.open('/zones');
    await eventually('a tile', () => Promise.resolve(requestedTiles[0]));
    for (let zoom = 0; zoom < 3; zoom += 1) await page.press('.maplibregl-ctrl-zoom-in');
    await eventually('a canceled tile', () => Promise.resolve(canceledTiles > 0 || undefined));

    expect(await browser.run(`location.pathname`)).toBe('/console/zones');
    await set('map_tiles', null);
  });

  test('[CSL-3] a text becomes no script: only the worker of the map starts by its URL', async () => {
    const startOf = (url: string) =>
      browser.run<string>(`(() => {
        try { new Worker(${JSON.stringify(url)}).terminate(); return 'started'; } catch ({ name }) { return name; }
      })()`);
    const [worker] = await browser.run<string[]>(
      `performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname).filter((path) => path.includes('worker'))`,
    );

    expect(await startOf(worker!)).toBe('started');
    expect(await startOf('/console/assets/other.js')).toBe('TypeError');
    expect(await startOf('data:text/javascript,1')).toBe('TypeError');
    expect(
      await browser.run(
        `(() => { try { document.body.innerHTML = '<p>'; return 'set'; } catch ({ name }) { return name; } })()`,
      ),
    ).toBe('TypeError');
  });

  test('[CSL-22] zones are drawn although the tiles cannot be read', async () => {
    await set('map_tiles', { url: 'http://127.0.0.1:1/style.json', attribution: null });
    await page.open('/zones');
    await isDrawn();
    await page.sees('The background of the map cannot be read');
    await clickMap();
    await browser.until('the terms', `document.querySelector('main [role=status] strong')`);

    expect(await pointInUrl()).toMatch(/^-?\d+\.\d{5}, -?\d+\.\d{5}$/);
    await set('map_tiles', null);
  });

  test('[CSL-8] the map has no findings of axe in either language, and fits into 390 px', async () => {
    const sizeOf = (width: number) => ({ width, height: 844, deviceScaleFactor: 1, mobile: false });
    await browser.command('Emulation.setDeviceMetricsOverride', sizeOf(390));
    for (const language of ['ru', 'en'] as const) {
      await page.switchTo(language);
      await page.show(`/zones?zone=${zones[0]!.id}`);
      await isDrawn();
      expect(await page.findings()).toEqual([]);
      expect(await page.isTooWide()).toBe(false);
      expect(language === 'ru' ? await page.englishWords() : []).toEqual([]);
    }
    await browser.command('Emulation.clearDeviceMetricsOverride');
  });

  test('[CSL-21] the map is drawn after its styles could not be loaded', async () => {
    const block = (urls: readonly string[]) => browser.command('Network.setBlockedURLs', { urls });
    const links = () =>
      browser.run<number>(`document.querySelectorAll('link[href*="maplibre"]').length`);
    await browser.command('Network.enable');
    try {
      await block(['*maplibre-gl-*.css']);
      await page.open('/zones');
      await page.sees('This browser cannot draw the map');
      expect(await links()).toBe(0);
    } finally {
      await block([]);
    }
    await page.show('/account');
    await page.show('/zones');
    await isDrawn();

    expect(await links()).toBe(1);
    expect(
      await browser.run(
        `getComputedStyle(document.querySelector('.maplibregl-ctrl-top-right')).position`,
      ),
    ).toBe('absolute');
  });

  test('[CSL-21] the list and the field for a point remain without WebGL', async () => {
    await page.open('/account');
    await browser.run(`(() => { HTMLCanvasElement.prototype.getContext = () => null; })()`);
    await page.show(`/zones?zone=${zones[0]!.id}`);
    await page.sees('This browser cannot draw the map');

    expect(await chosen()).toBe(zones[0]!.name);
    expect(await browser.run(`document.querySelector('input[name=at]').checkVisibility()`)).toBe(
      true,
    );
  });

  test('[CSL-23] records link to Temporal only while its URL is set', async () => {
    const { items } = await fixture.admin.get<{ items: { id: number }[] }>('/organizations?size=1');
    const path = `/menus?restaurant=${items[0]!.id}`;
    const link = `document.querySelector('main a[href*="/workflows?query="]')`;
    await page.open(path);
    await page.sees('Revision');
    expect(await browser.run(`${link} === null`)).toBe(true);

    await set('temporal_ui_url', 'https://temporal.test');
    await page.open(path);
    await browser.until('the link', link);

    expect(await browser.run<string>(`decodeURIComponent(${link}.href)`)).toMatch(
      new RegExp(
        `^https://temporal\\.test/namespaces/[^/]+/workflows\\?query=WorkflowId IN \\("snapshot/${items[0]!.id}"`,
      ),
    );
    await set('temporal_ui_url', null);
  });
});
