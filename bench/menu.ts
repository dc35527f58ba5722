import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import { seedDemo } from '../packages/demo/seed/seed.ts';
import { prepareProduct } from '../test/support/product.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';
import {
  sideBySide,
  computeRatio,
  record,
  startBare,
  told,
  type Measured,
  type Round,
} from './support/side-by-side.ts';
import { loadGenerator } from './support/load.ts';
import { startNginx } from './support/nginx.ts';
import { readMemory } from './support/process-memory.ts';
import { report, type Row } from './support/report.ts';

// `npm run carte -- bench menu` compares public reads of an API process with its limiter to bare
// node:http and nginx, and measures its idle memory.
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 3);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 10);
/** High enough that the limiter counts every request but rejects none. */
const LIMIT = '10000000';
const MOST_MB = 220;

const [STATUS, SLOTS, CONTEXT] = [
  '/organizations/{id}/status',
  '/delivery/slots',
  '/context',
] as const;

const isOfMemory = (what: string): boolean => ([STATUS, SLOTS, CONTEXT] as string[]).includes(what);

type Scenario = {
  name: string;
  bar: string;
  least: number;
  against: 'bare' | 'nginx';
  carte: Measured;
  yardstick: Measured;
};

const folder = await temporaryFolder('bench-menu');

const product = await prepareProduct({
  size: 'demo',
  env: { LOG_LEVEL: 'warn', RATE_LIMIT_MENU: LIMIT, RATE_LIMIT_PUBLIC: LIMIT, SNAPSHOT_POLL: '1h' },
});

const stops: (() => Promise<unknown>)[] = [];

try {
  const worker = await product.startWorker();
  const api = await product.startApi();
  const { email, password } = product.administrator;
  await seedDemo({
    baseUrl: api.url,
    email,
    password,
    apiLogin: product.emulator.apiLogin,
    log: (line: string) => console.log(line),
  });

  await product.settled();
  await worker.stop();

  const { rss } = await readMemory(api);
  const largest = await product.db.query<{ id: string }>(
    'select organization_erp_id as id from snapshot order by length(payload) desc limit 1',
  );
  const path = `/api/v1/menu?organization_id=${largest[0]!.id}`;
  const gzipped = { 'accept-encoding': 'gzip' };
  const etag = (await fetch(api.url + path, { headers: gzipped })).headers.get('etag')!;
  const recorded = {
    '/menu': await record(api.url + path, gzipped, join(folder, 'menu')),
    '/304': await record(
      api.url + path,
      { ...gzipped, 'if-none-match': etag },
      join(folder, '304'),
    ),
    '/revision': await record(
      api.url + path.replace('/menu?', '/menu/revision?'),
      {},
      join(folder, 'revision'),
    ),
  };

  const pages = await listPages(largest[0]!.id);
  const recordedPages: Record<string, Awaited<ReturnType<typeof record>>> = {};

  for (const [what, page] of Object.entries(pages)) {
    // The first request computes the answer.
    await fetch(api.url + page, { headers: gzipped });
    recordedPages[page] = await record(
      api.url + page,
      gzipped,
      join(folder, encodeURIComponent(what)),
    );
  }

  const bare = await startBare(folder, { ...recorded, ...recordedPages });
  stops.push(() => bare.stop());
  const bareUrl = bare.url;
  const identity = Buffer.from(await (await fetch(api.url + path)).arrayBuffer());
  const nginx = await startNginx(folder, identity, await rawBody(api.url + path, gzipped));
  if (nginx !== undefined) stops.push(() => nginx.process.stop());
  await delay(1_000);

  const scenarios: Scenario[] = [
    {
      name: 'GET /menu 304',
      bar: '≥ 0.85 × node:http',
      least: 0.85,
      against: 'bare',
      carte: {
        pid: api.child.pid!,
        url: api.url + path,
        headers: { ...gzipped, 'if-none-match': etag },
      },
      yardstick: {
        pid: bare.pid,
        url: `${bareUrl}/304`,
        headers: { ...gzipped, 'if-none-match': etag },
      },
    },
    {
      name: 'GET /menu/revision',
      bar: '≥ 0.85 × node:http',
      least: 0.85,
      against: 'bare',
      carte: {
        pid: api.child.pid!,
        url: api.url + path.replace('/menu?', '/menu/revision?'),
        headers: {},
      },
      yardstick: { pid: bare.pid, url: `${bareUrl}/revision`, headers: {} },
    },
    {
      name: 'GET /menu 200 gzip',
      bar: '≥ 0.85 × node:http',
      least: 0.85,
      against: 'bare',
      carte: { pid: api.child.pid!, url: api.url + path, headers: gzipped },
      yardstick: { pid: bare.pid, url: `${bareUrl}/menu`, headers: gzipped },
    },
    ...Object.entries(pages).map(([what, page]) => ({
      name: `GET ${what} 200 gzip`,
      bar: `≥ ${isOfMemory(what) ? 0.5 : 0.3} × node:http`,
      least: isOfMemory(what) ? 0.5 : 0.3,
      against: 'bare' as const,
      carte: { pid: api.child.pid!, url: api.url + page, headers: gzipped },
      yardstick: { pid: bare.pid, url: bareUrl + page, headers: gzipped },
    })),
    ...(nginx === undefined
      ? []
      : [
          {
            name: 'GET /menu 200 gzip',
            bar: '≥ 0.5 × nginx gzip_static',
            least: 0.5,
            against: 'nginx' as const,
            carte: { pid: api.child.pid!, url: api.url + path, headers: gzipped },
            yardstick: { pid: nginx.process.pid, url: nginx.url, headers: gzipped },
          },
        ]),
  ];

  const load = loadGenerator();
  console.log(
    `${load.name}, ${ROUNDS} rounds of ${SECONDS} s, both servers at once; menu ${identity.length} bytes`,
  );
  const rows: Row[] = [
    {
      what: 'memory of the API at rest',
      measured: `${rss} MB`,
      yardstick: '',
      ratio: null,
      bar: `≤ ${MOST_MB} MB`,
      reached: rss <= MOST_MB,
    },
  ];

  const rounds: Record<string, Round[]> = {};

  for (const scenario of scenarios) {
    const measured = await sideBySide(load, scenario, { rounds: ROUNDS, seconds: SECONDS });
    const ratio = computeRatio(measured);
    rounds[`${scenario.name} against ${scenario.against}`] = measured;
    rows.push({
      what: scenario.name,
      measured: told(measured, 'carte'),
      yardstick: `${scenario.against} ${told(measured, 'yardstick')}`,
      ratio,
      bar: scenario.bar,
      reached: ratio >= scenario.least,
    });
  }

  await report('menu', rows, { generator: load.name, menuBytes: identity.length, rounds });

  async function listPages(organizationId: string): Promise<Record<string, string>> {
    const of = (page: string) =>
      `/api/v1${page}${page.includes('?') ? '&' : '?'}organization_id=${organizationId}`;
    const list = (await (await fetch(api.url + of('/products?size=1'))).json()) as {
      items: { slug: string }[];
    };

    return {
      '/products?size=54': of('/products?size=54'),
      '/categories': of('/categories'),
      '/products/{slug}': of(`/products/${list.items[0]!.slug}`),
      '/facets': of('/facets'),
      '/organizations': '/api/v1/organizations',
      [STATUS]: `/api/v1/organizations/${organizationId}/status`,
      [SLOTS]: of('/delivery/slots?type=PICKUP'),
      [CONTEXT]: of('/context'),
    };
  }
} finally {
  for (const stop of stops.reverse()) await stop();
  await product.stop();
  await rm(folder, { recursive: true, force: true });
}

async function rawBody(url: string, headers: Record<string, string>): Promise<Buffer> {
  const answer = await request(url, { headers });
  return Buffer.from(await answer.body.arrayBuffer());
}
