import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { pausePolls, pollingWorkflow, resumePolls } from '../../modules/mirror/messages/polling.ts';
import { startBrowser } from '../../test/support/browser.ts';
import { resolveProgram } from './programs/programs.ts';

// `npm run carte -- temporal:screenshots <address of Temporal> <address of its UI>`: the pictures
// of Temporal's UI in the operations guide, from a running product with demo data.

const [address = '127.0.0.1:7233', ui = 'http://127.0.0.1:8233'] = process.argv.slice(2);
const log = (line: string): void => void process.stderr.write(`${line}\n`);
const fileOf = (name: string): string => fileURLToPath(new URL(`../../docs/images/${name}.webp`, import.meta.url));

const list = (query: string): string => `/namespaces/default/workflows?query=${encodeURIComponent(query)}`;
const CONNECTION_ID = 1;
const POLLING = pollingWorkflow.id({ connectionId: CONNECTION_ID });

const chromium = await resolveProgram('chromium', { log, isMandatory: true });
if ('reasons' in chromium) throw new Error(`There is no Chromium: ${chromium.reasons.join('; ')}`);
const connection = await Connection.connect({ address });
const { workflow } = new Client({ connection });
const newest = async (query: string): Promise<string> => {
  for await (const { workflowId, runId } of workflow.list({ query, pageSize: 1 }))
    return `/namespaces/default/workflows/${encodeURIComponent(workflowId)}/${runId}/metadata`;
  throw new Error(`Temporal has no execution with ${query}`);
};

/** Each picture: the page, and a text that shows that it is complete. */
const PAGES: Readonly<Record<string, () => Promise<[path: string, text: string]>>> = {
  'temporal-paused': async () => [list('CartePaused = "ORDERS"'), POLLING],
  'temporal-polling': async () => [await newest(`WorkflowId = "${POLLING}"`), 'next poll at'],
  'temporal-failed': async () => [list('ExecutionStatus IN ("Failed", "TimedOut")'), 'Failed'],
  'temporal-rebuilds': async () => [await newest('WorkflowType = "snapshotRebuild"'), 'Last change'],
  'temporal-upkeep': async () => [await newest('WorkflowType = "upkeep"'), 'seal-audit'],
};

await mkdir(dirname(fileOf('temporal-paused')), { recursive: true });
const by = 'Anna';
const loop = workflow.getHandle(POLLING);
await loop.executeUpdate(pausePolls, { args: [{ job: 'ORDERS', by, reason: 'Maintenance of the ERP' }] });
const browser = await startBrowser(chromium.path);
try {
  for (const [name, page] of Object.entries(PAGES)) {
    const [path, text] = await page();
    await browser.open(`${ui}${path}`);
    await browser.until(`${text} is shown`, `document.body.innerText.includes(${JSON.stringify(text)})`);
    await browser.screenshot(fileOf(name));
    log(`${fileOf(name)} is written.`);
  }
} finally {
  await loop.executeUpdate(resumePolls, { args: [{ job: 'ORDERS', by }] });
  await browser.stop();
  await connection.close();
}
