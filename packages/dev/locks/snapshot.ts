import type { Proofs } from './mutation.ts';

/** Public menus: publication, patches, the first build, delivery of events, rebuilds. */
export const MENUS: Proofs = {
  'test/integration/menus/publish.test.ts': {
    'modules/menus/snapshot/snapshot-row.ts lockSnapshot drop advisory.snapshot':
      'a patch waits for a first publication that is under way',
    'modules/menus/snapshot/publish-snapshot.ts isStale false request.builtSeq':
      'a build from older facts never replaces a newer menu',
    'modules/menus/rebuilds/build-result.ts markBuilt false dirty_seq >':
      'a change recorded while building leaves the request open',
    'modules/menus/snapshot/publish-snapshot.ts finalBytes true guess.flags.every()':
      'a stop that lands between build and publication is in what is published',
    'modules/menus/snapshot/publish-snapshot.ts publishSnapshot false stored.contentHash':
      'competing first builds publish once',
    'modules/menus/rebuilds/build-result.ts markBuilt drop greatest':
      'a build from older facts never replaces a newer menu',
  },
  'test/integration/menus/facts.test.ts': {
    'modules/menus/snapshot/read-facts.ts readFacts drop isolation level':
      'sees an import that commits meanwhile whole or not at all',
  },
  'test/integration/menus/menu-store.test.ts': {
    'modules/menus/storefront/ensure-snapshot.ts tryBuild drop advisory.tryFirstBuild':
      'is awaited without a connection while another process builds it',
    'modules/menus/storefront/ensure-snapshot.ts tryBuild false stored':
      'is not built a second time when it is there already',
    'modules/menus/storefront/ensure-snapshot.ts inTurn unwrap last.then':
      'of many organizations concurrently needs only the connections of a small pool',
  },
  'test/unit/platform/shared-run.test.ts': {
    'platform/shared-run.ts sharedRun false found': 'calls during a run get its result',
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
    'workflows/snapshot-rebuild.ts snapshotRebuild true signals #2': 'builds again if a reason arrives during a build',
    'workflows/snapshot-rebuild.ts snapshotRebuild true signals':
      'fails with the reason if the facts cannot be built, unless another reason has arrived',
    'workflows/snapshot-rebuild.ts snapshotRebuild true !pending':
      'builds again while rows are pending, even without a signal',
    'modules/menus/rebuilds/rules/debounce.ts waitForPauseMs drop - sinceFirstMs':
      'builds at the latest time under a constant stream of reasons',
  },
  'test/integration/db/migrations.test.ts': {
    'platform/db/migrate.ts takeTurn drop pg_try_advisory_lock': 'run exactly once in concurrent migrate commands',
  },
  'test/integration/catalog/beside-imports.test.ts': {
    'platform/db/retry-conflicts.ts CONFLICTS drop [40P01]': 'a command that is aborted by a deadlock runs again',
  },
  'test/integration/menus/rebuilds/mark-dirty.test.ts': {
    'modules/menus/rebuilds/mark-dirty.ts mark drop + 1': 'concurrent reasons',
  },
  'test/integration/menus/revisions.test.ts': {
    'modules/menus/snapshot/publish-snapshot.ts isStale false readPin().id':
      'a build from the content of today that meets a pin is dropped',
    'modules/menus/snapshot/pin-revision.ts isKept drop .forKeyShare':
      'that deletes a revision while it is being pinned makes the pin a rejection',
    'modules/menus/snapshot/revisions.ts deleteOldRevisions drop for update':
      'leaves a revision alone that is being pinned just now',
    'modules/menus/snapshot/pin-revision.ts pin false present':
      'of competing pins one wins and the others are rejected',
  },
};
