import type { Proofs } from './mutation.ts';

export const MIRROR: Proofs = {
  'test/integration/mirror/apply-import.test.ts': {
    'modules/mirror/runs/run-fence.ts enterRun false row.applied': [
      'returns the counters of the first call and writes nothing in a second one',
      'happens once in concurrent calls',
    ],
    'modules/mirror/runs/run-fence.ts enterRun false row.status': 'writes nothing for a closed run',
    'modules/mirror/menu/staged-batches.ts isStagedCompletely false row.count':
      'detects lost staged rows and writes nothing',
    'modules/mirror/menu/staged-batches.ts mergeBatches drop using attempt':
      'ignores rows of another attempt of a batch',
    'modules/mirror/menu/apply-import.ts saveMenu false input.mode':
      'completes a due full import only in a full run',
    'modules/mirror/menu/merge-items.ts mergeItems true seen.is_owner':
      'use the names of the higher priority, and dishes live while one menu lists them',
  },
  'test/integration/mirror/other-imports.test.ts': {
    'modules/mirror/runs/open-run.ts insertRun drop .onConflict':
      'opens and ends a run once, with a value in every field for every status',
    'modules/mirror/runs/close-run.ts closeRunIn drop .where status':
      'opens and ends a run once, with a value in every field for every status',
    'modules/mirror/runs/fenced-import.ts fencedImport false before':
      'sends no request in a second call of the same run and returns the stored result',
  },
  'test/workflows/imports.test.ts': {
    'workflows/menu-import.ts FETCH_ROUNDS once FETCH_ROUNDS':
      'rows that staging has lost are fetched again',
    'modules/mirror/menu/plan-menu-import.ts chooseMode false fullDue':
      'the nightly full import runs after an incremental one that runs at its time',
    'workflows/support/under-lock.ts underLock drop workflowId:':
      'a tick that finds the import running ends normally',
    'workflows/support/under-lock.ts underLock false error':
      'a tick that finds the import running ends normally',
    'workflows/support/import-run.ts importRun unwrap CancellationScope.nonCancellable #2':
      'a canceled import closes its run',
    'workflows/support/activity-sets.ts ERP_RETRY once maximumAttempts':
      'a server error is retried, and a rejection with Retry-After is retried after that time',
  },
  'test/integration/mirror/stop-lists.test.ts': {
    'modules/mirror/import-stop-lists.ts stampState false mirror_stop_list_state.dirty_seq >':
      'stays outdated if it became so between the request and its application, with any clocks',
    'modules/mirror/mark-stop-lists-dirty.ts markStopListsDirty drop + 1':
      'stays outdated if it became so between the request and its application, with any clocks',
  },
  'test/integration/mirror/polls.test.ts': {
    'modules/mirror/runs/poll-in-batches.ts pollInBatches false isChange()': [
      'writes nothing for a stopped item and starts the import',
      'changes nothing if its answer is older than an import',
    ],
    'modules/mirror/menu/poll-menu.ts pollMenu false plan.mode':
      'starts a due full import without a call',
  },
  'test/integration/mirror/zones.test.ts': {
    'modules/mirror/zones/save-zones.ts saveDefaults drop on conflict':
      'equal zones are not written again',
  },
  'test/http/mirror/sync-runs.test.ts': {
    'modules/mirror/runs/cancel-run.ts holdRunning drop .forUpdate':
      'a run that is writing its data cannot be canceled',
    'modules/mirror/runs/start-import.ts startImportWorkflow share FAIL':
      'starts one run for two concurrent requests',
  },
  'test/workflows/reconcile.test.ts': {
    'modules/mirror/reconcile.ts reconcileImports drop result.restarted +=':
      'runs, rebuilds, events, full imports and stop-list imports resume from rows',
    'modules/mirror/reconcile.ts reconcileImports false isExecutionRunning()':
      'pending work is started, and a running import is not affected',
  },
  'test/integration/mirror/imports-at-once.test.ts': {
    'modules/mirror/runs/run-fence.ts enterRun drop advisory.connectionImports':
      'take turns if they have one connection',
    'modules/mirror/runs/run-fence.ts enterRun drop advisory.connectionStopLists':
      'take turns for stop-lists, and never wait for a menu',
    'modules/mirror/runs/run-fence.ts enterRun drop .forUpdate':
      'the closing of a run waits until its application has committed',
    'modules/mirror/menu/merge-rows.ts mergeRows drop on conflict':
      'once if two connections import it',
    'modules/mirror/menu/merge-items.ts mergeItems drop on conflict':
      'once if two connections import it',
    'modules/mirror/menu/merge-items.ts lockItems drop for no key update':
      'delete a dish that menus of two connections lose at the same moment',
    'modules/mirror/menu/merge-items.ts lockItems drop order by':
      'an import locks %s dishes, which other connections may write too, in id order',
    'modules/mirror/import-organizations.ts save drop advisory.organizationOwners':
      'activate an organization in one of two connections that import it',
    'modules/mirror/menu/merge-rows.ts mergeRows drop for no key update':
      'an import locks renamed product categories, shared by all connections, in key order',
    'modules/mirror/menu/merge-rows.ts mergeRows drop order by #2':
      'an import locks renamed product categories, shared by all connections, in key order',
  },
  'test/workflows/stop-list-refresh.test.ts': {
    'workflows/stop-list-refresh.ts stopListRefresh true status':
      'causes another request to the ERP if it arrives after the answer of an import',
  },
  'test/workflows/menu-runs.test.ts': {
    'modules/mirror/runs/accept-shrink.ts refusedRun drop .forUpdate':
      'one of several parallel starts runs the import, and the others return already-running',
    'modules/mirror/menu/shrink-guard.ts judgeShrink true isCovered()':
      'rejects a larger share than the accepted one',
  },
  'test/integration/mirror/shared-dishes.test.ts': {
    'modules/mirror/menu/merge-items.ts lockItems drop for no key update':
      'keep the name of the menu with priority, even if the other one did not see it',
  },
  'test/integration/mirror/menu-settings-at-once.test.ts': {
    'modules/mirror/pauses/import-pauses.ts readPause drop .forUpdate pause':
      'concurrent requests end a pause once',
  },
};
