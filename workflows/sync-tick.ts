import type { SyncTickInput, SyncTickResult } from '../modules/mirror/messages/sync.ts';
import { runActivities } from './support/activity-sets.ts';
import { underLock } from './support/under-lock.ts';

/**
 * Runs a scheduled import under the lock that it shares with manual runs. The nightly tick first
 * flags its menus, so that a full import follows even if another run has the lock. The tick stays
 * open during its imports, so that overlapping ticks are skipped.
 */
export async function syncTick(input: SyncTickInput): Promise<SyncTickResult> {
  const { markFullDue, ...run } = input;
  const menus = await listMenus(input);
  if (markFullDue === true) await runActivities().markFullDue({ externalMenuIds: menus });
  const targets = input.job === 'MENU' ? menus.map((externalMenuId) => ({ externalMenuId })) : [{}];
  let result: SyncTickResult = { outcome: 'ALREADY_RUNNING' };

  for (const target of targets) {
    const ended = await underLock({ ...run, ...target, trigger: 'SCHEDULE' });
    if (ended === 'GIVEN_UP') result = { outcome: ended };
    else if (ended !== 'ALREADY_RUNNING') result = { outcome: 'RAN', status: ended.status };
  }

  return result;
}

async function listMenus({ job, connectionId, externalMenuId }: SyncTickInput): Promise<number[]> {
  if (job !== 'MENU') return [];
  return externalMenuId === undefined
    ? runActivities().menusOfConnection({ connectionId })
    : [externalMenuId];
}
