import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { AdminApi } from '../../packages/client/src/admin.ts';
import { PublicApi } from '../../packages/client/src/storefront.ts';
import { isProblem, kopecks } from '../../packages/client/src/transport.ts';
import { compileMenuSchema } from '../support/menu-schema.ts';
import {
  compareMenu,
  publishedPairs,
  readTruths as truthsOfEmulator,
  type PublicMenu,
} from '../support/compare-menu.ts';
import { prepareProduct, type Product, type RunningApi } from '../support/product.ts';
import { eventually } from '../support/processes.ts';
import type { AdminClient } from '../support/admin-client.ts';
import { selectRows } from '../support/rows.ts';
import { mirrorWrites, rowTexts, tableNames } from '../support/whole-schema.ts';

type Organization = { id: string; name: string };
type Run = { id: number; status: string; reason: string | null };

let product: Product;
let api: RunningApi;
let admin: AdminClient;
let organizations: Organization[];

beforeAll(async () => {
  product = await prepareProduct({ size: 'small' });
  [, api] = await Promise.all([product.startWorker(), product.startApi()]);
  await product.seed(api.url);
  await product.settled();
  admin = await product.signIn(api);
  organizations = (
    (await (await fetch(`${api.url}/api/v1/organizations?size=200`)).json()) as {
      items: Organization[];
    }
  ).items;
});
afterAll(async () => product?.stop());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${api.url}/api/v1${path}`, { headers });
const fetchMenu = async (id: string) =>
  (await (await get(`/menu?organization_id=${id}`)).json()) as PublicMenu;

const readTruths = (organizationId: string) => truthsOfEmulator(product.emulator, organizationId);
const published = () => publishedPairs(product.db);

async function runImport(job: string, scope: string, mode?: string): Promise<Run> {
  const { runId } = await admin.post<{ runId: number }>('/sync/run', {
    job,
    scope,
    ...(mode === undefined ? {} : { mode }),
  });
  return eventually(`run ${runId} ends`, async () => {
    const run = await admin.get<Run>(`/sync/runs/${runId}`);
    return run.status === 'RUNNING' ? undefined : run;
  });
}

async function connectionId(): Promise<string> {
  const rows = await selectRows(product.db, 'connection', ['id'], {}, { limit: 1 });
  return String(rows[0]!.id);
}

describe('the menu of every organization', () => {
  test('follows the public schema', async () => {
    const valid = compileMenuSchema();
    const found: {
      name: string;
      errors: unknown;
      products: number;
      moneyHasTwoDecimals: boolean;
      zoned: boolean;
    }[] = [];
    for (const organization of organizations) {
      const text = await (await get(`/menu?organization_id=${organization.id}`)).text();
      const menu = JSON.parse(text) as PublicMenu;
      found.push({
        name: organization.name,
        errors: valid(menu) ? null : valid.errors,
        products: menu.products.length,
        moneyHasTwoDecimals: [...text.matchAll(/"price":([^,}]*)/g)].every(([, price]) =>
          /^\d+\.\d\d$/.test(price!),
        ),
        zoned: /^\d{4}-\d\d-\d\dT.*Z$/.test(menu.generatedAt),
      });
    }

    expect(found).toHaveLength(2);
    expect(found.filter((entry) => entry.errors !== null)).toEqual([]);
    expect(found.filter((entry) => entry.products < 5)).toEqual([]);
    expect(found.filter((entry) => !entry.moneyHasTwoDecimals || !entry.zoned)).toEqual([]);
  });

  test('shows the prices and the availability in the ERP, item by item', async () => {
    const pairs = await published();
    const differences: Record<string, string[]> = {};
    for (const organization of organizations) {
      const found = compareMenu(
        await fetchMenu(organization.id),
        await readTruths(organization.id),
        pairs,
      );
      if (found.length > 0) differences[organization.name] = found.slice(0, 5);
    }

    expect(pairs.length).toBeGreaterThan(20);
    expect(differences).toEqual({});
  });
});

describe('a price that changes in the ERP', () => {
  test('reaches the public menu with the next incremental import, with a new revision and ETag', async () => {
    const organization = organizations.find((entry) => entry.id)!;
    const truth = (await readTruths(organization.id))[0]!;
    const before = await get(`/menu?organization_id=${organization.id}`);
    const menu = (await before.json()) as PublicMenu;
    const etag = before.headers.get('etag')!;
    expect(
      (await get(`/menu?organization_id=${organization.id}`, { 'if-none-match': etag })).status,
    ).toBe(304);
    const variant = menu.products
      .flatMap((entry) => entry.variants)
      .find((entry) => entry.available)!;
    const size = truth.sizes.find(
      (entry) => entry.productId === variant.erpItemId && entry.sku === variant.sku,
    )!;
    await product.emulator.control('reprice', {
      menuId: truth.menuId,
      itemId: size.productId,
      ...(size.sizeId === null ? {} : { sizeId: size.sizeId }),
      organizationId: organization.id,
      price: 1234.5,
    });

    const run = await runImport('MENU', truth.menuId, 'INCREMENTAL');
    const after = await eventually('the new price', async () => {
      const found = await fetchMenu(organization.id);
      return found.products
        .flatMap((entry) => entry.variants)
        .some((entry) => entry.id === variant.id && entry.price === 1234.5)
        ? found
        : undefined;
    });

    expect(run.status).toBe('SUCCESS');
    expect(after.revision).toBeGreaterThan(menu.revision);
    expect(
      (await get(`/menu?organization_id=${organization.id}`, { 'if-none-match': etag })).status,
    ).toBe(200);
  });

  test('causes a SKIPPED import without a mirror row if the revision is the same', async () => {
    const before = await mirrorWrites(product.db);

    const run = await runImport('MENU', '9001', 'INCREMENTAL');

    expect(run.status).toBe('SKIPPED');
    expect(await mirrorWrites(product.db)).toEqual(before);
    expect(Object.keys(before).length).toBeGreaterThan(10);
  });
});

describe('an item stopped in the ERP', () => {
  test('appears as unavailable in /availability and the menu, with a new ETag and the same revision', async () => {
    const organization = organizations[0]!;
    const path = `organization_id=${organization.id}`;
    const first = await get(`/menu?${path}`);
    const menu = (await first.json()) as PublicMenu;
    const variant = menu.products
      .flatMap((entry) => entry.variants)
      .find((entry) => entry.available)!;
    await product.emulator.control('stop', {
      organizationId: organization.id,
      itemIds: [variant.erpItemId],
    });

    const run = await runImport('STOP_LIST', await connectionId());
    const availability = await eventually('the stop', async () => {
      const found = (await (await get(`/availability?${path}`)).json()) as {
        revision: number;
        unavailableItemIds: string[];
      };
      return found.unavailableItemIds.includes(variant.erpItemId) ? found : undefined;
    });
    const second = await get(`/menu?${path}`);
    const after = (await second.json()) as PublicMenu;

    expect(run.status).toBe('SUCCESS');
    expect(availability.revision).toBe(menu.revision);
    expect(after.revision).toBe(menu.revision);
    expect(
      after.products.flatMap((entry) => entry.variants).find((entry) => entry.id === variant.id)
        ?.available,
    ).toBe(false);
    expect(second.headers.get('etag')).not.toBe(first.headers.get('etag'));
    expect(compareMenu(after, await readTruths(organization.id), await published())).toEqual([]);
  });
});

describe('a storefront with the typed client', () => {
  const open = async (index: number) => {
    const shop = new PublicApi({ baseUrl: api.url });
    const { data } = await shop.listOrganizations({ size: 200 });
    return { shop, query: { organization_id: data.items[index]!.id } };
  };
  const staff = async () => {
    const { data } = await new AdminApi({ baseUrl: api.url }).login(product.administrator);
    return new AdminApi({ baseUrl: api.url, accessToken: data.accessToken });
  };

  test('[STO-10] reads the menu once and then polls with 304 while nothing changes', async () => {
    const { shop, query } = await open(1);
    const menu = await shop.getMenu(query);
    const availability = await shop.getAvailability(query);
    const revision = await shop.getMenuRevision(query);

    expect(availability.data.revision).toBe(menu.data.revision);
    expect(revision.data.revision).toBe(menu.data.revision);
    expect((await shop.getMenu(query, { ifNoneMatch: menu.etag })).status).toBe(304);
    expect((await shop.getAvailability(query, { ifNoneMatch: availability.etag })).status).toBe(
      304,
    );
    expect((await shop.getMenuRevision(query, { ifNoneMatch: revision.etag })).status).toBe(304);
  });

  test('receives a stop with the next poll of the availability, without a new menu', async () => {
    const { shop, query } = await open(1);
    const menu = await shop.getMenu(query);
    const revision = await shop.getMenuRevision(query);
    const availability = await shop.getAvailability(query);
    const { erpItemId } = menu.data.products
      .flatMap((entry) => entry.variants)
      .find((variant) => variant.available)!;
    await product.emulator.control('stop', {
      organizationId: query.organization_id,
      itemIds: [erpItemId],
    });

    await runImport('STOP_LIST', await connectionId());
    const stopped = await eventually('the stop', async () => {
      const poll = await shop.getAvailability(query, { ifNoneMatch: availability.etag });
      return poll.status === 304 ? undefined : poll.data;
    });

    expect(stopped?.unavailableItemIds).toContain(erpItemId);
    expect(stopped?.revision).toBe(menu.data.revision);
    expect((await shop.getMenuRevision(query, { ifNoneMatch: revision.etag })).status).toBe(304);
  });

  test('receives an edit of staff as a new revision, with the next menu', async () => {
    const { shop, query } = await open(1);
    const menu = await shop.getMenu(query);
    const revision = await shop.getMenuRevision(query);
    const { id, slug } = menu.data.products[0]!;
    const admin = await staff();
    const { data: edited } = await admin.getProduct({ id });
    const subtitle = 'Печём в дровяной печи';

    await admin.editProduct({ id }, { version: edited.version, subtitle });
    const stale = admin.editProduct({ id }, { version: edited.version, subtitle: null });
    await expect(stale).rejects.toMatchObject({
      kind: 'version-conflict',
      problem: { currentVersion: edited.version + 1 },
    });
    const next = await eventually('a new revision', async () => {
      const poll = await shop.getMenuRevision(query, { ifNoneMatch: revision.etag });
      return poll.status === 304 ? undefined : poll.data?.revision;
    });
    const again = await shop.getMenu(query, { ifNoneMatch: menu.etag });
    const card = await shop.getProductCard({ slug, ...query });

    expect(next).toBeGreaterThan(menu.data.revision);
    expect(again.data).toMatchObject({ revision: next });
    expect(again.data?.products.find((entry) => entry.id === id)?.subtitle).toBe(subtitle);
    expect(card.data.subtitle).toBe(subtitle);
  });

  test('receives prices with whole kopecks, and a rejection as a problem of a kind', async () => {
    const { shop, query } = await open(0);
    const { data } = await shop.getMenu(query);
    const prices = data.products.flatMap((entry) => entry.variants).map((variant) => variant.price);

    expect(prices.length).toBeGreaterThan(10);
    expect(prices.map((price) => (kopecks(price) / 100).toFixed(2))).toEqual(
      prices.map((price) => price.toFixed(2)),
    );
    const refusal = await shop
      .getProductCard({ slug: 'no-such-dish', ...query })
      .catch((error: unknown) => error);
    expect(isProblem(refusal, 'not-found')).toBe(true);
    expect(isProblem(refusal, 'validation')).toBe(false);
  });
});

describe('a webhook of the ERP', () => {
  const publicStop = (organizationId: string, itemId: string) =>
    eventually(
      'the stop is public',
      async () => {
        const found = (await (
          await get(`/availability?organization_id=${organizationId}`)
        ).json()) as {
          unavailableItemIds: string[];
        };
        return found.unavailableItemIds.includes(itemId) ? true : undefined;
      },
      undefined,
      10,
    );
  /** An item for sale, a different one with each call. */
  const somethingForSale = async (organizationId: string) => {
    const menu = (await (
      await get(`/menu?organization_id=${organizationId}`)
    ).json()) as PublicMenu;
    return menu.products.flatMap((entry) => entry.variants).find((variant) => variant.available)!
      .erpItemId;
  };

  test('makes a stop public without any polling', async () => {
    const organizationId = organizations[0]!.id;
    const itemId = await somethingForSale(organizationId);
    const url = `${api.url}/api/webhooks/erp`;
    await product.emulator.control('webhook', { url, token: product.env['WEBHOOK_SECRET'] });

    await product.emulator.control('stop', { organizationId, itemIds: [itemId] });
    await publicStop(organizationId, itemId);
    const { deliveries } = await product.emulator.control<{ deliveries: { status: number }[] }>(
      'webhooks',
    );
    await product.emulator.control('webhook', { mode: 'lose' });
    const [run] = await selectRows(
      product.db,
      'sync_run',
      ['trigger'],
      { job: 'STOP_LIST' },
      { orderBy: 'id desc', limit: 1 },
    );

    expect(deliveries.at(-1)).toMatchObject({ status: 200, attempts: 1, outcome: 'delivered' });
    expect(run).toEqual({ trigger: 'WEBHOOK' });
  });

  test('reaches an instance without Temporal, which answers, and still has its effect', async () => {
    const organizationId = organizations[1]!.id;
    const itemId = await somethingForSale(organizationId);
    const alone = await product.startApi({ TEMPORAL_ADDRESS: '127.0.0.1:9' });
    await product.emulator.control('stop', { organizationId, itemIds: [itemId] });

    const answer = await fetch(
      `${alone.url}/api/webhooks/erp?token=${product.env['WEBHOOK_SECRET']}`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify([
          {
            eventType: 'StopListUpdate',
            organizationId,
            correlationId: randomUUID(),
            eventInfo: null,
          },
        ]),
      },
    );
    await publicStop(organizationId, itemId);
    await alone.kill();

    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ received: 1, stored: 1 });
  });
});

describe('a manual run of an import', () => {
  test('answers 409 while that import runs', async () => {
    // Stop-lists are excluded, because the webhooks above may still import one.
    await product.emulator.control('fault', {
      endpoint: '/api/1/terminal_groups',
      kind: 'slow',
      delayMs: 3_600_000,
    });
    const scope = await connectionId();

    const first = await admin.raw('POST', '/sync/run', { job: 'TERMINALS', scope });
    const second = await admin.raw('POST', '/sync/run', { job: 'TERMINALS', scope });
    await product.emulator.control('clear-faults');

    expect(first.status).toBe(202);
    expect(second.status).toBe(409);
    expect(((await second.json()) as { type: string }).type).toMatch(/\/already-running$/);
    const { runId } = (await first.json()) as { runId: number };
    await eventually('the slow run ends', async () =>
      (await admin.get<Run>(`/sync/runs/${runId}`)).status === 'RUNNING' ? undefined : true,
    );
  });
});

/** A history as text, with decoded payloads. */
function readable(history: unknown): string {
  if (history instanceof Uint8Array) return Buffer.from(history).toString();
  if (typeof history !== 'object' || history === null) return String(history);
  return Object.entries(history)
    .map(([name, value]) => `${name}: ${readable(value)}`)
    .join('\n');
}

describe('secrets of the product', () => {
  test('the check decodes payloads of histories', () => {
    expect(readable({ payloads: [{ data: Buffer.from('"planted"') }] })).toContain('planted');
  });

  test('appear in no log, answer, history, file or plain column: login, tokens and passwords', async () => {
    const apiLogin = product.emulator.apiLogin;
    const passwords = [product.administrator.password, product.env['WEBHOOK_SECRET']!];
    // Tokens are JWTs. None may be stored or logged.
    const jwt = /eyJ[\w-]{5,}\.[\w-]{10,}\.[\w-]+/;
    const leaks: string[] = [];
    const check = (where: string, text: string, alsoTokens = true) => {
      for (const secret of [apiLogin, ...passwords])
        if (text.includes(secret)) leaks.push(`${where} holds a secret`);
      if (alsoTokens && jwt.test(text)) leaks.push(`${where} holds a token`);
    };

    check('a process log', product.logs());
    for (const path of [
      '/connections',
      '/sync/runs?size=200',
      '/me',
      '/organizations',
      '/external-menus',
    ]) {
      check(`the answer of ${path}`, await (await admin.raw('GET', path)).text());
    }
    for (const table of await tableNames(product.db))
      for (const text of await rowTexts(product.db, table)) check(`the table ${table}`, text);
    const connection = await Connection.connect({ address: product.temporal.address });
    const temporal = new Client({ connection, namespace: product.temporal.namespace });
    let executions = 0;
    for await (const { workflowId, runId } of temporal.workflow.list()) {
      const history = await temporal.workflow.getHandle(workflowId, runId).fetchHistory();
      check(`the history of ${workflowId}`, readable(history));
      executions += 1;
    }
    await connection.close();
    for (const file of await readdir(product.dataDir, { recursive: true, withFileTypes: true })) {
      if (file.isFile())
        check(
          `the file ${file.name}`,
          await readFile(join(file.parentPath, file.name), 'latin1'),
          false,
        );
    }

    expect(executions).toBeGreaterThan(5);
    expect((await tableNames(product.db)).length).toBeGreaterThan(30);
    expect([...new Set(leaks)]).toEqual([]);
  });
});
