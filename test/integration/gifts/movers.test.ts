import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { checkRewards } from '../../../modules/gifts/rewards/check-rewards.ts';
import { expireRights } from '../../../modules/gifts/rights/expire-rights.ts';
import {
  moveRights,
  releaseRights,
  reserveRights,
} from '../../../modules/gifts/rights/move-rights.ts';
import { migratedDatabase } from '../../support/database.ts';
import { GRANTER, rebuiltRights, rightsFixture, storedRights } from '../../support/rights.ts';
import { withShiftedClock } from '../../support/shifted-clock.ts';
import { databaseNow, not, updateRows } from '../../support/rows.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let fixture: Awaited<ReturnType<typeof rightsFixture>>;
beforeAll(async () => {
  database = await migratedDatabase();
  fixture = await rightsFixture(database.db);
});
afterAll(() => database.close());

const NOW = new Date('2026-11-22T12:00:00Z');
const later = (ms: number) => new Date(NOW.getTime() + ms);
const readStatus = async (id: string) =>
  (await storedRights(database.db)).find((right) => right.id === id)?.status;

describe('the end of a term', () => {
  test('[CMP-12] ends granted rights only, each once, also in concurrent checks', async () => {
    const [due, exact, open, endless, blocked] = await Promise.all([
      fixture.grant({ expiresAt: later(-1) }),
      fixture.grant({ expiresAt: NOW }),
      fixture.grant({ expiresAt: later(1_000) }),
      fixture.grant(),
      fixture.grant({ expiresAt: later(-1) }),
    ]);
    const { db } = database;
    await db.transaction((tx) =>
      moveRights(tx, GRANTER, { ids: [blocked] }, { move: 'BLOCK', reason: 'x', at: NOW }),
    );

    const ended = await Promise.all([expireRights({ db }, NOW), expireRights({ db }, NOW)]);

    expect(ended[0].expired + ended[1].expired).toBe(2);
    expect(await Promise.all([due, exact, open, endless, blocked].map(readStatus))).toEqual([
      'EXPIRED',
      'EXPIRED',
      'GRANTED',
      'GRANTED',
      'BLOCKED',
    ]);
    expect(await expireRights({ db }, NOW)).toEqual({ expired: 0 });
  });

  test('[ORD-108] follows the database clock, not the clock of the worker', async () => {
    const { db } = database;
    const [early, due] = [
      await fixture.grant({ expiresAt: new Date(Date.now() + 8 * 60_000) }),
      await fixture.grant({ expiresAt: new Date(Date.now() - 8 * 60_000) }),
    ];
    await withShiftedClock(-16 * 60_000, () => expireRights({ db }));
    expect(await readStatus(due)).toBe('EXPIRED');
    await withShiftedClock(16 * 60_000, () => expireRights({ db }));

    expect(await readStatus(early)).toBe('GRANTED');
  });

  test('[CMP-12, CMP-114] waits for the order with the right, and comes 7 days after its return', async () => {
    const { db } = database;
    const [id, orderId] = [await fixture.grant({ expiresAt: later(10) }), randomUUID()];
    await db.transaction((tx) => reserveRights(tx, { orderId, rights: [id], at: NOW }));

    expect(await expireRights({ db }, later(20))).toEqual({ expired: 0 });
    await db.transaction((tx) => releaseRights(tx, orderId, 'CANCELLED', { at: later(20) }));
    const extended = new Date(later(20).getTime() + 7 * 86_400_000);
    await expireRights({ db }, new Date(extended.getTime() - 1));
    expect(await readStatus(id)).toBe('GRANTED');
    await expireRights({ db }, extended);

    expect(await readStatus(id)).toBe('EXPIRED');
  });
});

describe('the check of all gifts', () => {
  test('[CMP-12] skips inactive gifts, blocks and restores rights to unavailable ones, and is idempotent', async () => {
    const { db } = database;
    const place = await fixture.rows.restaurant();
    const item = await fixture.rows.item();
    const sizeId = await fixture.rows.size(item.id);
    await fixture.rows.offer(
      place.menuId,
      { itemId: item.id, sizeId },
      { [place.organizationId]: 0 },
    );
    const more = { erp_item_id: item.erpId, organization_erp_id: place.organizationErpId };
    const [rewardId, inactive] = [
      await fixture.reward(more),
      await fixture.reward({ ...more, is_active: false }),
    ];
    const [id, of, order] = [
      await fixture.grant({ rewardId }),
      await fixture.grant({ rewardId: inactive }),
      randomUUID(),
    ];
    const taken = await fixture.grant({ rewardId });
    await db.transaction((tx) => reserveRights(tx, { orderId: order, rights: [taken] }));
    const health = async () =>
      (
        await db.db
          .selectFrom('reward')
          .select('healthState')
          .where('id', '=', rewardId)
          .executeTakeFirstOrThrow()
      ).healthState;
    // Disables rewards of other tests, which are rows without an item.
    await updateRows(db, 'reward', { isActive: false }, { id: not(rewardId) });

    expect(await checkRewards({ db })).toEqual({ checked: 1, broken: 0, blocked: 0, unblocked: 0 });
    expect(await health()).toBe('OK');
    await updateRows(db, 'mirror_item', { deletedAt: databaseNow() }, { id: item.id });
    expect(await checkRewards({ db })).toEqual({ checked: 1, broken: 1, blocked: 1, unblocked: 0 });
    expect(await checkRewards({ db })).toEqual({ checked: 1, broken: 1, blocked: 0, unblocked: 0 });
    expect([
      await readStatus(id),
      await readStatus(of),
      await readStatus(taken),
      await health(),
    ]).toEqual(['BLOCKED', 'GRANTED', 'RESERVED', 'BROKEN']);
    await updateRows(db, 'mirror_item', { deletedAt: null }, { id: item.id });
    expect(await checkRewards({ db })).toEqual({ checked: 1, broken: 0, blocked: 0, unblocked: 1 });
    expect(await readStatus(id)).toBe('GRANTED');
    expect(await rebuiltRights(db)).toEqual(await storedRights(db));
  });
});
