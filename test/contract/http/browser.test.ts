import { readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { buildSnapshot } from '../../../modules/menus/snapshot/build-snapshot.ts';
import { closeServer, listen } from '../../../platform/http-server.ts';
import { startGuarded } from '../../../tools/guarded-process.ts';
import { ADMIN } from '../../support/api.ts';
import { migratedDatabase } from '../../support/database.ts';
import { menuRows } from '../../support/menu-rows.ts';
import { startStorefront, type Storefront } from '../../support/storefront.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { describeWith, programForTests } from '../../support/unless-mandatory.ts';

const chromium = await programForTests('chromium');

/** Serves the page and the client, and receives the result. */
function pageServer(script: () => string, onResult: (result: unknown) => void): Server {
  const files = new URL('../../../packages/client/src/', import.meta.url);
  return createServer((request, response) => {
    void (async () => {
      const { url = '/' } = request;
      if (url.startsWith('/client/')) {
        const source = await readFile(new URL(url.slice('/client/'.length), files), 'utf8');
        response.setHeader('Content-Type', 'text/javascript').end(stripTypeScriptTypes(source));
      } else if (url === '/result') {
        onResult(
          JSON.parse(
            Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString(),
          ),
        );
        response.end();
      } else if (url === '/') {
        response
          .setHeader('Content-Type', 'text/html')
          .end(`<!doctype html><title>Shop</title><script type="module">${script()}</script>`);
      } else response.writeHead(404).end();
    })();
  });
}

describeWith(chromium, 'the typed client in a browser, on a page of another origin', (program) => {
  let script = '';
  let result = Promise.withResolvers<unknown>();
  const page = pageServer(
    () => script,
    (value) => result.resolve(value),
  );
  let origin: string;
  let database: Awaited<ReturnType<typeof migratedDatabase>>;
  let storefront: Storefront;
  let organizationId: string;
  beforeAll(async () => {
    origin = `http://127.0.0.1:${await listen(page, { host: '127.0.0.1', port: 0, what: 'The page' })}`;
    database = await migratedDatabase();
    const rows = menuRows(database.db);
    const place = await rows.restaurant();
    await rows.dish({ ...place, prices: { [place.organizationId]: 10_000 } });
    storefront = await startStorefront(database, { routes, env: { ADMIN_ORIGINS: origin } });
    await buildSnapshot(storefront.deps, place.organizationId);
    organizationId = place.organizationErpId;
  });
  afterAll(async () => {
    await storefront?.stop();
    await database?.close();
    await closeServer(page);
  });

  /** Runs the body of an async function in a page. Returns errors as text. */
  async function inBrowser(client: string, body: string): Promise<unknown> {
    result = Promise.withResolvers();
    script = `
      import { ${client} } from '/client/${client === 'PublicApi' ? 'storefront' : 'admin'}.ts';
      const api = new ${client}({ baseUrl: ${JSON.stringify(storefront.url)} });
      const run = async () => { ${body} };
      const answer = await run().catch((error) => ({ error: String(error) }));
      await fetch('/result', { method: 'POST', body: JSON.stringify(answer) });`;
    const profile = await temporaryFolder('chromium');
    const browser = await startGuarded({
      command: program,
      args: [
        '--headless=new',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-dev-shm-usage',
        '--no-first-run',
        `--user-data-dir=${profile}`,
        origin,
      ],
      cwd: profile,
      stopSignal: 'KILL',
      output: () => undefined,
      deleteFolder: profile,
    });
    try {
      const ended = browser.exited.then(({ code }) => ({ error: `Chromium ended with ${code}` }));
      return await Promise.race([result.promise, ended]);
    } finally {
      await browser.stop();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    }
  }

  test('reads the menu and revalidates it with its ETag', async () => {
    const answer = await inBrowser(
      'PublicApi',
      `const menu = await api.getMenu({ organization_id: ${JSON.stringify(organizationId)} });
       const again = await api.getMenu({ organization_id: menu.data.organizationId }, { ifNoneMatch: menu.etag });
       const list = await api.listOrganizations();
       return { products: menu.data.products.length, again: again.status, requestId: menu.headers.get('x-request-id') !== null, total: list.data.total };`,
    );

    expect(answer).toEqual({ products: 1, again: 304, requestId: true, total: 1 });
  });

  test('signs in and continues with the cookie of the session', async () => {
    const answer = await inBrowser(
      'AdminApi',
      `await api.login(${JSON.stringify(ADMIN)});
       const { data } = await api.refresh();
       return { hasToken: data.accessToken.length > 0 };`,
    );

    expect(answer).toEqual({ hasToken: true });
  });
});
