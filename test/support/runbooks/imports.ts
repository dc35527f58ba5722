import { connectionSyncWorkflow, importLock } from '../../../modules/mirror/messages/sync.ts';
import { buildDeliveryMap, square } from '../delivery-map.ts';
import { eventually } from '../processes.ts';
import type { Provocations } from './provocations.ts';
import type { RunbookProduct } from './fixture.ts';
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

/** The import waits for the ERP until `undo` cancels it. */
export async function hangingImport(fixture: RunbookProduct) {
  const { admin, menuId, client, connectionId, externalMenuId } = fixture;
  await fixture.fault('slow', { endpoint: '/api/menu/v3/by_id', delayMs: 60_000 });
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
      const { status } = await selectRow(fixture.db, 'sync_run', ['status'], { id: runId });
      return status === 'RUNNING' ? undefined : true;
    });
    await fixture.emulator.control('clear-faults');
  };
  return { runId, undo };
}

export async function erpIsBack({ emulator, sql }: RunbookProduct): Promise<void> {
  await emulator.control('clear-faults');
  for (const table of ['erp_circuit', 'erp_hold']) await sql(`delete from ${table}`);
}

async function importAnswer(
  fixture: RunbookProduct,
  job: Parameters<RunbookProduct['run']>[0],
  endpoint: string,
  body: object,
) {
  await fixture.emulator.control('answer', { endpoint, body });
  const run = await fixture.run(job);
  await fixture.emulator.control('answer', { endpoint });
  return run;
}

const RESTRICTIONS = '/api/1/delivery_restrictions';
const CIRCUIT_JOBS = ['ORGANIZATIONS', 'TERMINALS', 'MENU_LIST', 'STOP_LIST', 'ZONES'] as const;

export const IMPORT_ALERTS: Provocations = {
  CarteMenuImportStale: {
    provoke: async (fixture) => {
      const { runId, undo } = await hangingImport(fixture);
      await ageSuccesses(fixture, ['MENU'], '40 minutes');
      const { run } = fixture;
      return {
        row: { id: runId, status: 'RUNNING' },
        ids: importIds(fixture),
        undo: () => undo().then(() => run('MENU')),
      };
    },
  },
  CarteImportRunStuck: {
    provoke: async (fixture) => {
      const { runId, undo } = await hangingImport(fixture);
      await updateRows(fixture.db, 'sync_run', { startedAt: ago('40 minutes') }, { id: runId });
      const workflowId = importLock({
        job: 'MENU',
        connectionId: fixture.connectionId,
        externalMenuId: fixture.externalMenuId,
      });
      return { row: { id: runId, workflow_id: workflowId }, ids: importIds(fixture), undo };
    },
  },
  CarteStopListImportStale: {
    provoke: async (fixture) => {
      await ageSuccesses(fixture, ['STOP_LIST'], '10 minutes');
      const { id } = await importAnswer(fixture, 'STOP_LIST', '/api/1/stop_lists', {});
      const { run } = fixture;
      return {
        row: { id, status: 'FAILED' },
        ids: importIds(fixture),
        undo: () => run('STOP_LIST'),
      };
    },
  },
  CarteHourlyImportStale: {
    provoke: async (fixture) => {
      await ageSuccesses(fixture, ['ORGANIZATIONS', 'TERMINALS', 'MENU_LIST', 'ZONES'], '4 hours');
      const { id } = await importAnswer(fixture, 'ORGANIZATIONS', '/api/1/organizations', {});
      const { run } = fixture;
      return {
        row: { job: 'ORGANIZATIONS', connection_id: fixture.connectionId, status: 'FAILED' },
        ids: { ...importIds(fixture), run: id },
        undo: () =>
          Promise.all(
            (['ORGANIZATIONS', 'TERMINALS', 'MENU_LIST', 'ZONES'] as const).map((job) => run(job)),
          ),
      };
    },
  },
  CarteSuspiciousShrink: {
    procedures: ['Accepting a shrink'],
    provoke: async (fixture) => {
      const { emulator, menuId, run } = fixture;
      await emulator.control('vanish', { menuId, percent: 60 });
      const { id } = await run('MENU', 'FULL');
      return {
        row: { id, external_menu_id: fixture.externalMenuId },
        ids: { ...importIds(fixture), run: id, id },
        undo: async () => {
          await emulator.control('return', { menuId, sameId: true });
          await run('MENU', 'FULL');
        },
      };
    },
  },
  CarteStopListMarkWaiting: {
    made: 'the mark is set as a webhook sets it; a worker takes up what comes from the webhook itself at once',
    provoke: async (fixture) => {
      const { db, sql, organization } = fixture;
      await sql(
        `insert into mirror_stop_list_state (organization_id, dirty_at) values ($1, now() - interval '10 minutes')
         on conflict (organization_id) do update set dirty_at = excluded.dirty_at`,
        [organization.id],
      );
      return {
        row: { organization_id: organization.id },
        ids: importIds(fixture),
        undo: () => updateRows(db, 'mirror_stop_list_state', { dirtyAt: null }),
      };
    },
  },
  CarteImportPausedLong: {
    procedures: ['Paused import'],
    provoke: async (fixture) => {
      const { admin, connectionId } = fixture;
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
    provoke: async (fixture) => {
      await importAnswer(fixture, 'ORGANIZATIONS', '/api/1/organizations', { organizations: [] });
      const { client, connectionId, run } = fixture;
      return {
        row: { connection_id: String(fixture.connectionId) },
        ids: importIds(fixture),
        undo: async () => {
          const since = new Date();
          await run('ORGANIZATIONS');
          // Imports the data of the restaurants that are back.
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
    provoke: async (fixture) => {
      const { emulator, run, sql } = fixture;
      const endpoint = '/api/1/terminal_groups';
      await emulator.control('answer', { endpoint, body: { terminalGroups: [] } });
      const running = run('TERMINALS');
      await eventually('the first list is refused', async () => {
        const refused = await sql(
          `select id from sync_run where status = 'RUNNING' and result ? 'lost'`,
        );
        return refused.length > 0 ? true : undefined;
      });
      // Simulates a first list that lacked other entries.
      await sql(
        `update sync_run set result = result || '{"lost": [0]}' where status = 'RUNNING' and result ? 'lost'`,
      );
      await running;
      await emulator.control('answer', { endpoint });
      return {
        row: { connection_id: String(fixture.connectionId) },
        ids: importIds(fixture),
        undo: () => run('TERMINALS'),
      };
    },
  },
  CarteMenuWithdrawn: {
    provoke: async (fixture) => {
      const { emulator, menuId, run } = fixture;
      await emulator.control('list-menu', { menuId, on: false });
      for (let time = 0; time < 2; time += 1) await run('MENU_LIST');
      return {
        row: { external_menu_id: String(fixture.externalMenuId), erp_id: menuId },
        ids: { ...importIds(fixture), id: fixture.externalMenuId },
        undo: async () => {
          await emulator.control('list-menu', { menuId, on: true });
          await run('MENU_LIST');
        },
      };
    },
  },
  CarteMenuNotImported: {
    provoke: async (fixture) => {
      const { emulator, menuId, run } = fixture;
      await emulator.control('list-menu', { menuId, on: false });
      for (let time = 0; time < 2; time += 1) await run('MENU');
      return {
        row: { external_menu_id: String(fixture.externalMenuId), reason: 'CLIENT' },
        ids: { ...importIds(fixture), id: fixture.externalMenuId },
        undo: async () => {
          await emulator.control('list-menu', { menuId, on: true });
          await run('MENU');
        },
      };
    },
  },
  CarteDeliveryMapBroken: {
    provoke: async (fixture) => {
      const { run, organization } = fixture;
      const zone = square('Line', 30);
      const map = buildDeliveryMap(organization.erpId, [
        { ...zone, coordinates: (zone.coordinates ?? []).slice(0, 2) },
      ]);
      await importAnswer(fixture, 'ZONES', RESTRICTIONS, {
        correlationId: 'x',
        deliveryRestrictions: [map],
      });
      return {
        row: { organization_id: String(organization.id) },
        ids: importIds(fixture),
        undo: () => run('ZONES'),
      };
    },
  },
  CarteOrganizationRefused: {
    provoke: async (fixture) => {
      const { emulator, organization, run } = fixture;
      await emulator.control('refuse-organization', {
        organizationId: organization.erpId,
        status: 403,
      });
      await run('STOP_LIST');
      return {
        row: { organization_id: String(organization.id) },
        ids: importIds(fixture),
        undo: async () => {
          await emulator.control('accept-organizations');
          await run('STOP_LIST');
        },
      };
    },
  },
  CarteCredentialsRefused: {
    procedures: ['Credentials refused'],
    provoke: async (fixture) => {
      const { emulator, admin, connectionId, run } = fixture;
      await emulator.control('revoke-tokens');
      await fixture.fault('401-once', { endpoint: '/api/v2/access_token', times: 20 });
      await run('ORGANIZATIONS');
      return {
        row: { subject_id: String(connectionId) },
        ofProcedure: { connection_id: connectionId },
        ids: { ...importIds(fixture), id: connectionId },
        undo: async () => {
          await erpIsBack(fixture);
          await admin.raw('PUT', `/connections/${connectionId}/api-login`, {
            apiLogin: emulator.apiLogin,
          });
          await run('ORGANIZATIONS');
          // Re-enabling a connection recreates its schedules.
          await fixture.perform('apply-schedules');
        },
      };
    },
  },
  CarteErpCircuitOpen: {
    provoke: async (fixture) => {
      const { admin, connectionId, menuId } = fixture;
      // Prometheus detects an increase only after the counter exists. All retries fail: with an
      // open circuit this takes a minute.
      await fixture.fault('500', { endpoint: '/api/1/organizations', times: 4 });
      await fixture.run('ORGANIZATIONS');
      fixture.calm = await fixture.scrape();
      await fixture.fault('500', { times: 200 });
      // A poll may have started the same import.
      const start = (body: object) =>
        eventually(
          'the import is not running',
          async () => (await admin.raw('POST', '/sync/run', body)).ok || undefined,
        );
      for (const job of CIRCUIT_JOBS) await start({ job, scope: String(connectionId) });
      await start({ job: 'MENU', scope: menuId, mode: 'FULL' });
      await eventually('the circuit is open', async () =>
        (await countRows(fixture.db, 'erp_circuit', { openUntil: above(databaseNow()) })) > 0
          ? true
          : undefined,
      );
      return { row: { connection_id: connectionId }, ids: importIds(fixture) };
    },
  },
  CarteErpErrors: {
    provoke: async (fixture) => {
      const { db } = fixture;
      const reason = await eventually('an import has failed', async () => {
        const [row] = await selectRows(db, 'sync_run', ['reason'], {
          status: 'FAILED',
          reason: ['SERVER', 'CIRCUIT_OPEN'],
        });
        return row?.reason;
      });
      // These errors opened the circuit.
      return { row: { reason }, ids: importIds(fixture), before: fixture.calm! };
    },
  },
};
