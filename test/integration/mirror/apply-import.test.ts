import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { applyImport, type AppliedBatch, type ApplyInput } from '../../../modules/mirror/menu/apply-import.ts';
import { fetchAndStage } from '../../../modules/mirror/menu/fetch-and-stage.ts';
import { planMenuImport } from '../../../modules/mirror/menu/plan-menu-import.ts';
import { closeRun } from '../../../modules/mirror/runs/close-run.ts';
import { createFailpoints } from '../../../platform/failpoint.ts';
import { aConnection } from '../../support/connection.ts';
import { importBasics, importMenu, mirrorWorld, type MirrorWorld } from '../../support/mirror.ts';

let world: MirrorWorld;
let menuId: number;
let organizationIds: number[];
beforeAll(async () => {
  world = await mirrorWorld();
  menuId = await importBasics(world);
  organizationIds = (await world.db.query<{ id: number }>('select id from mirror_organization order by id')).map(
    (row) => row.id,
  );
  await importMenu(world, menuId);
});
afterAll(() => world.close());

const one = async <T extends object>(sql: string, params: unknown[] = []): Promise<T> => {
  const [row] = await world.db.query<T>(sql, params);
  if (row === undefined) throw new Error(`no row: ${sql}`);
  return row;
};

/** Stages a run with one batch per organization and returns what apply would be given. */
async function staged(mode: 'FULL' | 'INCREMENTAL' = 'FULL'): Promise<ApplyInput> {
  const { deps, connectionId } = world;
  const runId = await world.open('MENU', { externalMenuId: menuId, mode });
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

describe('apply', () => {
  test('[MIR-8] several batches are one menu: items once, prices of all organizations', async () => {
    const before = await one(
      'select count(*) as prices, sum(price_kopecks) as sum, (select count(*) from mirror_item) as items from mirror_price',
    );

    const outcome = await applyImport(world.deps, await staged());

    expect(outcome).toMatchObject({ outcome: 'APPLIED', applied: { changed: false } });
    expect(
      await one(
        'select count(*) as prices, sum(price_kopecks) as sum, (select count(*) from mirror_item) as items from mirror_price',
      ),
    ).toEqual(before);
  });

  test('a second call returns the counters of the first and writes nothing', async () => {
    await world.emulator.control('reprice', { menuId: '9001', percent: 3 });
    const input = await staged();
    const first = await applyImport(world.deps, input);
    const events = await one('select count(*) as count from outbox');
    await world.db.query('delete from stage_price');

    const second = await applyImport(world.deps, input);

    expect(second).toEqual(first);
    expect(first).toMatchObject({ applied: { changed: true } });
    expect(await one('select count(*) as count from outbox')).toEqual(events);
  });

  test('two calls at once apply once', async () => {
    await world.emulator.control('reprice', { menuId: '9001', percent: 3 });
    const input = await staged();
    const events = await one<{ count: number }>('select count(*) as count from outbox');

    const [first, second] = await Promise.all([applyImport(world.deps, input), applyImport(world.deps, input)]);

    expect(second).toEqual(first);
    expect(await one('select count(*) as count from outbox')).toEqual({ count: events.count + 1 });
  });

  test('lost staged rows are noticed and nothing is written', async () => {
    const input = await staged();
    await world.db.query('delete from stage_price where run_id = $1', [input.runId]);

    expect(await applyImport(world.deps, input)).toEqual({ outcome: 'STAGING_INCOMPLETE' });
  });

  test('rows of another attempt of a batch are not read', async () => {
    const input = await staged();
    await world.db.query(
      `insert into stage_item select run_id, batch, attempt + 1, gen_random_uuid(), role, 'Zombie', description, sku, type,
         order_item_type, measure_unit, product_category_erp_id, allergens, labels, is_hidden
         from stage_item where run_id = $1`,
      [input.runId],
    );

    expect(await applyImport(world.deps, input)).toMatchObject({
      applied: { counters: { items: { created: 0 } } },
    });
  });

  test('[MIR-6] a closed run writes nothing', async () => {
    const input = await staged();
    await closeRun(world.deps, { runId: input.runId, status: 'FAILED', reason: 'CANCELLED' });

    expect(await applyImport(world.deps, input)).toEqual({ outcome: 'RUN_CLOSED' });
  });

  test('[MIR-5] a fault inside the transaction rolls everything back', async () => {
    await world.emulator.control('reprice', { menuId: '9001', percent: 3 });
    const input = await staged();
    const before = await one('select sum(price_kopecks) as sum from mirror_price');
    const failpoint = (name: string) => {
      if (name === 'menu-apply') throw new Error('stopped here');
    };

    await expect(applyImport({ ...world.deps, failpoint }, input)).rejects.toThrow('stopped here');

    expect(await one('select sum(price_kopecks) as sum from mirror_price')).toEqual(before);
    expect(await one('select status, result from sync_run where id = $1', [input.runId])).toEqual({
      status: 'RUNNING',
      result: {},
    });
    expect(await applyImport({ ...world.deps, failpoint: createFailpoints(null) }, input)).toMatchObject({
      applied: { changed: true },
    });
  });

  test('differing revisions of batches: the smallest is saved and counted', async () => {
    const input = await staged();
    const [first, second] = input.batches;
    input.batches = [first!, { ...second!, revision: (second!.revision ?? 0) - 1 }];

    const outcome = await applyImport(world.deps, input);

    expect(outcome).toMatchObject({ applied: { revision: (first!.revision ?? 0) - 1 } });
    const { anomalies } = await one<{ anomalies: { code: string }[] }>('select anomalies from sync_run where id = $1', [
      input.runId,
    ]);
    expect(anomalies.map((each) => each.code)).toContain('REVISIONS_DIFFER');
  });

  test('the full mark is cleared by a full run only', async () => {
    await world.db.query('update mirror_external_menu set full_due = true where id = $1', [menuId]);
    const due = () => one('select full_due from mirror_external_menu where id = $1', [menuId]);
    const input = await staged('INCREMENTAL');
    await applyImport(world.deps, { ...input, mode: 'INCREMENTAL' });
    const afterIncremental = await due();

    await applyImport(world.deps, await staged('INCREMENTAL'));

    expect(input.mode).toBe('FULL');
    expect(afterIncremental).toEqual({ full_due: true });
    expect(await due()).toEqual({ full_due: false });
  });

  test('[OPS-1] an import that has written and is taken up again stays what it was, and the full one stays due', async () => {
    const { connectionId } = world;
    const input = await staged('INCREMENTAL');
    await applyImport(world.deps, input);
    await world.db.query('update mirror_external_menu set full_due = true where id = $1', [menuId]);
    const record = () => one('select mode, revision_from from sync_run where id = $1', [input.runId]);
    const before = await record();

    const plan = await planMenuImport(world.deps.db, { runId: input.runId, connectionId, externalMenuId: menuId });
    const { outcome } = await applyImport(world.deps, { ...input, mode: 'FULL' });

    expect(plan).toMatchObject({ mode: 'INCREMENTAL' });
    expect(before).toMatchObject({ mode: 'INCREMENTAL' });
    expect(await record()).toEqual(before);
    expect(outcome).toBe('APPLIED');
    expect(await one('select full_due from mirror_external_menu where id = $1', [menuId])).toEqual({ full_due: true });
    await world.db.query('update mirror_external_menu set full_due = false where id = $1', [menuId]);
  });

  test('[MIR-48] a full import that is due and fails again and again leaves room for prices, and is tried once an hour', async () => {
    const { connectionId } = world;
    const modes = async (mode: 'FULL' | 'INCREMENTAL' = 'INCREMENTAL') => {
      const runId = await world.open('MENU', { externalMenuId: menuId, mode });
      const plan = await planMenuImport(world.deps.db, { runId, connectionId, externalMenuId: menuId });
      return plan.outcome === 'READY' ? plan.mode : plan.outcome;
    };
    const ended = (status: string, minutesAgo: number) =>
      world.db.query(
        `insert into sync_run (id, job, connection_id, external_menu_id, mode, trigger, status, workflow_id, workflow_run_id, started_at, finished_at)
         select nextval('sync_run_id_seq'), 'MENU', $1, $2, 'FULL', 'SCHEDULE', $3, 'x', gen_random_uuid(), now(), now() - $4 * interval '1 minute'`,
        [connectionId, menuId, status, minutesAgo],
      );
    await world.db.query('update mirror_external_menu set full_due = true where id = $1', [menuId]);
    await ended('SUCCESS', 95);
    for (const minutes of [90, 80]) await ended('FAILED', minutes);
    const afterTwo = await modes();
    await ended('FAILED', 10);
    const afterThree = [await modes(), await modes('FULL')];
    await world.db.query(`update sync_run set finished_at = finished_at - interval '1 hour' where workflow_id = 'x'`);
    const anHourLater = await modes();
    await ended('SUCCESS', 5);

    expect([afterTwo, afterThree, anHourLater, await modes()]).toEqual([
      'FULL',
      ['INCREMENTAL', 'FULL'],
      'FULL',
      'FULL',
    ]);
    expect(await one('select full_due from mirror_external_menu where id = $1', [menuId])).toEqual({ full_due: true });
    await world.db.query(`delete from sync_run where workflow_id = 'x'`);
    await world.db.query('update mirror_external_menu set full_due = false where id = $1', [menuId]);
  });

  test('links that left a group and groups that left a dish go in every run', async () => {
    const input = await staged('INCREMENTAL');
    const victim = await one<{ item: string; key: string }>(
      'select item_erp_id as item, group_key as key from stage_link where run_id = $1 order by 1, 2 limit 1',
      [input.runId],
    );
    const removed = await world.db.query<{ id: string }>(
      'delete from stage_link where run_id = $1 and item_erp_id = $2 and group_key = $3 returning modifier_erp_id as id',
      [input.runId, victim.item, victim.key],
    );
    input.batches[0]!.rows.stage_link -= removed.length / input.batches.length;
    input.batches[1]!.rows.stage_link -= removed.length / input.batches.length;

    await applyImport(world.deps, { ...input, mode: 'INCREMENTAL' });

    expect(
      await one(
        `select count(*) as count from mirror_modifier_link link
           join mirror_modifier_group stored on stored.id = link.modifier_group_id and stored.group_key = $2
           join mirror_item_size size on size.id = stored.item_size_id
           join mirror_item item on item.id = size.item_id and item.erp_id = $1`,
        [victim.item, victim.key],
      ),
    ).toEqual({ count: 0 });
  });
});

describe('two menus with the same dishes', () => {
  test('[MIR-17] the one with the better priority names them, and they live while one menu lists them', async () => {
    const other = await aConnection(world.db, world.emulator.apiLogin);
    await world.db.query(
      `insert into mirror_external_menu (connection_id, erp_id, name, synchronized_at) values ($1, '9001', 'Twin', now())`,
      [other.id],
    );
    const twin = await one<{ id: number }>('select id from mirror_external_menu where connection_id = $1', [other.id]);
    await world.db.query('insert into external_menu_setting (external_menu_id, priority) values ($1, 200)', [twin.id]);
    await applyImport(world.deps, await staged());
    const dish = await one<{ id: number; name: string }>(
      `select id, name from mirror_item where role = 'DISH' order by id limit 1`,
    );
    const twinRun = async (name: string, mode: 'FULL' | 'INCREMENTAL'): Promise<ApplyInput> => {
      const input = await staged(mode);
      const runId = await world.open('MENU', { externalMenuId: twin.id, mode, connectionId: other.id });
      for (const table of Object.keys(input.batches[0]!.rows))
        await world.db.query(`update ${table} set run_id = $2 where run_id = $1`, [input.runId, runId]);
      await world.db.query(
        `update stage_item stage set name = $2 from mirror_item item
          where stage.run_id = $1 and item.id = $3 and stage.erp_id = item.erp_id and stage.role = 'DISH'`,
        [runId, name, dish.id],
      );
      return { ...input, runId, connectionId: other.id, externalMenuId: twin.id, mode };
    };
    const shown = () =>
      one<{ name: string; deleted: boolean }>(
        'select name, deleted_at is not null as deleted from mirror_item where id = $1',
        [dish.id],
      );

    await applyImport(world.deps, await twinRun('Name of the twin', 'FULL'));
    const withBoth = await shown();
    await world.db.query('update external_menu_setting set priority = 1 where external_menu_id = $1', [twin.id]);
    await applyImport(world.deps, await twinRun('Name of the twin', 'FULL'));
    const twinFirst = await shown();
    await applyImport(world.deps, await staged());
    const notFlapping = await shown();
    const { itemIds } = await world.emulator.control<{ itemIds: string[] }>('vanish', {
      menuId: '9001',
      itemIds: [(await one<{ id: string }>('select erp_id as id from mirror_item where id = $1', [dish.id])).id],
    });
    await applyImport(world.deps, await twinRun('', 'FULL'));
    const leftByTwin = await shown();
    await applyImport(world.deps, await staged());

    expect(itemIds).toHaveLength(1);
    expect(withBoth).toEqual({ name: dish.name, deleted: false });
    expect(twinFirst).toEqual({ name: 'Name of the twin', deleted: false });
    expect(notFlapping).toEqual(twinFirst);
    expect(leftByTwin).toEqual({ name: dish.name, deleted: false });
    expect(await shown()).toEqual({ name: dish.name, deleted: true });
  });
});

test('organizations are those of the connection', () => {
  expect(organizationIds).toHaveLength(2);
});
