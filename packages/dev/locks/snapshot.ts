import type { Proofs } from './mutation.ts';

/** Public menus: publication, patches, first build, delivery of events, rebuilds. */
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
      'a menu that is being marked or built does not block the others',
    'modules/menus/rebuilds/wake-rebuilds.ts takeDue drop for update':
      'a menu that is being marked or built does not block the others',
    'modules/menus/rebuilds/wake-rebuilds.ts takeDue true dirty_seq > #2':
      '200 edits that waited for Temporal cost each menu one signal',
    'kernel/events/outbox-rows.ts claimRows drop for update':
      'what one process is claiming another one leaves out and does not wait for',
    'kernel/events/outbox-rows.ts claimRows drop nextAttemptAt:':
      'what a process has claimed that died is delivered by another one',
    'kernel/events/outbox-rows.ts markFailed drop .where attempts':
      'who finds its lease ended leaves the row to the one who has it now',
    'kernel/events/listeners.ts combineListeners false failed':
      'a failed listener keeps its row with the error and a delay, and others are delivered',
  },
  'test/workflows/snapshot-rebuild.test.ts': {
    'workflows/snapshot-rebuild.ts snapshotRebuild true signals #2': 'builds again if a reason arrives during a build',
    'workflows/snapshot-rebuild.ts snapshotRebuild true signals':
      'fails with the reason if the facts cannot be built, unless something has arrived meanwhile',
    'workflows/snapshot-rebuild.ts snapshotRebuild true !pending': 'builds again while rows are pending',
    'modules/menus/rebuilds/rules/debounce.ts waitForPauseMs drop - sinceFirstMs':
      'builds at the ceiling under a constant stream of reasons',
  },
  'test/integration/db/migrations.test.ts': {
    'platform/db/migrate.ts takeTurn drop pg_try_advisory_lock': 'concurrent migrate commands',
  },
  'test/integration/catalog/beside-imports.test.ts': {
    'platform/db/retry-conflicts.ts CONFLICTS drop [40P01]': 'a command that is the victim of a deadlock runs again',
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
