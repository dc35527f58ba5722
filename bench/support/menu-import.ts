import { importLock } from '../../modules/mirror/messages/sync.ts';
import { readFile } from 'node:fs/promises';
import { Client, Connection } from '@temporalio/client';
import type { AdminClient } from '../../test/support/admin-client.ts';
import { eventually, type Started } from '../../test/support/processes.ts';
import type { Product } from '../../test/support/product.ts';
import { asOwner } from '../../test/support/database-roles.ts';
import { selectRow, updateRows } from '../../test/support/rows.ts';

export const MENU = '9001';

/** Tables that an import writes, in foreign key order. */
export const TABLES = [
  'mirror_item',
  'mirror_item_menu',
  'mirror_item_placement',
  'mirror_item_size',
  'mirror_size_menu',
  'mirror_price',
  'mirror_modifier_group',
  'mirror_modifier_link',
];

type Run = { id: number; status: string; startedAt: string; finishedAt: string };
type Stages = Record<string, number>;

/** Durations of a run and of its activities, in seconds. */
export type Imported = { seconds: number; stages: Stages };

export async function peakMiB({ child }: Started): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)![1]) / 1024);
}

/** Imports a menu. Wall time is from the run record, activity times are from Temporal's history. */
export async function importMenu(
  { temporal, db }: Product,
  admin: AdminClient,
  mode: string,
  prepare?: () => Promise<void>,
): Promise<Imported> {
  await prepare?.();
  const { runId } = await admin.post<{ runId: number }>('/sync/run', {
    job: 'MENU',
    scope: MENU,
    mode,
  });

  const run = await eventually(
    `run ${runId}`,
    async () => {
      const found = await admin.get<Run>(`/sync/runs/${runId}`);
      return found.status === 'RUNNING' ? undefined : found;
    },
    120_000,
    20,
  );
  if (run.status === 'FAILED') throw new Error(`run ${runId} failed`);

  const menu = await selectRow(db, 'mirror_external_menu', ['id', 'connectionId'], { erpId: MENU });
  const connection = await Connection.connect({ address: temporal.address });
  const client = new Client({ connection, namespace: temporal.namespace });
  const stages: Stages = {};
  const names = new Map<string, { name: string; at: number }>();
  const history = await client.workflow
    .getHandle(
      importLock({ job: 'MENU', connectionId: menu.connectionId, externalMenuId: menu.id }),
    )
    .fetchHistory();

  for (const event of history.events ?? []) {
    const at = Number(event.eventTime!.seconds) + event.eventTime!.nanos! / 1e9;
    const scheduled = event.activityTaskScheduledEventAttributes;
    const completed = event.activityTaskCompletedEventAttributes;
    if (scheduled != null)
      names.set(String(event.eventId), { name: scheduled.activityType!.name!, at });
    if (completed != null) {
      const { name, at: begun } = names.get(String(completed.scheduledEventId))!;
      stages[name] = (stages[name] ?? 0) + at - begun;
    }
  }

  await connection.close();

  return { seconds: (Date.parse(run.finishedAt) - Date.parse(run.startedAt)) / 1000, stages };
}

export async function emptyMirror({ db }: Product): Promise<void> {
  await asOwner(
    db,
    `truncate ${[...TABLES, 'mirror_menu_category', 'mirror_product_category'].join(', ')} cascade`,
  );

  await updateRows(db, 'mirror_external_menu', { revision: null, revisionFingerprint: null });
}
