import { importLock } from '../../modules/mirror/messages/sync.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Context } from '@temporalio/activity';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { reconcileImports } from '../../modules/mirror/reconcile.ts';
import { startImportWorkflow } from '../../modules/mirror/runs/start-import.ts';
import { WORKFLOWS } from '../../modules/workflows.ts';
import { replayLive } from '../../workers/live-histories.ts';
import { importBasics, mirrorFixture, type TestFixture } from '../support/mirror.ts';
import { eventually } from '../support/processes.ts';
import { longTest } from '../support/repetitions.ts';
import { syncWorker, type SyncWorker } from '../support/sync-worker.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { column, databaseNow, selectRows, updateRows } from '../support/rows.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

let fixture: TestFixture;
let sync: SyncWorker;
let folder: string;
let externalMenuId: number;
/** A release that requests menu batches differently: running executions do not match. */
let faulty: string;
/** Workflows of a release without menu imports. */
let without: string;

beforeAll(async () => {
  fixture = await mirrorFixture();
  sync = await syncWorker(fixture);
  folder = await temporaryFolder('releases');
  externalMenuId = await importBasics(fixture);
  await updateRows(fixture.db, 'outbox', { deliveredAt: databaseNow() });
  const code = await readFile(sync.bundle, 'utf8');
  [faulty, without] = [join(folder, 'faulty.js'), join(folder, 'without.js')];
  await writeFile(faulty, code.replaceAll('fetchAndStage', 'fetchOtherwise'));
  await writeFile(without, code.replaceAll('menuImport', 'importOfMenu'));
});
afterAll(async () => {
  await sync?.close();
  await fixture?.close();
  await rm(folder, { recursive: true, force: true });
});

const LIVE = { types: WORKFLOWS.map(({ type }) => type), open: 100, ended: 100 };
const replayed = (bundle: string) =>
  replayLive(sync.temporal, bundle, { ...LIVE, taskQueues: [sync.queues.workflows] });
/** Runs the command of the current sources against the server of the test. */
async function command(): Promise<{ code: number; said: { replayed: Record<string, number> } }> {
  const child = spawn(process.execPath, ['workers/replay-live.ts'], {
    cwd: root,
    env: { ...process.env, TEMPORAL_ADDRESS: sync.address, TEMPORAL_NAMESPACE: sync.namespace },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  const [code] = (await once(child, 'exit')) as [number];
  return { code, said: JSON.parse(output.split('\n')[0]!) as { replayed: Record<string, number> } };
}

describe('a release whose workflows do not fit those that run', () => {
  const id = () => importLock({ job: 'MENU', connectionId: fixture.connectionId, externalMenuId });
  /** Enough for a busy machine to replay everything and start the faulty release. */
  const LIMIT_MS = 30_000;
  const runs = () =>
    selectRows(
      fixture.db,
      'sync_run',
      ['status', 'reason'],
      { job: 'MENU', mode: 'FULL' },
      { orderBy: 'id' },
    );

  longTest(
    '[OPS-43, OPS-44] the release is rejected, and forcing it delays imports to twice their limit',
    async () => {
      let begun = 0;
      const workers = await sync.start({
        import: {
          async fetchAndStage() {
            begun += 1;
            await Context.current().cancelled;
          },
        },
      });
      await updateRows(fixture.db, 'snapshot_request', { builtSeq: column('dirtySeq') });
      await startImportWorkflow(sync.upkeep, {
        job: 'MENU',
        connectionId: fixture.connectionId,
        externalMenuId,
        mode: 'FULL',
        trigger: 'MANUAL',
        timings: { ...sync.upkeep.timings, limitMs: LIMIT_MS },
      });
      await eventually('the import fetches', async () => (begun > 0 ? true : undefined));
      const [ofToday, ofFaulty, ofWithout] = [
        await replayed(sync.bundle),
        await replayed(faulty),
        await replayed(without),
      ];
      const gate = await command();
      await workers.stop();

      const bad = await sync.start({}, { bundle: faulty });
      const handle = sync.temporal.workflow.getHandle(id());
      const stuck = await eventually('its tasks fail', async () => {
        const { status, raw } = await handle.describe();
        return (raw.pendingWorkflowTask?.attempt ?? 0) > 1 ? status.name : undefined;
      });
      const isLocked = !(await startImportWorkflow(sync.upkeep, {
        job: 'MENU',
        connectionId: fixture.connectionId,
        externalMenuId,
        trigger: 'MANUAL',
      }));
      const ended = await eventually('Temporal gives it up', async () => {
        const { status } = await handle.describe();
        return status.name === 'RUNNING' ? undefined : status.name;
      });
      await bad.stop();

      // The next release needs no manual action.
      const good = await sync.start();
      const before = await runs();
      await reconcileImports(sync.upkeep);
      const after = await eventually('the menu is imported', async () => {
        const found = await runs();
        return found.at(-1)?.status === 'SUCCESS' ? found : undefined;
      });
      await good.stop();

      expect(ofToday.refusals).toEqual([]);
      expect(ofToday.replayed['menuImport']).toBe(1);
      expect(ofFaulty.refusals).toMatchObject([
        { type: 'menuImport', workflowId: id(), why: expect.stringContaining('fetchAndStage') },
      ]);
      expect(ofWithout.refusals).toMatchObject([{ workflowId: id() }]);
      expect(gate).toEqual({ code: 0, said: { replayed: ofToday.replayed } });
      expect([stuck, isLocked, ended]).toEqual(['RUNNING', true, 'TIMED_OUT']);
      expect(before.at(-1)).toEqual({ status: 'RUNNING', reason: null });
      expect(after.at(-1)).toEqual({ status: 'SUCCESS', reason: null });
    },
  );
});
