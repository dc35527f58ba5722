import type { Proofs } from './mutation.ts';

export const MENUS: Proofs = {
  'test/integration/menus/publish.test.ts': {
    'modules/menus/snapshot/snapshot-row.ts lockSnapshot drop advisory.snapshot':
      'make a patch wait for a running first publication',
    'modules/menus/snapshot/publish-snapshot.ts isStale false request.builtSeq':
      'never replace a newer menu by one from older facts',
    'modules/menus/rebuilds/build-result.ts markBuilt false dirty_seq >':
      'keep the request open for a change recorded during the build',
    'modules/menus/snapshot/publish-snapshot.ts finalBytes true guess.flags.every()':
      'publish a stop that begins between build and publication',
    'modules/menus/snapshot/publish-snapshot.ts publishSnapshot false snapshot.contentHash':
      'publish once in competing first builds',
    'modules/menus/rebuilds/build-result.ts markBuilt drop greatest':
      'never replace a newer menu by one from older facts',
  },
  'test/integration/menus/facts.test.ts': {
    'modules/menus/snapshot/read-facts.ts readFacts drop isolation level':
      'includes an import that commits concurrently either completely or not at all',
  },
  'test/integration/menus/menu-store.test.ts': {
    'modules/menus/storefront/ensure-snapshot.ts tryBuild drop advisory.tryFirstBuild':
      'makes requests wait without a connection while another process builds',
    'modules/menus/storefront/ensure-snapshot.ts tryBuild false snapshot':
      'happens only if the menu is still missing',
    'modules/menus/storefront/ensure-snapshot.ts inTurn unwrap last.then':
      'needs only the connections of a small pool for many organizations',
  },
  'test/unit/platform/shared-run.test.ts': {
    'platform/shared-run.ts sharedRun false pendingRun':
      'calls during a run receive its result, and a later call begins another run',
  },
  'test/unit/platform/latest-run.test.ts': {
    'platform/latest-run.ts latestRun unwrap state.current.then':
      'calls during a run share one further run that starts after it',
  },
  'test/integration/events/outbox.test.ts': {
    'modules/menus/rebuilds/wake-rebuilds.ts takeDue drop skip locked':
      'continues with other menus while one menu is being marked or built',
    'modules/menus/rebuilds/wake-rebuilds.ts takeDue drop for update':
      'continues with other menus while one menu is being marked or built',
    'modules/menus/rebuilds/wake-rebuilds.ts takeDue true dirty_seq > #2':
      'signals each menu once for 200 edits that waited for Temporal, with any number of processes',
    'kernel/events/outbox-rows.ts claimRows drop for update':
      'skips rows that another process is leasing, without waiting',
    'kernel/events/outbox-rows.ts claimRows drop nextAttemptAt:':
      'continues with the rows of a dead process when their leases expire',
    'kernel/events/outbox-rows.ts markFailed drop .where attempts':
      'skips a row whose lease has expired, for its new owner',
    'kernel/events/listeners.ts combineListeners false failed':
      'keeps the row of a failed listener with the error and a delay, and delivers others',
  },
  'test/workflows/snapshot-rebuild.test.ts': {
    'workflows/snapshot-rebuild.ts snapshotRebuild true signals #2':
      'builds again if a reason arrives during a build',
    'workflows/snapshot-rebuild.ts snapshotRebuild true signals':
      'fails with the reason if the facts cannot be built, unless another reason has arrived',
    'workflows/snapshot-rebuild.ts snapshotRebuild true !pending':
      'builds again while rows are pending, even without a signal',
    'modules/menus/rebuilds/rules/debounce.ts waitForPauseMs drop - sinceFirstMs':
      'builds at the latest time under a constant stream of reasons',
  },
  'test/integration/db/migrations.test.ts': {
    'platform/db/migrate.ts takeTurn drop pg_try_advisory_lock':
      'run exactly once in concurrent migrate commands',
  },
  'test/integration/catalog/beside-imports.test.ts': {
    'platform/db/retry-conflicts.ts CONFLICTS drop [40P01]':
      'a command that is aborted by a deadlock runs again',
  },
  'test/integration/menus/rebuilds/mark-dirty.test.ts': {
    'modules/menus/rebuilds/mark-dirty.ts mark drop + 1':
      'concurrent reasons, for some or all organizations, are all counted',
  },
  'test/integration/menus/revisions.test.ts': {
    'modules/menus/snapshot/publish-snapshot.ts isStale false readPin().id':
      'drop a build of current content that began before the pin',
    'modules/menus/snapshot/pin-revision.ts isKept drop .forKeyShare':
      'rejects a pin of a revision that is being deleted',
    'modules/menus/snapshot/revisions.ts deleteOldRevisions drop for update':
      'keeps a revision that is being pinned',
    'modules/menus/snapshot/pin-revision.ts pin false present':
      'accept one of several pins and reject the others',
  },
};
