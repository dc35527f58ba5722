import { importLock } from '../../modules/mirror/messages/sync.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { acceptShrink } from '../../modules/mirror/runs/accept-shrink.ts';
import { cancelRun } from '../../modules/mirror/runs/cancel-run.ts';
import { getRun } from '../../modules/mirror/runs/list-runs.ts';
import { getRunWithProgress } from '../../modules/mirror/runs/run-progress.ts';
import { pollImport } from '../../modules/mirror/poll-import.ts';
import { startImport } from '../../modules/mirror/runs/start-import.ts';
import type { Job, RunMode } from '../../modules/mirror/rules/jobs.ts';
import { createLog } from '../../platform/log.ts';
import { createMetrics } from '../../platform/metrics.ts';
import { lazyTemporal } from '../../platform/temporal.ts';
import { testActor } from '../support/connection.ts';
import {
  importingFixture,
  stopImportingFixture,
  type RunningImports,
} from '../support/importing-fixture.ts';
import { eventually } from '../support/processes.ts';
import { holdTable } from '../support/races.ts';
import { longTest, wholeInSoak } from '../support/repetitions.ts';
import { aTwin } from '../support/two-menus.ts';
import {
  addRow,
  countRows,
  databaseNow,
  deleteRows,
  selectRows,
  updateRows,
} from '../support/rows.ts';

type RunRecord = Awaited<ReturnType<typeof getRun>>;

let fixture: RunningImports['fixture'];
let sync: RunningImports['sync'];
let menuId: RunningImports['menuId'];
let workers: RunningImports['workers'];
beforeAll(async () => {
  ({ fixture, sync, menuId, workers } = await importingFixture());
});
afterAll(() => stopImportingFixture({ fixture, sync, menuId, workers }));
beforeEach(async () => {
  await fixture.emulator.control('reset');
  await updateRows(
    fixture.db,
    'sync_shrink_acceptance',
    { endedAt: databaseNow(), outcome: 'SUPERSEDED' },
    { endedAt: null },
  );
});
afterEach(() => fixture.emulator.control('clear-faults'));

const deps = () => ({
  db: fixture.db,
  temporal: sync.temporal,
  queues: sync.queues,
  env: sync.env,
  metrics: createMetrics('test'),
});
const start = (job: Job, mode?: RunMode) =>
  startImport(deps(), testActor, {
    job,
    ...(mode === undefined ? {} : { mode }),
    scope: job === 'MENU' ? '9001' : String(fixture.connectionId),
    connectionId: fixture.connectionId,
  });
const ended = (runId: number): Promise<RunRecord> =>
  eventually(`run ${runId} has ended`, async () => {
    const run = await getRun(fixture.db, runId);
    return run.status === 'RUNNING' ? undefined : run;
  });
const importNow = async (job: Job, mode?: RunMode) => ended((await start(job, mode)).runId);
const control = (action: string, body: object = {}) =>
  fixture.emulator.control<never>(action, { menuId: '9001', ...body });
const connection = (status: 'ACTIVE' | 'DISABLED') =>
  updateRows(fixture.db, 'connection', { status }, { id: fixture.connectionId });
const slow = (endpoint: string) => control('fault', { kind: 'slow', endpoint, delayMs: 3_600_000 });
const answered = () => control('clear-faults');
const broken = (endpoint: string) =>
  control('fault', { kind: 'truncated-json', endpoint, times: 9 });
const live = async () => await countRows(fixture.db, 'mirror_item', { deletedAt: null });

describe('[MIR-2] every field of the run record, in every status and of every job', () => {
  const ENDPOINTS = {
    ORGANIZATIONS: '/api/1/organizations',
    TERMINALS: '/api/1/terminal_groups',
    MENU_LIST: '/api/2/menu',
    MENU: '/api/menu/v3/by_id',
    STOP_LIST: '/api/1/stop_lists',
    ZONES: '/api/1/delivery_restrictions',
  } as const satisfies Record<Job, string>;
  /** Requested organizations and batches of a success, and of an unreadable answer. */
  const ASKED = {
    ORGANIZATIONS: { SUCCESS: [2, 1], FAILED: [0, 0] },
    TERMINALS: { SUCCESS: [2, 1], FAILED: [2, 1] },
    MENU_LIST: { SUCCESS: [0, 0], FAILED: [0, 0] },
    MENU: { SUCCESS: [2, 1], FAILED: [2, 1] },
    STOP_LIST: { SUCCESS: [2, 1], FAILED: [2, 1] },
    ZONES: { SUCCESS: [2, 1], FAILED: [2, 1] },
  } as const satisfies Record<Job, Record<'SUCCESS' | 'FAILED', readonly [number, number]>>;
  const jobs = Object.keys(ENDPOINTS) as Job[];
  /** Two jobs: one sends a single request, the other uses batches and revisions. */
  const fewJobs = wholeInSoak<Job[]>(jobs, ['STOP_LIST', 'MENU']);

  function expectComplete(run: RunRecord, job: Job): void {
    const count = expect.any(Number);
    expect(run).toMatchObject({
      job,
      connectionId: fixture.connectionId,
      externalMenuId: job === 'MENU' ? menuId : null,
      externalMenuErpId: job === 'MENU' ? '9001' : null,
      startedAt: expect.any(Date),
      organizations: count,
      batches: count,
      payloadBytes: count,
      categories: { created: count, updated: count },
      items: { created: count, updated: count, deleted: count },
      prices: { upserted: count, unchanged: count },
      modifiers: { groups: count, links: count, global: count },
      anomalies: expect.any(Array),
    });
    expect(run.finishedAt === null).toBe(run.status === 'RUNNING');
    expect(Object.values(run)).not.toContain(undefined);
  }

  test.each(jobs)('SUCCESS of %s', async (job) => {
    const run = await importNow(job, job === 'MENU' ? 'FULL' : undefined);

    expectComplete(run, job);
    expect(run).toMatchObject({ status: 'SUCCESS', reason: null });
    expect([run.organizations, run.batches]).toEqual(ASKED[job].SUCCESS);
    expect(run.payloadBytes).toBeGreaterThan(100);
    const isMenu = job === 'MENU';
    expect((run.revisionTo ?? 0) > 4000).toBe(isMenu);
    expect(run.prices.upserted + run.prices.unchanged > 50).toBe(isMenu);
    expect(run.modifiers.links > 50).toBe(isMenu);
  });

  test.each(fewJobs)('FAILED of %s', async (job) => {
    await broken(ENDPOINTS[job]);

    const run = await importNow(job, job === 'MENU' ? 'FULL' : undefined);

    expectComplete(run, job);
    expect(run).toMatchObject({
      status: 'FAILED',
      reason: 'NOT_JSON',
      items: { created: 0, updated: 0, deleted: 0 },
    });
    expect([run.organizations, run.batches]).toEqual(ASKED[job].FAILED);
    expect(typeof run.revisionFrom).toBe(job === 'MENU' ? 'number' : 'object');
  });

  test.each(fewJobs)(
    'RUNNING of %s, and SKIPPED without a call if its connection is disabled',
    async (job) => {
      await slow(ENDPOINTS[job]);
      const { runId } = await start(job);
      const running = await getRun(fixture.db, runId);
      await answered();
      await ended(runId);
      await connection('DISABLED');
      const skipped = await importNow(job);
      await connection('ACTIVE');

      expectComplete(running, job);
      expect(running).toMatchObject({ status: 'RUNNING', reason: null });
      expectComplete(skipped, job);
      expect(skipped).toMatchObject({
        status: 'SKIPPED',
        reason: 'DISABLED',
        organizations: 0,
        batches: 0,
      });
      expect(typeof skipped.revisionFrom).toBe(job === 'MENU' ? 'number' : 'object');
    },
  );

  test('SKIPPED of MENU records the requested and received numbers', async () => {
    await importNow('MENU');

    const run = await importNow('MENU');

    expectComplete(run, 'MENU');
    expect(run).toMatchObject({
      status: 'SKIPPED',
      reason: 'UNCHANGED',
      organizations: 2,
      batches: 1,
    });
    expect(run.payloadBytes).toBeGreaterThan(100);
    expect(run.revisionTo).toBe(run.revisionFrom);
  });
});

describe('the progress of a running import', () => {
  const log = createLog({ service: 'test', level: 'silent' });
  const look = (runId: number, temporal = sync.temporal) =>
    getRunWithProgress({ db: fixture.db, temporal, log }, runId);
  const progress = async (runId: number, temporal = sync.temporal) =>
    (await look(runId, temporal)).progress;
  const reaches = (runId: number, stage: string) =>
    eventually(`the import is at ${stage}`, async () => {
      const found = await progress(runId);
      return found?.stage === stage ? found : undefined;
    });

  test('[OPS-33] the number of fetched batches and waiting rows appears in the answer and in Temporal', async () => {
    await slow('/api/menu/v3/by_id');
    const { runId } = await start('MENU', 'FULL');
    const fetching = await eventually('its batches are known', async () => {
      const found = await progress(runId);
      return found?.batches == null ? undefined : found;
    });
    const held = await holdTable(fixture.db, 'mirror_price');
    await answered();
    const applying = await reaches(runId, 'APPLYING');
    const handle = sync.temporal.workflow.getHandle(
      importLock({ job: 'MENU', connectionId: fixture.connectionId, externalMenuId: menuId }),
    );
    const { currentDetails } = await handle.query<{ currentDetails?: string }, []>(
      '__temporal_workflow_metadata',
    );
    await held.release();
    await ended(runId);

    expect(fetching).toEqual({ stage: 'FETCHING', batches: 1, batchesFetched: 0, rows: 0 });
    expect(applying).toEqual({
      stage: 'APPLYING',
      batches: 1,
      batchesFetched: 1,
      rows: expect.any(Number),
    });
    expect(applying.rows).toBeGreaterThan(100);
    expect(currentDetails).toContain(
      `1 of 1 batches are fetched, ${applying.rows} rows wait to be written.`,
    );
    expect(await look(runId)).toMatchObject({ status: 'SUCCESS', progress: null });
  });

  test('[MIR-68] the batches of a skipped run appear in the answer and in Temporal', async () => {
    await importNow('MENU', 'FULL');

    const { runId } = await start('MENU');
    const record = await ended(runId);

    expect(record).toMatchObject({ status: 'SKIPPED', reason: 'UNCHANGED', batches: 1 });
    const handle = sync.temporal.workflow.getHandle(
      importLock({ job: 'MENU', connectionId: fixture.connectionId, externalMenuId: menuId }),
    );
    const { currentDetails } = await handle.query<{ currentDetails?: string }, []>(
      '__temporal_workflow_metadata',
    );
    expect(await handle.query('progress')).toEqual({
      stage: 'CLOSING',
      batches: 1,
      batchesFetched: 1,
      rows: 0,
    });
    expect(currentDetails).toContain('1 of 1 batches are fetched, 0 rows wait to be written.');
  });

  test('[OPS-33] a job with a single request shows no batches', async () => {
    await slow('/api/1/stop_lists');
    const { runId } = await start('STOP_LIST');
    const fetching = await reaches(runId, 'FETCHING');
    await answered();
    await ended(runId);

    expect(fetching).toEqual({ stage: 'FETCHING', batches: null, batchesFetched: 0, rows: 0 });
  });

  test('[OPS-33] a run is returned without progress while Temporal does not answer', async () => {
    await slow('/api/1/stop_lists');
    const { runId } = await start('STOP_LIST');
    const nowhere = lazyTemporal({ address: '127.0.0.1:1', namespace: 'none', identity: 'test' });
    const run = await look(runId, nowhere.client);
    await nowhere.close();
    await answered();
    await ended(runId);

    expect(run).toMatchObject({ id: runId, status: 'RUNNING', progress: null });
  });
});

test('[MIR-99] a canceled import stops and writes nothing, and the next one can begin', async () => {
  const before = await live();
  await slow('/api/menu/v3/by_id');
  const { runId } = await start('MENU', 'FULL');
  await eventually('the ERP is requested', async () => {
    const { batches } = await getRun(fixture.db, runId);
    return batches > 0 ? true : undefined;
  });

  const canceled = await cancelRun(deps(), testActor, { id: runId, reason: 'It hangs' });

  expect(canceled).toMatchObject({ status: 'FAILED', reason: 'CANCELLED', detail: 'It hangs' });
  await answered();
  expect(await live()).toBe(before);
  expect(await importNow('MENU')).toMatchObject({
    status: expect.stringMatching('SUCCESS|SKIPPED'),
  });
  expect(await getRun(fixture.db, runId)).toMatchObject({ status: 'FAILED', reason: 'CANCELLED' });
});

test('[MIR-13, MIR-44, HTTP-6] staff accept held back rows of a successful run once', async () => {
  await importNow('MENU', 'FULL');
  const [organization] = await fixture.db.query<{ id: number; erpId: string }>(
    `select id, erp_id as "erpId" from mirror_organization organization
      where exists (select from mirror_price price where price.organization_id = organization.id) order by id limit 1`,
  );
  const { id, erpId } = organization!;
  const live = () => countRows(fixture.db, 'mirror_price', { organizationId: id, lostAt: null });
  const before = await live();
  await control('reprice', { organizationId: erpId, price: null });

  const held = await importNow('MENU');
  const kept = await live();
  const key = () => ({
    scope: 'test',
    key: `accept-${held.id}`,
    fingerprint: 'same',
    isSameRequest: (stored: string) => stored === 'same',
    status: 202,
  });
  const accept = () =>
    acceptShrink(deps(), testActor, { refusedRunId: held.id, reason: 'It closes' }, key());
  const accepted = await accept();
  const run = await ended(accepted.runId);
  // [HTTP-6] A repeated key returns the run and starts nothing.
  expect(await accept()).toEqual(accepted);

  expect(before).toBeGreaterThanOrEqual(10);
  expect(held).toMatchObject({
    status: 'SUCCESS',
    heldBack: [{ what: 'PRICES', organizationId: id, name: expect.any(String), before }],
  });
  expect([kept, await live()]).toEqual([before, before - held.heldBack[0]!.vanished]);
  expect(run).toMatchObject({ status: 'SUCCESS', mode: 'FULL', heldBack: [] });
  await expect(
    acceptShrink(deps(), testActor, { refusedRunId: held.id, reason: 'Again' }),
  ).rejects.toMatchObject({
    kind: 'invalid-transition',
  });
});

test('[MIR-101] an acceptance for one restaurant releases its rows and holds back those of the other', async () => {
  await importNow('MENU', 'FULL');
  const organizations = await fixture.db.query<{ id: number; erpId: string }>(
    `select id, erp_id as "erpId" from mirror_organization organization
      where exists (select from mirror_price price where price.organization_id = organization.id) order by id`,
  );
  const countPrices = (id: number) =>
    countRows(fixture.db, 'mirror_price', { organizationId: id, lostAt: null });
  const [one, other] = organizations.map(({ id }) => id) as [number, number];
  const before = await countPrices(other);
  for (const { erpId } of organizations)
    await control('reprice', { organizationId: erpId, price: null });
  const rejected = await importNow('MENU', 'FULL');
  const accept = (organizationIds: number[]) =>
    acceptShrink(deps(), testActor, {
      refusedRunId: rejected.id,
      reason: 'It closes',
      organizationIds,
    });

  await expect(accept([999_999])).rejects.toMatchObject({ kind: 'validation' });
  const run = await ended((await accept([one])).runId);

  expect(rejected).toMatchObject({ status: 'FAILED', reason: 'SUSPICIOUS_SHRINK' });
  expect(run).toMatchObject({
    status: 'SUCCESS',
    heldBack: [{ what: 'PRICES', organizationId: other }],
  });
  expect(await countPrices(one)).toBeLessThan(10);
  expect(await countPrices(other)).toBe(before);
  expect(
    await selectRows(fixture.db, 'sync_shrink_acceptance', ['outcome', 'organizationIds'], {
      runId: run.id,
    }),
  ).toEqual([{ outcome: 'USED', organizationIds: [one] }]);
});

test('[MIR-100] a plan for one restaurant contains only its dishes and prices', async () => {
  await importNow('MENU', 'FULL');
  const [{ organizationId }] = (await selectRows(
    fixture.db,
    'mirror_price',
    ['organizationId'],
    { lostAt: null },
    {
      limit: 1,
    },
  )) as [{ organizationId: number }];
  await control('reprice', { percent: 20 });
  const plan = async (body: object) => {
    const request = {
      job: 'MENU',
      mode: 'PLAN',
      scope: '9001',
      connectionId: fixture.connectionId,
      ...body,
    } as const;
    return ended((await startImport(deps(), testActor, request)).runId);
  };
  const whole = await plan({});
  const limited = await plan({ organizationId });

  const restaurants = (run: RunRecord) =>
    new Set(run.plan?.priceChanges.items.map((change) => change.organizationId)).size;
  expect(restaurants(whole)).toBe(2);
  expect(restaurants(limited)).toBe(1);
  expect(limited.organizationId).toBe(organizationId);
  expect(limited.plan!.priceChanges.total).toBeLessThan(whole.plan!.priceChanges.total);
  await expect(plan({ organizationId: 999_999 })).rejects.toMatchObject({ kind: 'validation' });
  await expect(plan({ organizationId, mode: 'FULL' })).rejects.toMatchObject({
    kind: 'validation',
  });
});

describe('[MIR-13] a shrink that staff accept', () => {
  const accept = (refusedRunId: number) =>
    acceptShrink(deps(), testActor, { refusedRunId, reason: 'Winter menu' });
  const refusedRun = async (percent: number) => {
    await control('vanish', { percent });
    const run = await importNow('MENU', 'FULL');
    expect(run).toMatchObject({ status: 'FAILED', reason: 'SUSPICIOUS_SHRINK' });
    return run;
  };
  const notifications = () =>
    fixture.db.db
      .selectFrom('notification')
      .where('kind', '=', 'SUSPICIOUS_SHRINK')
      .select((row) => [row('resolvedAt', 'is not', null).as('resolved'), 'details'])
      .orderBy('id', 'desc')
      .limit(1)
      .execute();
  const acceptances = (refusedRunId: number) =>
    selectRows(
      fixture.db,
      'sync_shrink_acceptance',
      ['outcome'],
      { refusedRunId },
      { orderBy: 'id' },
    );
  beforeEach(() => importNow('MENU', 'FULL'));

  test('raises a notification, deletes nothing until it is accepted, and then resolves it', async () => {
    const before = await live();
    const refused = await refusedRun(40);
    const afterRefusal = await live();
    const raised = await notifications();

    const { runId } = await accept(refused.id);
    const run = await ended(runId);

    expect(refused.shrink).toMatchObject({ before, thresholdPercent: 30 });
    expect(raised).toEqual([
      {
        resolved: false,
        details: expect.objectContaining({ runId: refused.id, externalMenuId: menuId }),
      },
    ]);
    expect(run).toMatchObject({
      status: 'SUCCESS',
      mode: 'FULL',
      items: { deleted: refused.shrink!.vanished },
    });
    expect([afterRefusal, await live()]).toEqual([before, before - refused.shrink!.vanished]);
    expect(await notifications()).toMatchObject([{ resolved: true }]);
    expect(await acceptances(refused.id)).toEqual([{ outcome: 'USED' }]);
    const audit = await selectRows(fixture.db, 'audit_entry', ['action', 'reason', 'after'], {
      entityType: 'sync-run',
      entityId: String(refused.id),
    });
    const after = expect.objectContaining({ runId }) as object;
    expect(audit).toContainEqual({ action: 'accept-shrink', reason: 'Winter menu', after });
    await expect(accept(refused.id)).rejects.toMatchObject({ kind: 'invalid-transition' });
  });

  longTest(
    'one of several parallel starts runs the import, and the others return already-running',
    async () => {
      const refused = await refusedRun(40);
      await slow('/api/menu/v3/by_id');

      const results = await Promise.allSettled([1, 2, 3, 4].map(() => accept(refused.id)));
      await answered();

      const started = results.flatMap((result) =>
        result.status === 'fulfilled' ? [result.value.runId] : [],
      );
      const kinds = results.flatMap((result) =>
        result.status === 'rejected' ? [(result.reason as { kind: string }).kind] : [],
      );
      expect(started).toHaveLength(1);
      expect(kinds).toEqual(['already-running', 'already-running', 'already-running']);
      expect(await ended(started[0]!)).toMatchObject({ status: 'SUCCESS' });
      expect(await acceptances(refused.id)).toEqual([{ outcome: 'USED' }]);
    },
  );

  test('rejects a larger share than the accepted one', async () => {
    const refused = await refusedRun(40);
    await control('vanish', { percent: 50 });
    const before = await live();

    const run = await ended((await accept(refused.id)).runId);

    expect(run).toMatchObject({ status: 'FAILED', reason: 'SUSPICIOUS_SHRINK' });
    expect(run.shrink!.percent).toBeGreaterThan(refused.shrink!.percent);
    expect(await live()).toBe(before);
    expect(await acceptances(refused.id)).toEqual([{ outcome: null }]);
  });

  longTest.each([
    [
      'has expired',
      `update sync_shrink_acceptance set expires_at = now() - interval '1 second' where ended_at is null`,
    ],
    [
      'is of another menu',
      'update sync_shrink_acceptance set external_menu_id = $1 where ended_at is null',
    ],
  ])('an acceptance that %s covers nothing', async (_, change) => {
    const refused = await refusedRun(40);
    const other = await aTwin(fixture, 500);
    await slow('/api/menu/v3/by_id');
    const { runId } = await accept(refused.id);
    await fixture.db.query(change, change.includes('$1') ? [other.externalMenuId] : []);
    await answered();

    expect(await ended(runId)).toMatchObject({ status: 'FAILED', reason: 'SUSPICIOUS_SHRINK' });
  });

  test('an acceptance that turned out unnecessary does not cover the next shrink', async () => {
    const refused = await refusedRun(40);
    await control('return');
    const run = await ended((await accept(refused.id)).runId);
    await control('vanish', { percent: 40 });

    const next = await importNow('MENU', 'FULL');

    expect(run).toMatchObject({ status: 'SUCCESS', items: { deleted: 0 } });
    expect(await acceptances(refused.id)).toEqual([{ outcome: 'NOT_NEEDED' }]);
    expect(next).toMatchObject({ status: 'FAILED', reason: 'SUSPICIOUS_SHRINK' });
  });

  test('accepts nothing while Temporal is unavailable', async () => {
    const refused = await refusedRun(40);
    const nowhere = lazyTemporal({ address: '127.0.0.1:1', namespace: 'none', identity: 'test' });

    await expect(
      acceptShrink({ ...deps(), temporal: nowhere.client }, testActor, {
        refusedRunId: refused.id,
        reason: 'Winter',
      }),
    ).rejects.toMatchObject({ kind: 'unavailable' });

    await nowhere.close();
    expect(await acceptances(refused.id)).toEqual([{ outcome: 'WITHDRAWN' }]);
    expect(await countRows(fixture.db, 'sync_run', { status: 'RUNNING' })).toBe(0);
  });
});

describe('[MIR-14] mode PLAN', () => {
  const TABLES = [
    'mirror_external_menu',
    'mirror_product_category',
    'mirror_menu_category',
    'mirror_item',
    'mirror_item_menu',
    'mirror_item_placement',
    'mirror_item_size',
    'mirror_size_menu',
    'mirror_price',
    'mirror_modifier_group',
    'mirror_modifier_link',
    'sync_shrink_acceptance',
    'notification',
  ];
  const versions = () =>
    Promise.all([
      // Earlier builds may end meanwhile, but no new build may be requested.
      selectRows(
        fixture.db,
        'snapshot_request',
        ['organizationId', 'dirtySeq'],
        {},
        { orderBy: 'organizationId' },
      ),
      fixture.db.db
        .selectFrom('outbox')
        .select((row) => row.fn.max('id').as('max'))
        .execute(),
      ...TABLES.map((table) =>
        fixture.db.query(
          `select '${table}' as table, count(*) as rows, md5(coalesce(string_agg(xmin::text || ctid::text, ',' order by ctid), '')) as versions from ${table}`,
        ),
      ),
    ]);

  test('returns the changes of a full import, writes nothing, and the import then makes these changes', async () => {
    await importNow('MENU', 'FULL');
    await importNow('MENU');
    await updateRows(fixture.db, 'mirror_external_menu', { fullDue: true }, { id: menuId });
    const { itemIds } = (await control('vanish', { percent: 40 })) as { itemIds: string[] };
    await control('return', { itemIds: itemIds.slice(0, 1), sameId: false });
    const gone = await fixture.db.db
      .selectFrom('mirror_item_size as size')
      .innerJoin('mirror_item as item', 'item.id', 'size.itemId')
      .where('item.role', '=', 'DISH')
      .where('item.erpId', 'in', itemIds)
      .select('size.id as sizeId')
      .orderBy('size.id')
      .limit(1)
      .execute();
    const [priced] = await fixture.db.query<{ erpId: string; kopecks: number }>(
      `select item.erp_id as "erpId", price.price_kopecks as kopecks from mirror_price price
         join mirror_item_size size on size.id = price.item_size_id join mirror_item item on item.id = size.item_id
        where item.role = 'DISH' and price.price_kopecks > 0 and price.lost_at is null and item.erp_id <> all ($1::uuid[])
        order by price.item_size_id limit 1`,
      [itemIds],
    );
    await control('reprice', { itemId: priced!.erpId, percent: 50 });
    const product = await addRow(fixture.db, 'catalog_product', {
      slug: 'gone',
      name: 'Gone soon',
      status: 'PUBLISHED',
    });
    const variant = { productId: product.id, itemSizeId: gone[0]!.sizeId, isDefault: true };
    await addRow(fixture.db, 'catalog_variant', variant);
    const before = await versions();

    const run = await importNow('MENU', 'PLAN');

    expect(await versions()).toEqual(before);
    expect(run).toMatchObject({
      status: 'SKIPPED',
      reason: 'PLANNED',
      mode: 'PLAN',
      organizations: 2,
      batches: 1,
    });
    const plan = run.plan!;
    expect(plan.deleted.total).toBe(itemIds.length);
    expect(plan.deleted.items.map((item) => item.id).toSorted()).toEqual(itemIds.toSorted());
    expect(plan.created.total).toBe(1);
    expect(plan.shrink).toMatchObject({ vanished: itemIds.length, isSuspicious: true });
    expect(plan.productsLeftWithoutVariant).toEqual({
      total: 1,
      items: [{ id: expect.any(Number), name: 'Gone soon' }],
    });
    const raised = plan.priceChanges.items.filter((item) => item.itemId === priced!.erpId);
    expect(raised.length).toBeGreaterThan(0);
    for (const entry of raised) {
      expect(entry.to).toBe(Math.round(entry.from! * 1.5));
      expect(entry.percent).toBeCloseTo(50, 0);
    }
    expect(
      await selectRows(fixture.db, 'mirror_external_menu', ['fullDue'], { id: menuId }),
    ).toEqual([{ fullDue: true }]);

    await addRow(fixture.db, 'setting', { key: 'sync.shrink_threshold_percent', value: 90 });
    const real = await importNow('MENU', 'FULL');
    await deleteRows(fixture.db, 'setting', { key: 'sync.shrink_threshold_percent' });
    const { categories, items, prices, modifiers } = real;
    expect(plan).toMatchObject({ categories, items, prices, modifiers });
  });

  test('locks the menu, and is supported by MENU only', async () => {
    await slow('/api/menu/v3/by_id');
    const { runId } = await start('MENU', 'PLAN');

    await expect(start('MENU', 'FULL')).rejects.toMatchObject({ kind: 'already-running' });
    await expect(start('STOP_LIST', 'PLAN')).rejects.toMatchObject({ kind: 'validation' });
    await answered();
    await sync.temporal.workflow
      .getHandle(
        importLock({ job: 'MENU', connectionId: fixture.connectionId, externalMenuId: menuId }),
      )
      .result();
    expect(await getRun(fixture.db, runId)).toMatchObject({ status: 'SKIPPED', reason: 'PLANNED' });
  });
});

describe('a poll that finds a change', () => {
  test.each([
    ['MENU', '/api/menu/v3/by_id', 'bump-revision', {}],
    [
      'STOP_LIST',
      '/api/1/stop_lists',
      'stop',
      { itemIds: ['d0000001-0000-4000-8000-00000000abcd'] },
    ],
  ] as const)(
    '[MIR-35, OPS-105] starts the import of %s once, under its lock',
    async (job, endpoint, change, details) => {
      await importNow(job, job === 'MENU' ? 'FULL' : undefined);
      const [organization] = await selectRows(
        fixture.db,
        'mirror_organization',
        ['erpId'],
        {},
        { orderBy: 'id' },
      );
      const menu = job === 'MENU' ? { externalMenuId: menuId } : {};
      const poll = (erp = fixture.deps.erp) =>
        pollImport({ ...sync.product, erp }, { connectionId: fixture.connectionId, ...menu });
      const before = await poll();
      await control(change, { organizationId: organization!.erpId, ...details });
      /** The poll is answered; the import that follows waits for its answer. */
      const whileImportWaits = {
        ...fixture.deps.erp,
        menu: async (...args: Parameters<typeof fixture.deps.erp.menu>) => {
          const answer = await fixture.deps.erp.menu(...args);
          await slow(endpoint);
          return answer;
        },
        stopLists: async (...args: Parameters<typeof fixture.deps.erp.stopLists>) => {
          const answer = await fixture.deps.erp.stopLists(...args);
          await slow(endpoint);
          return answer;
        },
      };
      const first = await poll(whileImportWaits);
      const run = await eventually('the import has begun', async () => {
        const [found] = await selectRows(fixture.db, 'sync_run', ['id', 'trigger'], {
          job,
          status: 'RUNNING',
        });
        return found;
      });
      // Otherwise the late answer may hit the second poll.
      await eventually('the import waits for its answer', async () => {
        const { faults } = await fixture.emulator.control<{ faults: unknown[] }>('state');
        return faults.length === 0 ? true : undefined;
      });
      const refused = await start(job).catch((error: { kind?: string }) => error.kind);
      const second = await poll();
      await answered();
      const { status } = await ended(run.id);

      expect([before, first, second]).toEqual(['UNCHANGED', 'CHANGED', 'CHANGED']);
      expect(refused).toBe('already-running');
      expect([run.trigger, status]).toEqual(['SCHEDULE', 'SUCCESS']);
      await eventually('nothing is left to import', async () =>
        (await poll()) === 'UNCHANGED' ? true : undefined,
      );
    },
  );
});
