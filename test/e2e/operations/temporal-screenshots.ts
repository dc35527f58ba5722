import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { resolveProgram } from '../../../packages/dev/programs/programs.ts';
import { prepareTemporal } from '../../../platform/prepare-temporal.ts';
import { freeLowPort } from '../../../tools/ports.ts';
import { resolveTemporal } from '../../../tools/temporal-binary.ts';
import { startTemporal } from '../../../tools/temporal-server.ts';
import { startBrowser } from '../../support/browser.ts';
import { startDemoProduct } from '../../support/product.ts';
import { eventually } from '../../support/processes.ts';
import { selectRows } from '../../support/rows.ts';

// `npm run carte -- temporal:screenshots` takes the pictures of docs/guides/operations.md, 1,440 px
// wide.

const NAMESPACE = 'default';
const FAILED = 'ExecutionStatus IN ("Failed", "TimedOut", "Terminated")';
const REBUILDS = 'WorkflowType = "snapshotRebuild"';
const log = (line: string): void => void process.stderr.write(`${line}\n`);
const fileOf = (name: string): string =>
  fileURLToPath(new URL(`../../../docs/images/temporal-${name}.webp`, import.meta.url));

const chromium = await resolveProgram('chromium', { log, isMandatory: true });
if ('reasons' in chromium) throw new Error(`There is no Chromium: ${chromium.reasons.join('; ')}`);
const { TEMPORAL_ADDRESS: _address, TEST_TEMPORAL_ADDRESS: _test, ...env } = process.env;
const binary = await resolveTemporal({ env, log });
if (binary.kind === 'address') throw new Error('without TEMPORAL_ADDRESS a binary is resolved');

const temporal = await startTemporal({
  binary: binary.path,
  uiPort: await freeLowPort(),
  log: () => undefined,
});
const connection = await Connection.connect({ address: temporal.address });
try {
  await prepareTemporal(connection, { namespace: NAMESPACE, retentionMs: 86_400_000 });
  log('Starting a product with its demo catalog…');
  const demo = await startDemoProduct({
    temporal: { address: temporal.address, namespace: NAMESPACE },
    env: {
      SYNC_STOP_LIST_EVERY: '45s',
      ORDER_WATCH_EVERY: '30s',
      SYNC_MENU_EVERY: '5m',
      RECONCILE_EVERY: '10s',
      SNAPSHOT_DEBOUNCE: '3s',
    },
  });
  try {
    await takeAll(demo);
  } finally {
    await demo.product.stop();
  }
} finally {
  await connection.close();
  await temporal.stop();
}

async function takeAll({
  product,
  admin,
  menuId,
}: Awaited<ReturnType<typeof startDemoProduct>>): Promise<void> {
  const client = new Client({ connection, namespace: NAMESPACE });
  const connectionId = (await selectRows(product.db, 'connection', ['id'], {}))[0]!.id;
  const organizationId = (
    await selectRows(product.db, 'snapshot_revision', ['organizationId'], {})
  )[0]!.organizationId;
  const polling = `polling/${connectionId}`;

  await admin.post('/sync/pauses', {
    connectionId,
    job: 'ORDERS',
    reason: 'The till is being replaced',
  });
  await product.emulator.control('bump-revision', { menuId });
  for (const job of ['STOP_LIST', 'MENU'])
    await client.workflow.getHandle(polling).executeUpdate('poll', { args: [{ job }] });
  await product.emulator.control('vanish', { menuId, percent: 60 });
  const full = { job: 'MENU', mode: 'FULL', scope: menuId };
  await eventually(
    'a full import starts',
    async () => (await admin.raw('POST', '/sync/run', full)).ok || undefined,
  );
  await eventually('an import has failed', async () => (await hasRun(client, FAILED)) || undefined);
  const [product1] = await selectRows(
    product.db,
    'catalog_product',
    ['id', 'version'],
    {},
    { orderBy: 'id', limit: 1 },
  );
  await admin.patch(`/products/${product1!.id}`, {
    version: product1!.version,
    name: 'Новое название',
  });
  await eventually(
    'a menu is being rebuilt',
    async () => (await hasRun(client, REBUILDS)) || undefined,
  );

  const browser = await startBrowser(chromium.path, { width: 1440, height: 900 });
  try {
    const hasText = (text: string) => `document.body?.innerText.includes(${JSON.stringify(text)})`;
    // Temporal shows summary and details in frames, because workflows write their text.
    const HAS_DETAILS = `document.querySelectorAll('iframe').length > 1 && performance.now() > 10_000`;
    const take = async (name: string, path: string, isShown: string) => {
      await browser.open(`${temporal.uiUrl}/namespaces/${NAMESPACE}/${path}`);
      await browser.until(`${name} is shown`, isShown);
      await browser.screenshot(fileOf(name));
      log(`${fileOf(name)} is written.`);
    };
    const list = (query: string) => `workflows?query=${encodeURIComponent(query)}`;
    const readRunId = async (id: string) => (await client.workflow.getHandle(id).describe()).runId;
    const page = async (id: string, tab: string) =>
      `workflows/${encodeURIComponent(id)}/${await readRunId(id)}/${tab}`;
    const details = (id: string) => page(id, 'user-metadata');

    await take(
      'paused',
      list('CartePaused IS NOT NULL and ExecutionStatus = "Running"'),
      hasText(polling),
    );
    await take('polling', await details(polling), HAS_DETAILS);
    await take('failed', list(FAILED), hasText('sync/menu'));
    await take(
      'rebuild',
      await page(`snapshot/${organizationId}`, 'search-attributes'),
      hasText('CarteTrigger'),
    );
    await take('upkeep', await details('upkeep'), HAS_DETAILS);
  } finally {
    await browser.stop();
  }
}

async function hasRun({ workflow }: Client, query: string): Promise<boolean> {
  const { count } = await workflow.count(query);
  return count > 0;
}
