import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freeLowPort } from '../../tools/ports.ts';
import { resolveTemporal } from '../../tools/temporal-binary.ts';
import { startTemporal, type Temporal } from '../../tools/temporal-server.ts';
import type { AdminClient } from '../support/admin-client.ts';
import { compareMenu, type PublicMenu, type Truth } from '../support/compare-menu.ts';
import { eventually, type Started } from '../support/processes.ts';
import {
  QUICK_RECOVERY,
  startDemoProduct,
  type Product,
  type RunningApi,
} from '../support/product.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { selectRows, updateRows } from '../support/rows.ts';

let folder: string;
let port: number;
let temporal: Temporal;
let product: Product;
let api: RunningApi;
let admin: AdminClient;
let worker: Started;
let organizationId: string;
let menuId: string;

async function startServer(): Promise<Temporal> {
  const { TEMPORAL_ADDRESS: _other, ...env } = process.env;
  const found = await resolveTemporal({ env, log: () => undefined });
  if (found.kind !== 'binary') throw new Error('a binary is needed');
  return startTemporal({
    binary: found.path,
    dataDir: join(folder, 'temporal'),
    port,
    log: () => undefined,
  });
}

beforeAll(async () => {
  folder = await temporaryFolder('temporal-loss');
  port = await freeLowPort();
  temporal = await startServer();
  const env = { ...QUICK_RECOVERY, SNAPSHOT_DEBOUNCE: '2s', SNAPSHOT_DEBOUNCE_MAX: '10s' };
  ({ product, api, worker, admin, menuId, organizationId } = await startDemoProduct({
    temporal,
    env,
  }));
});
afterAll(async () => {
  await product?.stop();
  await temporal?.stop();
  await rm(folder, { recursive: true, force: true });
});

const readMenu = async () =>
  (await (
    await fetch(`${api.url}/api/v1/menu?organization_id=${organizationId}`)
  ).json()) as PublicMenu;

describe("an installation after the loss of Temporal's database", () => {
  test('[MIR-46, OPS-1] continues imports, rebuilds, full imports and schedules from the rows', async () => {
    const [edited] = (await readMenu()).products;
    const { version } = await admin.get<{ version: number }>(`/products/${edited!.id}`);
    await admin.patch(`/products/${edited!.id}`, { version, name: 'Правка перед потерей' });
    await product.emulator.control('reprice', { menuId, percent: 13 });
    // The import cannot write before Temporal ends.
    await product.emulator.control('fault', {
      kind: 'slow',
      endpoint: '/api/menu/v3/by_id',
      delayMs: 3_600_000,
    });
    const { runId } = await admin.post<{ runId: number }>('/sync/run', {
      job: 'MENU',
      scope: menuId,
      mode: 'INCREMENTAL',
    });
    await updateRows(product.db, 'mirror_external_menu', { fullDue: true }, { erpId: menuId });
    await temporal.stop();
    await product.emulator.control('clear-faults');
    await rm(join(folder, 'temporal'), { recursive: true, force: true });

    temporal = await startServer();

    const truth = await product.emulator.control<Truth>(
      `truth?menuId=${menuId}&organizationId=${organizationId}`,
    );
    const menu = await eventually('the menu catches up', async () => {
      const found = await readMenu();
      const renamed = found.products.some(
        (entry) => entry.id === edited!.id && entry.name === 'Правка перед потерей',
      );
      return renamed && compareMenu(found, [truth], []).length === 0 ? found : undefined;
    });
    const full = await eventually('the full import', async () => {
      const rows = await selectRows(product.db, 'mirror_external_menu', ['fullDue'], {
        erpId: menuId,
      });
      return rows[0]!.fullDue ? undefined : rows;
    });
    const lost = await eventually('the lost run is closed', async () => {
      const run = await admin
        .get<{ status: string }>(`/sync/runs/${runId}`)
        .catch(() => ({ status: 'NEVER_OPENED' }));
      return run.status === 'RUNNING' ? undefined : run;
    });

    expect(await Promise.race([worker.exited, Promise.resolve('still up')])).toBe('still up');
    expect(menu.products.length).toBeGreaterThan(0);
    expect(full).toHaveLength(1);
    expect(['SUCCESS', 'SKIPPED', 'FAILED', 'NEVER_OPENED']).toContain(lost.status);
  });
});
