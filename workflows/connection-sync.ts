import { sleep } from '@temporalio/workflow';
import type { ConnectionSyncInput, ImportInput } from '../modules/mirror/messages/sync.ts';
import { runActivities } from './support/activity-sets.ts';
import { underLock } from './support/under-lock.ts';

/** Many tries, because the next scheduled import of organizations may be an hour away. */
const TRIES = 10;
const PAUSE = '30 seconds';
/** Tries while a scheduled import has the lock, which ends soon. */
const LOCKED_TRIES = 60;
const LOCKED_PAUSE = '2 seconds';
/** Only a change of the connection or its owner helps, which starts another synchronization. */
const HOPELESS = new Set(['DISABLED', 'OWNER_INACTIVE', 'CREDENTIALS_REFUSED']);

/**
 * Runs the first imports in job order (MIR-34): later jobs need organizations and menus. Ends
 * early if the connection may not be imported or its credential is rejected.
 */
export async function connectionSync({
  connectionId,
  trigger,
  timings,
  queues,
}: ConnectionSyncInput): Promise<void> {
  const input = { connectionId, trigger, queues, ...(timings === undefined ? {} : { timings }) };
  for (const job of ['ORGANIZATIONS', 'TERMINALS', 'MENU_LIST'] as const)
    if (!(await importPatiently({ ...input, job }))) return;
  for (const externalMenuId of await runActivities().menusOfConnection({ connectionId }))
    await importPatiently({ ...input, job: 'MENU', externalMenuId });
  for (const job of ['STOP_LIST', 'ZONES'] as const) await importPatiently({ ...input, job });
}

/** Returns true if the import succeeded or was not needed. */
async function importPatiently(input: ImportInput): Promise<boolean> {
  let locked = 0;

  for (let tries = 0; tries < TRIES;) {
    const ended = await underLock(input);
    if (ended === 'ALREADY_RUNNING') {
      locked += 1;
      if (locked > LOCKED_TRIES) return false;
      await sleep(LOCKED_PAUSE, { summary: `Another import has the lock: ${input.job}` });
    } else if (ended !== 'GIVEN_UP' && HOPELESS.has(ended.reason ?? '')) {
      return false;
    } else if (ended !== 'GIVEN_UP' && ended.status !== 'FAILED') {
      return true;
    } else {
      tries += 1;
      await sleep(PAUSE, { summary: `Pause before the next try: ${input.job}` });
    }
  }

  return false;
}
