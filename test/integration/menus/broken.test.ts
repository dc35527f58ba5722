import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { activityFailure } from '../../../activities/activity-failure.ts';
import { markDirty } from '../../../modules/menus/rebuilds/mark-dirty.ts';
import { reconcileRebuilds } from '../../../modules/menus/rebuilds/reconcile-rebuilds.ts';
import {
  buildSnapshot,
  type SnapshotDeps,
} from '../../../modules/menus/snapshot/build-snapshot.ts';
import type { RebuildDeps } from '../../../modules/menus/rebuilds/wake-rebuilds.ts';
import { queuesWithPrefix } from '../../../kernel/pure/queues.ts';
import { oneDish, snapshotTables } from '../../support/one-dish.ts';

let tables: Awaited<ReturnType<typeof snapshotTables>>;
let deps: SnapshotDeps;
let organizationId: number;
let started: string[];

beforeAll(async () => {
  tables = await snapshotTables();
  ({ deps } = tables);
});
afterAll(() => tables.database.close());
beforeEach(async () => {
  started = [];
  ({ organizationId } = (await oneDish(tables)).place);
  await dirty();
  await buildSnapshot(deps, organizationId);
});

const query = <T extends object>(text: string) =>
  tables.database.db.query<T>(text, [organizationId]);
const dirty = () => markDirty(deps.db, 'menu-import', [organizationId]);
const weigh = (grams: number) =>
  query(
    `update mirror_item_size set weight_grams = ${grams} where id in (select item_size_id from mirror_price where organization_id = $1)`,
  );
/** Runs the reconciler after every debounce, with a fake Temporal port. */
async function reconcile(): Promise<void> {
  const start = async (_type: string, { workflowId }: { workflowId: string }) =>
    void started.push(workflowId);
  const temporal = {
    withDeadline: (_at: number, call: () => unknown) => call(),
    workflow: { start },
  };
  await query(
    `update snapshot_request set dirty_at = dirty_at - interval '5 minutes' where organization_id = $1`,
  );
  await reconcileRebuilds({
    db: deps.db,
    queues: queuesWithPrefix(''),
    debounce: { debounceMs: 1, debounceMaxMs: 1 },
    temporal: temporal as unknown as RebuildDeps['temporal'],
  });
}
const request = async () =>
  (
    await query<{ pending: boolean; failure: string | null }>(
      'select dirty_seq > built_seq as pending, failure from snapshot_request where organization_id = $1',
    )
  )[0];
const payload = async () =>
  (await query<{ payload: Buffer }>('select payload from snapshot where organization_id = $1'))[0]!
    .payload;

test('[SNP-46] a menu that cannot be built is retried only after a change or an hour', async () => {
  const served = await payload();
  await weigh(-5);
  await dirty();

  const error: unknown = await buildSnapshot(deps, organizationId).catch(
    (reason: unknown) => reason,
  );
  const recorded = await request();
  await reconcile();
  const afterFailure = [...started];
  await query(
    `update snapshot_request set failed_at = now() - interval '61 minutes' where organization_id = $1`,
  );
  await reconcile();
  const afterAnHour = [...started];
  await query('update snapshot_request set failed_at = now() where organization_id = $1');
  await dirty();
  await reconcile();

  expect(activityFailure(error)).toMatchObject({ type: 'SNAPSHOT_BROKEN', retryable: false });
  expect(recorded).toEqual({
    pending: true,
    failure: expect.stringContaining('breaks the public schema'),
  });
  expect((await payload()).equals(served)).toBe(true);
  const id = `snapshot/${organizationId}`;
  expect([afterFailure, afterAnHour, started]).toEqual([[], [id], [id, id]]);
});

test('[SNP-46] the first successful build clears the failure', async () => {
  await weigh(-5);
  await dirty();
  await expect(buildSnapshot(deps, organizationId)).rejects.toMatchObject({
    name: 'SnapshotBroken',
  });
  await weigh(300);
  await dirty();

  expect(await buildSnapshot(deps, organizationId)).toMatchObject({ outcome: 'PUBLISHED' });
  expect(await request()).toEqual({ pending: false, failure: null });
});

test('a failure of the database is not recorded for the menu and can be retried', async () => {
  await dirty();
  const down = Object.assign(new Error('canceling statement due to statement timeout'), {
    code: '57014',
  });
  const db = { ...deps.db, transaction: () => Promise.reject(down) };

  await expect(buildSnapshot({ ...deps, db }, organizationId)).rejects.toBe(down);
  expect(await request()).toEqual({ pending: true, failure: null });
});
