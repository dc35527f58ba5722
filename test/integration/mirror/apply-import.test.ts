import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  applyImport,
  type AppliedBatch,
  type ApplyInput,
} from '../../../modules/mirror/menu/apply-import.ts';
import { fetchAndStage } from '../../../modules/mirror/menu/fetch-and-stage.ts';
import { planMenuImport } from '../../../modules/mirror/menu/plan-menu-import.ts';
import { closeRun } from '../../../modules/mirror/runs/close-run.ts';
import { createFailpoints } from '../../../platform/failpoint.ts';
import { aConnection } from '../../support/connection.ts';
import { importBasics, importMenu, mirrorFixture, type TestFixture } from '../../support/mirror.ts';
import {
  addRow,
  countRows,
  databaseNow,
  deleteRows,
  plus,
  selectRow,
  selectRows,
  updateRows,
} from '../../support/rows.ts';

let fixture: TestFixture;
let menuId: number;
let organizationIds: number[];
beforeAll(async () => {
  fixture = await mirrorFixture();
  menuId = await importBasics(fixture);
  organizationIds = (
    await selectRows(fixture.db, 'mirror_organization', ['id'], {}, { orderBy: 'id' })
  ).map((row) => row.id);
  await importMenu(fixture, menuId);
});
afterAll(() => fixture.close());

const one = async <T extends object>(sql: string, params: unknown[] = []): Promise<T> => {
  const [row] = await fixture.db.query<T>(sql, params);
  if (row === undefined) throw new Error(`no row: ${sql}`);
  return row;
};

/** Stages a run with one batch per organization. */
async function staged(mode: 'FULL' | 'INCREMENTAL' = 'FULL'): Promise<ApplyInput> {
  const { deps, connectionId } = fixture;
  const runId = await fixture.open('MENU', { externalMenuId: menuId, mode });
  const plan = await planMenuImport(deps.db, { runId, connectionId, externalMenuId: menuId });
  if (plan.outcome !== 'READY') throw new Error(plan.reason);
  if (plan.mode === 'PLAN') throw new Error('a plan is not applied');
  const batches: AppliedBatch[] = [];
  for (const [batch, organizationId] of plan.batches.flat().entries()) {
    const fetched = await fetchAndStage(deps, {
      runId,
      connectionId,
      externalMenuErpId: plan.externalMenuErpId,
      priceCategoryErpId: null,
      batch,
      organizationIds: [organizationId],
      startRevision: null,
      asyncMode: false,
      attempt: 1,
    });
    if (fetched.outcome !== 'STAGED') throw new Error(fetched.outcome);
    batches.push(fetched);
  }
  return {
    runId,
    connectionId,
    externalMenuId: menuId,
    mode: plan.mode,
    organizationIds: plan.batches.flat(),
    fingerprint: plan.fingerprint,
    batches,
  };
}

describe('the application of an import', () => {
  test('[MIR-8] merges several batches: items once, prices of all organizations', async () => {
    const before = await one(
      'select count(*) as prices, sum(price_kopecks) as sum, (select count(*) from mirror_item) as items from mirror_price',
    );

    const outcome = await applyImport(fixture.deps, await staged());

    expect(outcome).toMatchObject({ outcome: 'APPLIED', applied: { changed: false } });
    expect(
      await one(
        'select count(*) as prices, sum(price_kopecks) as sum, (select count(*) from mirror_item) as items from mirror_price',
      ),
    ).toEqual(before);
  });

  test('returns the counters of the first call and writes nothing in a second one', async () => {
    await fixture.emulator.control('reprice', { menuId: '9001', percent: 3 });
    const input = await staged();
    const first = await applyImport(fixture.deps, input);
    const events = await fixture.db.db
      .selectFrom('outbox')
      .select((row) => row.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    await deleteRows(fixture.db, 'stage_price');

    const second = await applyImport(fixture.deps, input);

    expect(second).toEqual(first);
    expect(first).toMatchObject({ applied: { changed: true } });
    expect(
      await fixture.db.db
        .selectFrom('outbox')
        .select((row) => row.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow(),
    ).toEqual(events);
  });

  test('happens once in concurrent calls', async () => {
    await fixture.emulator.control('reprice', { menuId: '9001', percent: 3 });
    const input = await staged();
    const events = await fixture.db.db
      .selectFrom('outbox')
      .select((row) => row.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();

    const [first, second] = await Promise.all([
      applyImport(fixture.deps, input),
      applyImport(fixture.deps, input),
    ]);

    expect(second).toEqual(first);
    expect(await countRows(fixture.db, 'outbox')).toBe(events.count + 1);
  });

  test('detects lost staged rows and writes nothing', async () => {
    const input = await staged();
    await deleteRows(fixture.db, 'stage_price', { runId: input.runId });

    expect(await applyImport(fixture.deps, input)).toEqual({ outcome: 'STAGING_INCOMPLETE' });
  });

  test('ignores rows of another attempt of a batch', async () => {
    const input = await staged();
    await fixture.db.query(
      `insert into stage_item select run_id, batch, attempt + 1, gen_random_uuid(), role, 'Zombie', description, sku, type,
         order_item_type, measure_unit, product_category_erp_id, allergens, labels, is_hidden
         from stage_item where run_id = $1`,
      [input.runId],
    );

    expect(await applyImport(fixture.deps, input)).toMatchObject({
      applied: { counters: { items: { created: 0 } } },
    });
  });

  test('[MIR-6] writes nothing for a closed run', async () => {
    const input = await staged();
    await closeRun(fixture.deps, { runId: input.runId, status: 'FAILED', reason: 'CANCELLED' });

    expect(await applyImport(fixture.deps, input)).toEqual({ outcome: 'RUN_CLOSED' });
  });

  test('[MIR-5] rolls everything back after a failure in the transaction', async () => {
    await fixture.emulator.control('reprice', { menuId: '9001', percent: 3 });
    const input = await staged();
    const before = await fixture.db.db
      .selectFrom('mirror_price')
      .select((row) => row.fn.sum<number>('priceKopecks').as('sum'))
      .executeTakeFirstOrThrow();
    const failpoint = (name: string) => {
      if (name === 'menu-apply') throw new Error('stopped here');
    };

    await expect(applyImport({ ...fixture.deps, failpoint }, input)).rejects.toThrow(
      'stopped here',
    );

    expect(
      await fixture.db.db
        .selectFrom('mirror_price')
        .select((row) => row.fn.sum<number>('priceKopecks').as('sum'))
        .executeTakeFirstOrThrow(),
    ).toEqual(before);
    expect(
      await selectRow(fixture.db, 'sync_run', ['status', 'result'], { id: input.runId }),
    ).toEqual({
      status: 'RUNNING',
      result: {},
    });
    expect(
      await applyImport({ ...fixture.deps, failpoint: createFailpoints(null) }, input),
    ).toMatchObject({
      applied: { changed: true },
    });
  });

  test('saves and counts the smallest of different revisions of batches', async () => {
    const input = await staged();
    const [first, second] = input.batches;
    input.batches = [first!, { ...second!, revision: (second!.revision ?? 0) - 1 }];

    const outcome = await applyImport(fixture.deps, input);

    expect(outcome).toMatchObject({ applied: { revision: (first!.revision ?? 0) - 1 } });
    const { anomalies } = await selectRow(fixture.db, 'sync_run', ['anomalies'], {
      id: input.runId,
    });
    expect(anomalies.map((anomaly) => anomaly.code)).toContain('REVISIONS_DIFFER');
  });

  test('completes a due full import only in a full run', async () => {
    await updateRows(fixture.db, 'mirror_external_menu', { fullDue: true }, { id: menuId });
    const due = () => selectRow(fixture.db, 'mirror_external_menu', ['fullDue'], { id: menuId });
    const input = await staged('INCREMENTAL');
    await applyImport(fixture.deps, { ...input, mode: 'INCREMENTAL' });
    const afterIncremental = await due();

    await applyImport(fixture.deps, await staged('INCREMENTAL'));

    expect(input.mode).toBe('FULL');
    expect(afterIncremental).toEqual({ fullDue: true });
    expect(await due()).toEqual({ fullDue: false });
  });

  test('[OPS-1] changes nothing in a repeated import, and a due full import stays due', async () => {
    const { connectionId } = fixture;
    const input = await staged('INCREMENTAL');
    await applyImport(fixture.deps, input);
    await updateRows(fixture.db, 'mirror_external_menu', { fullDue: true }, { id: menuId });
    const record = () =>
      selectRow(fixture.db, 'sync_run', ['mode', 'revisionFrom'], { id: input.runId });
    const before = await record();

    const plan = await planMenuImport(fixture.deps.db, {
      runId: input.runId,
      connectionId,
      externalMenuId: menuId,
    });
    const { outcome } = await applyImport(fixture.deps, { ...input, mode: 'FULL' });

    expect(plan).toMatchObject({ mode: 'INCREMENTAL' });
    expect(before).toMatchObject({ mode: 'INCREMENTAL' });
    expect(await record()).toEqual(before);
    expect(outcome).toBe('APPLIED');
    expect(
      await selectRow(fixture.db, 'mirror_external_menu', ['fullDue'], { id: menuId }),
    ).toEqual({
      fullDue: true,
    });
    await updateRows(fixture.db, 'mirror_external_menu', { fullDue: false }, { id: menuId });
  });

  test('[MIR-48] continues with prices while a full import fails, and retries it once an hour', async () => {
    const { connectionId } = fixture;
    const modes = async (mode: 'FULL' | 'INCREMENTAL' = 'INCREMENTAL') => {
      const runId = await fixture.open('MENU', { externalMenuId: menuId, mode });
      const plan = await planMenuImport(fixture.deps.db, {
        runId,
        connectionId,
        externalMenuId: menuId,
      });
      return plan.outcome === 'READY' ? plan.mode : plan.outcome;
    };
    const ended = (status: string, minutesAgo: number) =>
      fixture.db.query(
        `insert into sync_run (id, job, connection_id, external_menu_id, mode, trigger, status, workflow_id, workflow_run_id, started_at, finished_at)
         select nextval('sync_run_id_seq'), 'MENU', $1, $2, 'FULL', 'SCHEDULE', $3, 'x', gen_random_uuid(), now(), now() - $4 * interval '1 minute'`,
        [connectionId, menuId, status, minutesAgo],
      );
    await updateRows(fixture.db, 'mirror_external_menu', { fullDue: true }, { id: menuId });
    await ended('SUCCESS', 95);
    for (const minutes of [90, 80]) await ended('FAILED', minutes);
    const afterTwo = await modes();
    await ended('FAILED', 10);
    const afterThree = [await modes(), await modes('FULL')];
    await updateRows(
      fixture.db,
      'sync_run',
      { finishedAt: plus('finishedAt', '-1 hour') },
      { workflowId: 'x' },
    );
    const anHourLater = await modes();
    await ended('SUCCESS', 5);

    expect([afterTwo, afterThree, anHourLater, await modes()]).toEqual([
      'FULL',
      ['INCREMENTAL', 'FULL'],
      'FULL',
      'FULL',
    ]);
    expect(
      await selectRow(fixture.db, 'mirror_external_menu', ['fullDue'], { id: menuId }),
    ).toEqual({
      fullDue: true,
    });
    await deleteRows(fixture.db, 'sync_run', { workflowId: 'x' });
    await updateRows(fixture.db, 'mirror_external_menu', { fullDue: false }, { id: menuId });
  });

  test('removes links that left a group and groups that left a dish in every run', async () => {
    const input = await staged('INCREMENTAL');
    const victim = await selectRow(
      fixture.db,
      'stage_link',
      ['itemErpId as item', 'groupKey as key'],
      { runId: input.runId },
      { orderBy: ['itemErpId', 'groupKey'], limit: 1 },
    );
    const removed = await fixture.db.query<{ id: string }>(
      'delete from stage_link where run_id = $1 and item_erp_id = $2 and group_key = $3 returning modifier_erp_id as id',
      [input.runId, victim.item, victim.key],
    );
    input.batches[0]!.rows.stage_link -= removed.length / input.batches.length;
    input.batches[1]!.rows.stage_link -= removed.length / input.batches.length;

    await applyImport(fixture.deps, { ...input, mode: 'INCREMENTAL' });

    expect(
      await fixture.db.db
        .selectFrom('mirror_modifier_link as link')
        .innerJoin('mirror_modifier_group as stored', (join) =>
          join
            .onRef('stored.id', '=', 'link.modifierGroupId')
            .on('stored.groupKey', '=', victim.key),
        )
        .innerJoin('mirror_item_size as size', 'size.id', 'stored.itemSizeId')
        .innerJoin('mirror_item as item', (join) =>
          join.onRef('item.id', '=', 'size.itemId').on('item.erpId', '=', victim.item),
        )
        .select((row) => row.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow(),
    ).toEqual({ count: 0 });
  });
});

describe('two menus with the same dishes', () => {
  test('[MIR-17] use the names of the higher priority, and dishes live while one menu lists them', async () => {
    const other = await aConnection(fixture.db, fixture.emulator.apiLogin);
    await addRow(fixture.db, 'mirror_external_menu', {
      connectionId: other.id,
      erpId: '9001',
      name: 'Twin',
      synchronizedAt: databaseNow(),
    });
    const twin = await selectRow(fixture.db, 'mirror_external_menu', ['id'], {
      connectionId: other.id,
    });
    await addRow(fixture.db, 'external_menu_setting', { externalMenuId: twin.id, priority: 200 });
    await applyImport(fixture.deps, await staged());
    const dish = await selectRow(
      fixture.db,
      'mirror_item',
      ['id', 'name'],
      { role: 'DISH' },
      { orderBy: 'id', limit: 1 },
    );
    const twinRun = async (name: string, mode: 'FULL' | 'INCREMENTAL'): Promise<ApplyInput> => {
      const input = await staged(mode);
      const runId = await fixture.open('MENU', {
        externalMenuId: twin.id,
        mode,
        connectionId: other.id,
      });
      for (const table of Object.keys(input.batches[0]!.rows))
        await fixture.db.query(`update ${table} set run_id = $2 where run_id = $1`, [
          input.runId,
          runId,
        ]);
      await fixture.db.query(
        `update stage_item stage set name = $2 from mirror_item item
          where stage.run_id = $1 and item.id = $3 and stage.erp_id = item.erp_id and stage.role = 'DISH'`,
        [runId, name, dish.id],
      );
      return { ...input, runId, connectionId: other.id, externalMenuId: twin.id, mode };
    };
    const shown = () =>
      fixture.db.db
        .selectFrom('mirror_item')
        .where('id', '=', dish.id)
        .select((row) => ['name', row('deletedAt', 'is not', null).as('deleted')])
        .executeTakeFirstOrThrow();

    await applyImport(fixture.deps, await twinRun('Name of the twin', 'FULL'));
    const withBoth = await shown();
    await updateRows(
      fixture.db,
      'external_menu_setting',
      { priority: 1 },
      { externalMenuId: twin.id },
    );
    await applyImport(fixture.deps, await twinRun('Name of the twin', 'FULL'));
    const twinFirst = await shown();
    await applyImport(fixture.deps, await staged());
    const notFlapping = await shown();
    const { itemIds } = await fixture.emulator.control<{ itemIds: string[] }>('vanish', {
      menuId: '9001',
      itemIds: [(await selectRow(fixture.db, 'mirror_item', ['erpId as id'], { id: dish.id })).id],
    });
    await applyImport(fixture.deps, await twinRun('', 'FULL'));
    const leftByTwin = await shown();
    await applyImport(fixture.deps, await staged());

    expect(itemIds).toHaveLength(1);
    expect(withBoth).toEqual({ name: dish.name, deleted: false });
    expect(twinFirst).toEqual({ name: 'Name of the twin', deleted: false });
    expect(notFlapping).toEqual(twinFirst);
    expect(leftByTwin).toEqual({ name: dish.name, deleted: false });
    expect(await shown()).toEqual({ name: dish.name, deleted: true });
  });
});

test('an import covers only organizations of its connection', () => {
  expect(organizationIds).toHaveLength(2);
});
