import { connectionSyncWorkflow, importLock } from '../../../modules/mirror/messages/sync.ts';
import { mapOf, square } from '../delivery-map.ts';
import { eventually } from '../processes.ts';
import type { Provocations } from './provocations.ts';
import type { RunbookProduct } from './world.ts';
import { above, ago, countRows, databaseNow, selectRow, selectRows, updateRows } from '../rows.ts';

const ageSuccesses = async ({ sql }: RunbookProduct, jobs: readonly string[], by: string) => {
  await sql('update connection set created_at = created_at - $1::interval', [by]);
  await sql('update external_menu_setting set due_since = due_since - $1::interval', [by]);
  await sql(
    `update sync_run set started_at = started_at - $2::interval, finished_at = finished_at - $2::interval
      where job = any($1::text[]) and status <> 'RUNNING'`,
    [jobs, by],
  );
};

const importIds = ({ connectionId, externalMenuId }: RunbookProduct) => ({
  connection: connectionId,
  externalMenu: externalMenuId,
});

/**
 * Starts an import that waits for the ERP, until `undo` cancels it in Temporal as in the runbook.
 */
export async function hangingImport(world: RunbookProduct) {
  const { admin, menuId, client, connectionId, externalMenuId } = world;
  await world.fault('slow', { endpoint: '/api/menu/v3/by_id', delayMs: 60_000 });
  const { runId } = await eventually('no menu is imported', async () => {
    const started = await admin.raw('POST', '/sync/run', {
      job: 'MENU',
      scope: menuId,
      mode: 'FULL',
    });
    return started.ok ? ((await started.json()) as { runId: number }) : undefined;
  });
  const undo = async () => {
    await client.workflow
      .getHandle(importLock({ job: 'MENU', connectionId, externalMenuId }))
      .cancel();
    await eventually('the import is cancelled', async () => {
      const { status } = await selectRow(world.db, 'sync_run', ['status'], { id: runId });
      return status === 'RUNNING' ? undefined : true;
    });
    await world.emulator.control('clear-faults');
  };
  return { runId, undo };
}

/** Removes the faults of the ERP, and the circuits and pauses that they caused. */
export async function erpIsBack({ emulator, sql }: RunbookProduct): Promise<void> {
  await emulator.control('clear-faults');
  for (const table of ['erp_circuit', 'erp_hold']) await sql(`delete from ${table}`);
}

async function importOf(
  world: RunbookProduct,
  job: Parameters<RunbookProduct['run']>[0],
  endpoint: string,
  body: object,
) {
  await world.emulator.control('answer', { endpoint, body });
  const run = await world.run(job);
  await world.emulator.control('answer', { endpoint });
  return run;
}

const RESTRICTIONS = '/api/1/delivery_restrictions';
const CIRCUIT_JOBS = ['ORGANIZATIONS', 'TERMINALS', 'MENU_LIST', 'STOP_LIST', 'ZONES'] as const;

export const IMPORT_ALERTS: Provocations = {
  CarteMenuImportStale: {
    provoke: async (world) => {
      const { runId, undo } = await hangingImport(world);
      await ageSuccesses(world, ['MENU'], '40 minutes');
      const { run } = world;
      return {
        row: { id: runId, status: 'RUNNING' },
        ids: importIds(world),
        undo: () => undo().then(() => run('MENU')),
      };
    },
  },
  CarteImportRunStuck: {
    provoke: async (world) => {
      const { runId, undo } = await hangingImport(world);
      await updateRows(world.db, 'sync_run', { startedAt: ago('40 minutes') }, { id: runId });
      const workflowId = importLock({
        job: 'MENU',
        connectionId: world.connectionId,
        externalMenuId: world.externalMenuId,
      });
      return { row: { id: runId, workflow_id: workflowId }, ids: importIds(world), undo };
    },
  },
  CarteStopListImportStale: {
    provoke: async (world) => {
      await ageSuccesses(world, ['STOP_LIST'], '10 minutes');
      const { id } = await importOf(world, 'STOP_LIST', '/api/1/stop_lists', {});
      const { run } = world;
      return { row: { id, status: 'FAILED' }, ids: importIds(world), undo: () => run('STOP_LIST') };
    },
  },
  CarteHourlyImportStale: {
    provoke: async (world) => {
      await ageSuccesses(world, ['ORGANIZATIONS', 'TERMINALS', 'MENU_LIST', 'ZONES'], '4 hours');
      const { id } = await importOf(world, 'ORGANIZATIONS', '/api/1/organizations', {});
      const { run } = world;
      return {
        row: { job: 'ORGANIZATIONS', connection_id: world.connectionId, status: 'FAILED' },
        ids: { ...importIds(world), run: id },
        undo: () =>
          Promise.all(
            (['ORGANIZATIONS', 'TERMINALS', 'MENU_LIST', 'ZONES'] as const).map((job) => run(job)),
          ),
      };
    },
  },
  CarteSuspiciousShrink: {
    procedures: ['Accepting a shrink'],
    provoke: async (world) => {
      const { emulator, menuId, run } = world;
      await emulator.control('vanish', { menuId, percent: 60 });
      const { id } = await run('MENU', 'FULL');
      return {
        row: { id, external_menu_id: world.externalMenuId },
        ids: { ...importIds(world), run: id, id },
        undo: async () => {
          await emulator.control('return', { menuId, sameId: true });
          await run('MENU', 'FULL');
        },
      };
    },
  },
  CarteStopListMarkWaiting: {
    made: 'the mark is set as a webhook sets it; a worker takes up what comes from the webhook itself at once',
    provoke: async (world) => {
      const { db, sql, organization } = world;
      await sql(
        `insert into mirror_stop_list_state (organization_id, dirty_at) values ($1, now() - interval '10 minutes')
         on conflict (organization_id) do update set dirty_at = excluded.dirty_at`,
        [organization.id],
      );
      return {
        row: { organization_id: organization.id },
        ids: importIds(world),
        undo: () => updateRows(db, 'mirror_stop_list_state', { dirtyAt: null }),
      };
    },
  },
  CarteImportPausedLong: {
    procedures: ['Paused import'],
    provoke: async (world) => {
      const { admin, connectionId } = world;
      const pause = await admin.post<{ id: number }>('/sync/pauses', {
        job: 'TERMINALS',
        connectionId,
        reason: 'a test',
      });
      return {
        row: { connection_id: connectionId, job: 'TERMINALS' },
        ids: { pause: pause.id },
        undo: () => admin.raw('DELETE', `/sync/pauses/${pause.id}`),
      };
    },
  },
  CarteEmptyList: {
    provoke: async (world) => {
      await importOf(world, 'ORGANIZATIONS', '/api/1/organizations', { organizations: [] });
      const { client, connectionId, run } = world;
      return {
        row: { connection_id: String(world.connectionId) },
        ids: importIds(world),
        undo: async () => {
          const since = new Date();
          await run('ORGANIZATIONS');
          // The restaurants are back: import their data.
          const handle = client.workflow.getHandle(connectionSyncWorkflow.id({ connectionId }));
          await eventually('the connection is imported', async () => {
            const found = await handle.describe().catch(() => null);
            return found !== null && found.startTime > since && found.status.name !== 'RUNNING'
              ? true
              : undefined;
          });
        },
      };
    },
  },
  CarteSuspiciousList: {
    provoke: async (world) => {
      const { emulator, run, sql } = world;
      const endpoint = '/api/1/terminal_groups';
      await emulator.control('answer', { endpoint, body: { terminalGroups: [] } });
      const running = run('TERMINALS');
      await eventually('the first list is refused', async () => {
        const refused = await sql(
          `select id from sync_run where status = 'RUNNING' and result ? 'lost'`,
        );
        return refused.length > 0 ? true : undefined;
      });
      // As if the first list had lacked other entries.
      await sql(
        `update sync_run set result = result || '{"lost": [0]}' where status = 'RUNNING' and result ? 'lost'`,
      );
      await running;
      await emulator.control('answer', { endpoint });
      return {
        row: { connection_id: String(world.connectionId) },
        ids: importIds(world),
        undo: () => run('TERMINALS'),
      };
    },
  },
  CarteMenuWithdrawn: {
    provoke: async (world) => {
      const { emulator, menuId, run } = world;
      await emulator.control('list-menu', { menuId, on: false });
      for (let time = 0; time < 2; time += 1) await run('MENU_LIST');
      return {
        row: { external_menu_id: String(world.externalMenuId), erp_id: menuId },
        ids: { ...importIds(world), id: world.externalMenuId },
        undo: async () => {
          await emulator.control('list-menu', { menuId, on: true });
          await run('MENU_LIST');
        },
      };
    },
  },
  CarteMenuNotImported: {
    provoke: async (world) => {
      const { emulator, menuId, run } = world;
      await emulator.control('list-menu', { menuId, on: false });
      for (let time = 0; time < 2; time += 1) await run('MENU');
      return {
        row: { external_menu_id: String(world.externalMenuId), reason: 'CLIENT' },
        ids: { ...importIds(world), id: world.externalMenuId },
        undo: async () => {
          await emulator.control('list-menu', { menuId, on: true });
          await run('MENU');
        },
      };
    },
  },
  CarteDeliveryMapBroken: {
    provoke: async (world) => {
      const { run, organization } = world;
      const zone = square('Line', 30);
      const map = mapOf(organization.erpId, [
        { ...zone, coordinates: (zone.coordinates ?? []).slice(0, 2) },
      ]);
      await importOf(world, 'ZONES', RESTRICTIONS, {
        correlationId: 'x',
        deliveryRestrictions: [map],
      });
      return {
        row: { organization_id: String(organization.id) },
        ids: importIds(world),
        undo: () => run('ZONES'),
      };
    },
  },
  CarteOrganizationRefused: {
    provoke: async (world) => {
      const { emulator, organization, run } = world;
      await emulator.control('refuse-organization', {
        organizationId: organization.erpId,
        status: 403,
      });
      await run('STOP_LIST');
      return {
        row: { organization_id: String(organization.id) },
        ids: importIds(world),
        undo: async () => {
          await emulator.control('accept-organizations');
          await run('STOP_LIST');
        },
      };
    },
  },
  CarteCredentialsRefused: {
    procedures: ['Credentials refused'],
    provoke: async (world) => {
      const { emulator, admin, connectionId, run } = world;
      await emulator.control('revoke-tokens');
      await world.fault('401-once', { endpoint: '/api/v2/access_token', times: 20 });
      await run('ORGANIZATIONS');
      return {
        row: { subject_id: String(connectionId) },
        ofProcedure: { connection_id: connectionId },
        ids: { ...importIds(world), id: connectionId },
        undo: async () => {
          await erpIsBack(world);
          await admin.raw('PUT', `/connections/${connectionId}/api-login`, {
            apiLogin: emulator.apiLogin,
          });
          await run('ORGANIZATIONS');
          // Re-enabling a connection recreates its schedules.
          await world.perform('apply-schedules');
        },
      };
    },
  },
  CarteErpCircuitOpen: {
    provoke: async (world) => {
      const { admin, connectionId, menuId } = world;
      // Prometheus detects an increase only after the counter exists. All retries fail: with an
      // open circuit an import takes a minute to fail.
      await world.fault('500', { endpoint: '/api/1/organizations', times: 4 });
      await world.run('ORGANIZATIONS');
      world.calm = await world.scrape();
      await world.fault('500', { times: 200 });
      // A poll may have started the same import.
      const start = (body: object) =>
        eventually(
          'the import is not running',
          async () => (await admin.raw('POST', '/sync/run', body)).ok || undefined,
        );
      for (const job of CIRCUIT_JOBS) await start({ job, scope: String(connectionId) });
      await start({ job: 'MENU', scope: menuId, mode: 'FULL' });
      await eventually('the circuit is open', async () =>
        (await countRows(world.db, 'erp_circuit', { openUntil: above(databaseNow()) })) > 0
          ? true
          : undefined,
      );
      return { row: { connection_id: connectionId }, ids: importIds(world) };
    },
  },
  CarteErpErrors: {
    provoke: async (world) => {
      const { db } = world;
      const reason = await eventually('an import has failed', async () => {
        const [row] = await selectRows(db, 'sync_run', ['reason'], {
          status: 'FAILED',
          reason: ['SERVER', 'CIRCUIT_OPEN'],
        });
        return row?.reason;
      });
      // These errors opened the circuit.
      return { row: { reason }, ids: importIds(world), before: world.calm! };
    },
  },
};
