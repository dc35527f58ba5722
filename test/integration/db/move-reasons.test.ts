import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { getCompensation } from '../../../modules/gifts/rights/compensations.ts';
import { moveReasons } from '../../../modules/move-reasons.ts';
import { testSecrets } from '../../support/connection.ts';
import { toOwnerUrl } from '../../support/database-roles.ts';
import { migratedDatabase } from '../../support/database.ts';
import { wholeInSoak } from '../../support/repetitions.ts';
import { rightsFixture } from '../../support/rights.ts';
import { addRow, countRows, selectRows } from '../../support/rows.ts';
import { openDatabase, type Database } from '../../support/text-database.ts';
import { tablesWith } from '../../support/whole-schema.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let owner: Database;
let fixture: Awaited<ReturnType<typeof rightsFixture>>;
beforeAll(async () => {
  database = await migratedDatabase();
  owner = await openDatabase({ url: toOwnerUrl(database.url) });
  fixture = await rightsFixture(database.db);
});
afterAll(async () => {
  await owner?.close();
  await database?.close();
});

const GRANTED = new Date('2026-11-01T10:00:00Z');
const STAFF = { actorType: 'USER', actorId: 1, at: GRANTED } as const;

/** A right with the ledger of a former release. */
async function formerRight(words: string): Promise<string> {
  const { clientId, rewardId } = fixture;
  const id = randomUUID();
  const right = {
    id,
    clientId,
    rewardId,
    reason: 'OTHER',
    source: 'ADMIN',
    grantedBy: 'STAFF',
  } as const;
  const move = { compensationId: id, rewardId, ...STAFF };
  await database.db.transaction(async (tx) => {
    await addRow(tx, 'compensation', {
      ...right,
      grantedByUserId: 1,
      grantedAt: GRANTED,
      reasonComment: words,
      status: 'CANCELLED',
      version: 2,
    });
    await addRow(tx, 'compensation_move', {
      ...move,
      version: 0,
      move: 'GRANT',
      toStatus: 'GRANTED',
      reason: words,
    });
    await addRow(tx, 'compensation_move', {
      ...move,
      version: 1,
      move: 'EDIT',
      fromStatus: 'GRANTED',
      toStatus: 'GRANTED',
      reason: 'SERVICE_ERROR',
    });
    await addRow(tx, 'compensation_move', {
      ...move,
      version: 2,
      move: 'CANCEL',
      fromStatus: 'GRANTED',
      toStatus: 'CANCELLED',
      reason: words,
    });
  });
  return id;
}

test('[CMP-108] the migration renames reasons of a former release in ledger and lists, and keeps their age', async () => {
  const { db } = database;
  const words = 'Щеглова, 999 555-01-42';
  const id = await formerRight(words);
  await fixture.rows.insert('compensation_conflict', {
    kind: 'SECOND_RIGHT',
    client_id: fixture.clientId,
    source: 'ERP_CATEGORY',
    subject: 'x',
    generation: 1,
    reward_id: fixture.rewardId,
    status: 'IGNORED',
    reason: words,
    found_at: GRANTED,
    closed_at: GRANTED,
  });
  await addRow(db, 'gift_reconciliation', {
    day: '2026-11-20',
    organizationErpId: randomUUID(),
    connectionId: fixture.connectionId,
    atErp: 1,
    redeemed: 0,
    unauthorized: 0,
    differingOrders: 1,
    checkedAt: GRANTED,
    fingerprint: 'x',
    acceptedFingerprint: 'x',
    acceptedAt: GRANTED,
    acceptanceReason: words,
  });

  const moved = await moveReasons(owner, () => testSecrets);
  const again = await moveReasons(owner, () => {
    throw new Error('The keys are read although nothing is left to be moved');
  });

  expect([moved, again]).toEqual([5, 0]);
  expect(await tablesWith(db, (text) => text.includes('Щеглова'))).toEqual([]);
  expect(await getCompensation({ db, secrets: testSecrets }, id)).toMatchObject({
    reasonComment: words,
    reasonCommentErased: false,
    moves: [{ reason: words }, { reason: 'SERVICE_ERROR' }, { reason: words }],
  });
  expect(await selectRows(db, 'personal_data', ['createdAt'], { purpose: 'REASON' })).toEqual(
    Array.from({ length: 5 }, () => ({ createdAt: GRANTED })),
  );
  await expect(owner.query(`update compensation_move set reason = 'x'`)).rejects.toThrow(
    'append-only',
  );
});

/** Each right has three texts, and the command moves 500 texts at a time. */
const RIGHTS = wholeInSoak(300, 180);

test('[CMP-108] concurrent commands move each of many texts once', async () => {
  const other = await openDatabase({ url: toOwnerUrl(database.url) });
  for (let count = 0; count < RIGHTS; count += 1) await formerRight('Дроздова');
  const stored = await countRows(database.db, 'personal_data');
  const counts = await Promise.all([owner, other].map((db) => moveReasons(db, () => testSecrets)));
  await other.close();

  expect(counts[0]! + counts[1]!).toBe(3 * RIGHTS);
  expect(await countRows(database.db, 'personal_data')).toBe(stored + 3 * RIGHTS);
  expect(await countRows(database.db, 'compensation', { reasonCommentId: null })).toBe(0);
});
