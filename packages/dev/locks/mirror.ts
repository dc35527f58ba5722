import type { Proofs } from './mutation.ts';

/** Imports: locks by workflow id, fences, staging, flags, recovery of a lost run. */
export const MIRROR: Proofs = {
  'test/integration/mirror/apply-import.test.ts': {
    'modules/mirror/runs/run-fence.ts enterRun false row.applied': [
      'a second call returns the counters of the first and writes nothing',
      'concurrent calls apply once',
    ],
    'modules/mirror/runs/run-fence.ts enterRun false row.status': 'a closed run writes nothing',
    'modules/mirror/menu/staged-batches.ts isStagedCompletely false found.count':
      'lost staged rows are noticed and nothing is written',
    'modules/mirror/menu/staged-batches.ts mergeBatches drop using attempt':
      'rows of another attempt of a batch are not read',
    'modules/mirror/menu/apply-import.ts saveMenu false input.mode': 'the full mark is cleared by a full run only',
    'modules/mirror/menu/merge-items.ts mergeItems true seen.is_owner': 'the one with the better priority names them',
  },
  'test/integration/mirror/other-imports.test.ts': {
    'modules/mirror/runs/open-run.ts insertRun drop .onConflict': 'a run is opened once, ended once',
    'modules/mirror/runs/close-run.ts closeRunIn drop .where status': 'a run is opened once, ended once',
    'modules/mirror/runs/fenced-import.ts fencedImport false before':
      'a second call of the same run sends no request to the ERP',
  },
  'test/workflows/imports.test.ts': {
    'workflows/menu-import.ts FETCH_ROUNDS once FETCH_ROUNDS': 'rows that staging has lost are fetched again',
    'modules/mirror/menu/plan-menu-import.ts modeOf false fullDue':
      'the nightly full import is not lost to the incremental one',
    'workflows/support/under-lock.ts underLock drop workflowId:': 'a tick finds the import running: a normal result',
    'workflows/support/under-lock.ts underLock false error': 'a tick finds the import running: a normal result',
    'workflows/support/import-run.ts importRun unwrap CancellationScope.nonCancellable #2':
      'a canceled import closes its run',
    'workflows/support/activity-sets.ts ERP_RETRY once maximumAttempts': 'a server error is tried again',
  },
  'test/integration/mirror/stop-lists.test.ts': {
    'modules/mirror/import-stop-lists.ts stampState false mirror_stop_list_state.dirty_seq >':
      'a mark that arrives between the fetch and the apply stays',
    'modules/mirror/mark-stop-lists-dirty.ts markStopListsDirty drop + 1':
      'a mark that arrives between the fetch and the apply stays',
  },
  'test/integration/mirror/polls.test.ts': {
    'modules/mirror/runs/poll-in-batches.ts pollInBatches false isChange()': [
      'a poll that finds a stopped item writes nothing and starts the import',
      'a poll whose answer is older than an import changes nothing',
    ],
    'modules/mirror/menu/poll-menu.ts pollMenu false plan.mode':
      'a poll starts a full import that is due without a call',
  },
  'test/integration/mirror/zones.test.ts': {
    'modules/mirror/zones/save-zones.ts saveDefaults drop on conflict': 'equal rows are not written again',
  },
  'test/http/mirror/sync-runs.test.ts': {
    'modules/mirror/runs/cancel-run.ts holdRunning drop .forUpdate':
      'a run that writes its data at this moment is not canceled',
    'modules/mirror/runs/start-import.ts startImportWorkflow share FAIL': 'one of two concurrent requests starts',
  },
  'test/workflows/reconcile.test.ts': {
    'modules/mirror/reconcile.ts reconcileImports drop result.restarted +=':
      'an empty Temporal resumes runs, rebuilds, events, full and stop-list marks from the rows',
    'modules/mirror/reconcile.ts reconcileImports false isExecutionRunning()': 'a running import is not affected',
  },
  'test/integration/mirror/imports-at-once.test.ts': {
    'modules/mirror/runs/run-fence.ts enterRun drop advisory.connectionImports':
      'imports of one connection are applied one after the other',
    'modules/mirror/runs/run-fence.ts enterRun drop advisory.connectionStopLists':
      'imports of stop-lists are applied one after the other, and never wait for a menu',
    'modules/mirror/runs/run-fence.ts enterRun drop .forUpdate':
      'who closes a run that is being applied waits for its transaction',
    'modules/mirror/menu/merge-rows.ts mergeRows drop on conflict':
      'that two connections import concurrently exists once',
    'modules/mirror/menu/merge-items.ts mergeItems drop on conflict':
      'that two connections import concurrently exists once',
    'modules/mirror/menu/merge-items.ts lockItems drop for no key update':
      'a dish that menus of two connections lose at the same moment is deleted',
    'modules/mirror/menu/merge-items.ts lockItems drop order by':
      'which other connections may write as well, are locked in id order',
    'modules/mirror/import-organizations.ts save drop advisory.organizationOwners':
      'an organization that two connections import concurrently',
    'modules/mirror/menu/merge-rows.ts mergeRows drop for no key update':
      'renamed product categories, which belong to all connections',
    'modules/mirror/menu/merge-rows.ts mergeRows drop order by #2':
      'renamed product categories, which belong to all connections',
  },
  'test/workflows/stop-list-refresh.test.ts': {
    'workflows/stop-list-refresh.ts stopListRefresh true status':
      'that arrives after the answer of an import causes another request to the ERP',
  },
  'test/workflows/menu-runs.test.ts': {
    'modules/mirror/runs/accept-shrink.ts refusedRun drop .forUpdate':
      'one of several parallel starts runs the import, and the others get already-running',
    'modules/mirror/menu/shrink-guard.ts judgeShrink true isCovered()':
      'a larger share than the accepted one is rejected again',
  },
  'test/integration/mirror/shared-dishes.test.ts': {
    'modules/mirror/menu/merge-items.ts lockItems drop for no key update': 'a menu that comes first keeps the name',
  },
  'test/integration/mirror/menu-settings-at-once.test.ts': {
    'modules/mirror/pauses/import-pauses.ts readPause drop .forUpdate pause':
      'a pause is ended once in concurrent requests',
  },
};
