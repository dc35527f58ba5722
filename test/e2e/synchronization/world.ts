import type { AdminClient } from '../../support/admin-client.ts';
import type { PublicMenu, Truth } from '../../support/compare-menu.ts';
import { prepareProduct, type Product, type RunningApi } from '../../support/product.ts';
import { eventually } from '../../support/processes.ts';

export type Run = {
  id: number;
  status: string;
  reason: string | null;
  detail: string | null;
  revisionFrom: number | null;
  revisionTo: number | null;
  items: { created: number; updated: number; deleted: number };
  prices: { upserted: number; unchanged: number };
  anomalies: { code: string; count: number }[];
  result: Record<string, unknown>;
};

export type Call = { endpoint: string; status: number | null; time: string; request: Record<string, unknown> };

/** One running product (real processes, small chain) and what the rules do with it. */
export type World = {
  product: Product;
  api: RunningApi;
  admin: AdminClient;
  connectionId: number;
  /** The ERP's id of the external menu and ours. */
  menuId: string;
  menuRowId: number;
  /** ERP ids of the two organizations. */
  organizationIds: string[];
  /** Requests an import, waits for its end and returns its record. */
  run(job: string, mode?: string): Promise<Run>;
  /** Waits for the end of a run that exists. */
  ended(runId: number): Promise<Run>;
  control<T>(path: string, body?: unknown): Promise<T>;
  menu(organizationId?: string): Promise<PublicMenu>;
  truth(organizationId?: string): Promise<Truth>;
  /** Calls that the ERP received while `work` ran. */
  callsDuring(work: () => Promise<unknown>): Promise<Call[]>;
  /** Number and newest writer of the rows of every mirror table: equal when nothing was written. */
  mirrorState(): Promise<Record<string, string>>;
  stop(): Promise<void>;
};

/** Starts the product, seeds its catalogue through the admin API and waits until every menu is published. */
export async function startWorld(): Promise<World> {
  const product = await prepareProduct({ size: 'small', env: { SNAPSHOT_POLL: '100ms' } });
  const [, api] = await Promise.all([product.startWorker(), product.startApi()]);
  await product.seed(api.url);
  await product.settled();
  const admin = await product.signIn(api);
  const control: World['control'] = (path, body) => product.emulator.control(path, body);
  const state = await control<{ menus: { id: string; organizationIds: string[] }[] }>('state');
  const { id: menuId, organizationIds } = state.menus[0]!;
  const [row] = await product.db.query<{ connectionId: number; menuRowId: number }>(
    `select connection_id as "connectionId", id as "menuRowId" from mirror_external_menu where erp_id = $1`,
    [menuId],
  );
  const { connectionId, menuRowId } = row!;

  const ended: World['ended'] = (runId) =>
    eventually(`run ${runId} ends`, async () => {
      const run = await admin.get<Run>(`/sync/runs/${runId}`);
      return run.status === 'RUNNING' ? undefined : run;
    });
  return {
    product,
    api,
    admin,
    connectionId,
    menuId,
    menuRowId,
    organizationIds,
    control,
    ended,
    async run(job, mode) {
      const scope = job === 'MENU' ? menuId : String(connectionId);
      const { runId } = await admin.post<{ runId: number }>('/sync/run', {
        job,
        scope,
        ...(mode === undefined ? {} : { mode }),
      });
      return ended(runId);
    },
    async menu(organizationId = organizationIds[0]!) {
      return (await (await fetch(`${api.url}/api/v1/menu?organization_id=${organizationId}`)).json()) as PublicMenu;
    },
    truth: (organizationId = organizationIds[0]!) =>
      control<Truth>(`truth?menuId=${menuId}&organizationId=${organizationId}`),
    async callsDuring(work) {
      const before = await control<{ calls: { sequence: number }[] }>('calls');
      const since = before.calls.at(-1)?.sequence ?? 0;
      await work();
      return (await control<{ calls: Call[] }>(`calls?since=${since}`)).calls;
    },
    async mirrorState() {
      // The reconciler notes there when it ran, whatever imports do.
      const tables = await product.db.query<{ name: string }>(
        `select tablename as name from pg_tables where tablename like 'mirror%' and tablename <> 'mirror_reconciled' order by 1`,
      );
      const found: Record<string, string> = {};
      for (const { name } of tables) {
        const [rows] = await product.db.query<{ state: string }>(
          `select count(*) || ' ' || coalesce(max(xmin::text::bigint), 0) as state from ${name}`,
        );
        found[name] = rows!.state;
      }
      return found;
    },
    stop: () => product.stop(),
  };
}

/** One row of a table of rules: what is promised, and how it is shown on the running product. */
export type Rule = { id: string; rule: string; show: (world: World) => Promise<void> };
