import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createEnsureSnapshot } from '../../../app/storefront/ensure-snapshot.ts';
import { markDirty } from '../../../app/rebuilds/mark-dirty.ts';
import { buildSnapshot, type SnapshotDeps } from '../../../app/snapshot/build-snapshot.ts';
import { patchAvailability } from '../../../app/snapshot/patch-availability.ts';
import { getSnapshotStatus } from '../../../app/snapshot/snapshot-status.ts';
import { MENU_MAX_BYTES } from '../../../contracts/menu.ts';
import type { MenuRows } from '../../support/menu-rows.ts';
import { oneDish, snapshotTables } from '../../support/one-dish.ts';

let database: Awaited<ReturnType<typeof snapshotTables>>['database'];
let rows: MenuRows;
let deps: SnapshotDeps;
let place: Awaited<ReturnType<MenuRows['restaurant']>>;
let dish: Awaited<ReturnType<MenuRows['dish']>>;

beforeAll(async () => {
  ({ database, rows, deps } = await snapshotTables());
});
afterAll(async () => database.close());
beforeEach(async () => {
  await database.db.query('delete from outbox');
  ({ place, dish } = await oneDish({ database, rows }));
});

/** Asks for a rebuild and makes it, as the workflow does. */
async function rebuild() {
  await markDirty(database.db, 'menu-import', [place.organizationId]);
  return buildSnapshot(deps, place.organizationId);
}
const describeDish = (characters: number) =>
  database.db.query('update catalog_product set description = $2 where id = $1', [
    dish.productId,
    'x'.repeat(characters),
  ]);
const payload = async () =>
  (
    await database.db.query<{ payload: Buffer }>('select payload from snapshot where organization_id = $1', [
      place.organizationId,
    ])
  )[0]!.payload;
const notifications = () =>
  database.db.query<{ details: object; repeated: number; open: boolean }>(
    `select details, repeated, resolved_at is null as open from notification
      where kind = 'SNAPSHOT_TOO_LARGE' and subject_type = 'organization' and subject_id = $1`,
    [String(place.organizationId)],
  );
const sent = () => database.db.query(`select 1 from outbox where event = 'NotificationRaised'`);
/** The description that makes the menu as large as allowed when everything in it is stopped. */
async function longestDescription(): Promise<number> {
  await describeDish(1_000);
  await rebuild();
  const soldNow = 1;
  return MENU_MAX_BYTES - (await payload()).length - soldNow + 1_000;
}

describe('the limit of 1 MB', () => {
  test('holds to the byte, and no stop crosses it', async () => {
    const longest = await longestDescription();
    await describeDish(longest);
    expect(await rebuild()).toMatchObject({ outcome: 'PUBLISHED', revision: 2 });
    await rows.stop(place.organizationId, dish.erpId);
    await patchAvailability(deps, place.organizationId);
    expect((await payload()).length).toBe(MENU_MAX_BYTES);

    await describeDish(longest + 1);
    const served = await payload();
    expect(await rebuild()).toEqual({ outcome: 'TOO_LARGE', revision: null, pending: false });
    expect((await payload()).equals(served)).toBe(true);
    await database.db.query('delete from mirror_stop_list');
    expect(await rebuild()).toMatchObject({ outcome: 'TOO_LARGE' });
  });

  test('tells administrators once, and the next good menu ends the notification', async () => {
    await rebuild();
    await describeDish(MENU_MAX_BYTES);
    await rebuild();
    await rebuild();
    const open = await notifications();
    const status = await getSnapshotStatus(database.db, place.organizationId);
    const sendings = await sent();
    await describeDish(10);
    await rebuild();

    expect(open).toMatchObject([
      {
        open: true,
        repeated: 1,
        details: { limitBytes: MENU_MAX_BYTES, servedRevision: 1, bytes: status.tooLargeBytes },
      },
    ]);
    expect(sendings).toHaveLength(1);
    expect(status).toMatchObject({ revision: 1, pendingSince: null });
    expect(await notifications()).toMatchObject([{ open: false }]);
    expect(await getSnapshotStatus(database.db, place.organizationId)).toMatchObject({
      revision: 2,
      tooLargeBytes: null,
    });
  });

  test('without an earlier menu the storefront gets a clear refusal, and one build until something changes', async () => {
    await describeDish(MENU_MAX_BYTES);
    const ensure = createEnsureSnapshot(deps);
    const refusal = { kind: 'unavailable', details: { detail: expect.stringContaining('larger than 1 MB') } };
    const builds = async () =>
      (await deps.metrics.snapshotBuilds.get()).values.find((each) => each.labels['outcome'] === 'too_large')?.value;
    const before = (await builds()) ?? 0;

    for (let request = 0; request < 3; request += 1)
      await expect(ensure(place.organizationId)).rejects.toMatchObject(refusal);
    expect(((await builds()) ?? 0) - before).toBe(1);

    await describeDish(10);
    await markDirty(database.db, 'menu-import', [place.organizationId]);
    await ensure(place.organizationId);
    expect(await getSnapshotStatus(database.db, place.organizationId)).toMatchObject({
      revision: 1,
      tooLargeBytes: null,
    });
  });
});
