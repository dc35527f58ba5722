import type { AdminClient } from '../../support/admin-client.ts';
import type { PublicMenu, Truth } from '../../support/compare-menu.ts';
import { prepareProduct, type Product, type RunningApi } from '../../support/product.ts';
import { eventually } from '../../support/processes.ts';
import { selectRow } from '../../support/rows.ts';
import { mirrorWrites } from '../../support/whole-schema.ts';

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

export type Call = {
  endpoint: string;
  status: number | null;
  time: string;
  request: Record<string, unknown>;
};

export type SyncProduct = {
  product: Product;
  api: RunningApi;
  admin: AdminClient;
  connectionId: number;
  /** The menu's ERP id and row id. */
  menuId: string;
  menuRowId: number;
  organizationIds: string[];
  run(job: string, mode?: string): Promise<Run>;
  ended(runId: number): Promise<Run>;
  control<T>(path: string, body?: unknown): Promise<T>;
  menu(organizationId?: string): Promise<PublicMenu>;
  truth(organizationId?: string): Promise<Truth>;
  callsDuring(work: () => Promise<unknown>): Promise<Call[]>;
  /** Number of rows and newest writer per mirror table, equal while there are no writes. */
  mirrorState(): Promise<Record<string, string>>;
  stop(): Promise<void>;
};

export async function startFixture(): Promise<SyncProduct> {
  const product = await prepareProduct({ size: 'small', env: { SNAPSHOT_POLL: '100ms' } });
  const [, api] = await Promise.all([product.startWorker(), product.startApi()]);
  await product.seed(api.url);
  await product.settled();
  const admin = await product.signIn(api);
  const control: SyncProduct['control'] = (path, body) => product.emulator.control(path, body);
  const state = await control<{ menus: { id: string; organizationIds: string[] }[] }>('state');
  const { id: menuId, organizationIds } = state.menus[0]!;
  const row = await selectRow(
    product.db,
    'mirror_external_menu',
    ['connectionId', 'id as menuRowId'],
    {
      erpId: menuId,
    },
  );
  const { connectionId, menuRowId } = row;

  const ended: SyncProduct['ended'] = (runId) =>
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
      return (await (
        await fetch(`${api.url}/api/v1/menu?organization_id=${organizationId}`)
      ).json()) as PublicMenu;
    },
    truth: (organizationId = organizationIds[0]!) =>
      control<Truth>(`truth?menuId=${menuId}&organizationId=${organizationId}`),
    async callsDuring(work) {
      const before = await control<{ calls: { sequence: number }[] }>('calls');
      const since = before.calls.at(-1)?.sequence ?? 0;
      await work();
      return (await control<{ calls: Call[] }>(`calls?since=${since}`)).calls;
    },
    mirrorState: () => mirrorWrites(product.db),
    stop: () => product.stop(),
  };
}

/** A row of a table of rules, with its demonstration on the running product. */
export type Rule = { id: string; rule: string; show: (fixture: SyncProduct) => Promise<void> };
