import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openApiDocument } from '../../api/http/documents/openapi.ts';
import { PREFIXES, type Api, type Route } from '../../api/http/route.ts';
import { fullPath } from '../../api/http/router.ts';
import { routes } from '../../api/routes.ts';
import { startGuarded } from '../../tools/guarded-process.ts';
import { toolFolder } from '../../packages/dev/programs/tool-folders.ts';
import { startDemoProduct } from '../support/product.ts';
import { cartsAndOrders } from '../support/carts-and-orders.ts';
import { startCustomerProvider } from '../support/customer-provider.ts';
import { signInCustomer } from '../../packages/demo/seed/sign-in-customer.ts';
import { peopleAndIncidents } from '../support/people-and-incidents.ts';
import { addBodyLinks } from './body-links.ts';
import { fuzzFixture } from './fixture.ts';

// `npm run carte -- fuzz:api` runs Schemathesis against a product with the demo catalog
// (docs/api-testing.md).

const { values: options } = parseArgs({
  options: {
    examples: { type: 'string', default: '200' },
    apis: { type: 'string', default: 'public,admin,webhooks' },
    seed: { type: 'string', default: '1' },
    phases: { type: 'string', default: 'examples,coverage,fuzzing,stateful' },
    /** Ids of the operations to test, separated by commas. */
    only: { type: 'string' },
    /** Walks over the links between operations, each of about twenty scenarios. */
    walks: { type: 'string', default: '20' },
    reports: { type: 'string', default: '.carte/fuzz' },
  },
});

const phases = options.phases.split(',');
const only = options.only?.split(',') ?? [];

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const folder = resolve(options.reports);
const here = import.meta.dirname;
const program = join(await toolFolder('schemathesis', print), 'schemathesis');
await mkdir(folder, { recursive: true });

print('Starting a product with its demo catalog…');
const customers = await startCustomerProvider();
const demo = await startDemoProduct({
  size: 'demo',
  env: { TRUST_PROXY: 'on', SNAPSHOT_POLL: '500ms', ...customers.env },
});
let failed = false;
try {
  const guest = await peopleAndIncidents(demo);
  const customerToken = await signInCustomer(customers.issuer, '+79990001122');
  await cartsAndOrders(demo, customerToken);
  for (const apiName of options.apis.split(',') as Api[]) {
    const outcome = await fuzz(apiName, guest, customerToken);
    failed ||= outcome.failed;
  }
} finally {
  await writeFile(join(folder, 'product.log'), demo.product.logs());
  await demo.product.stop();
  await customers.stop();
}
process.exitCode = failed ? 1 : 0;

type Counts = Record<string, Record<string, number>>;

async function fuzz(
  apiName: Api,
  guest: { email: string; password: string },
  customerToken: string,
) {
  const { product, api } = demo;
  const fixture = await fuzzFixture(product.db, {
    url: api.url,
    api: apiName,
    administrator: product.administrator,
    guest,
    webhookSecret: product.env['WEBHOOK_SECRET'] ?? '',
    customerToken,
  });
  const file = (name: string) => join(folder, `${apiName}-${name}`);
  await writeFile(file('fixture.json'), JSON.stringify(fixture));
  const document = openApiDocument(apiName, routes);
  addBodyLinks(document);
  await writeFile(file('openapi.json'), JSON.stringify(document));
  print(`${apiName}: ${routes.filter((route) => route.api === apiName).length} operations`);

  const counts: Counts = {};
  const codes: number[] = [];
  const take = async (run: Omit<Run, 'apiName' | 'file'>) => {
    const outcome = await schemathesis({
      ...run,
      apiName,
      file: (ending) => file(`${run.name}${ending}`),
    });
    codes.push(outcome.code ?? 1);
    for (const [operation, statuses] of Object.entries(outcome.counts))
      for (const [status, count] of Object.entries(statuses))
        (counts[operation] ??= {})[status] = (counts[operation][status] ?? 0) + count;
  };
  const [seed, examples] = [Number(options.seed), Number(options.examples)];
  const [single, walks] = [
    phases.filter((phase) => phase !== 'stateful').join(','),
    phases.includes('stateful'),
  ];
  const chosen = routes.filter(
    (route) => route.api === apiName && (only.length === 0 || only.includes(route.operationId)),
  );
  if (chosen.length === 0) return { failed: false };
  const ids = only.length === 0 ? [] : chosen.map((route) => route.operationId);
  if (single !== '') await take({ name: 'operations', phases: single, seed, examples, ids });
  // The generator sends fewer requests than configured to some operations.
  const short = chosen
    .filter((route) => countRequests(counts, route) < examples)
    .map((route) => route.operationId);
  if (phases.includes('fuzzing') && short.length > 0)
    await take({
      name: 'again',
      phases: 'fuzzing',
      seed: seed + 1,
      examples: examples * 5,
      ids: short,
    });
  // A walk ends when a step is answered differently than before.
  if (walks && chosen.length > 1)
    for (let at = 1; at <= Number(options.walks); at += 1)
      await take({ name: `walk-${at}`, phases: 'stateful', seed: seed + at, examples, ids });
  await writeFile(file('counts.json'), JSON.stringify(counts));
  await summarize(apiName, chosen, counts, file('statuses.txt'));
  return { failed: codes.some((code) => code !== 0) };
}

type Run = {
  apiName: Api;
  name: string;
  file: (ending: string) => string;
  phases: string;
  seed: number;
  examples: number;
  ids: readonly string[];
};

async function schemathesis(run: Run) {
  const input = (name: string) => join(folder, `${run.apiName}-${name}`);
  const output: string[] = [];
  const child = await startGuarded({
    command: program,
    args: [
      '--config-file',
      join(here, 'schemathesis.toml'),
      'run',
      input('openapi.json'),
      '--url',
      `${demo.api.url}${PREFIXES[run.apiName]}`,
      '--max-examples',
      String(run.examples),
      '--seed',
      String(run.seed),
      '--phases',
      run.phases,
      ...run.ids.flatMap((id) => ['--include-operation-id', id]),
      '--report',
      'json',
      '--report-json-path',
      run.file('-report.json'),
      '--no-color',
    ],
    // Schemathesis leaves a cache in its working directory.
    cwd: folder,
    env: {
      ...process.env,
      SCHEMATHESIS_HOOKS: 'hooks',
      PYTHONPATH: here,
      PYTHONDONTWRITEBYTECODE: '1',
      FUZZ_WORLD: input('fixture.json'),
      FUZZ_COUNTS: run.file('-counts.json'),
      FUZZ_SEED: String(run.seed),
    },
    output: (line) => output.push(line),
  });
  const { code } = await child.exited;
  await writeFile(run.file('-output.txt'), output.join('\n'));
  if (code !== 0 || run.phases !== 'stateful') print(output.slice(-40).join('\n'));
  else print(output.filter((line) => /Scenarios:|API Links:|generated,/.test(line)).join('  '));
  return { code, counts: JSON.parse(await readFile(run.file('-counts.json'), 'utf8')) as Counts };
}

function findStatuses(counts: Counts, route: Route): Record<string, number> {
  return (
    counts[`${route.method} ${route.path}`] ?? counts[`${route.method} ${fullPath(route)}`] ?? {}
  );
}

function countRequests(counts: Counts, route: Route): number {
  return Object.values(findStatuses(counts, route)).reduce((sum, status) => sum + status, 0);
}

/** Lists operations that never answered 2xx. */
async function summarize(
  apiName: Api,
  chosen: readonly Route[],
  counts: Counts,
  statusesFile: string,
): Promise<void> {
  const rows = chosen.map((route) => {
    const statuses = findStatuses(counts, route);
    const total = countRequests(counts, route);
    const good = Object.entries(statuses).reduce(
      (sum, [status, each]) => (status.startsWith('2') ? sum + each : sum),
      0,
    );
    return { route, statuses, total, good };
  });
  const reached = rows.filter((row) => row.good > 0).length;
  const requests = rows.reduce((sum, row) => sum + row.total, 0);
  const least = Math.min(...rows.map((row) => row.total));
  print(
    `${apiName}: ${reached} of ${rows.length} operations answered 2xx; ${requests} requests, at least ${least} per operation`,
  );
  for (const { route, statuses, good } of rows)
    if (good === 0) print(`  never 2xx: ${route.operationId} ${JSON.stringify(statuses)}`);
  await writeFile(
    statusesFile,
    rows
      .map(({ route, statuses }) => `${route.operationId} ${JSON.stringify(statuses)}`)
      .join('\n'),
  );
}
