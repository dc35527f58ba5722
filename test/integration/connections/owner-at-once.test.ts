import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createConnection } from '../../../modules/connections/create-connection.ts';
import { anOwner, testActor, testSecrets } from '../../support/connection.ts';
import { migratedDatabase } from '../../support/database.ts';
import { holdTable } from '../../support/races.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
beforeAll(async () => {
  database = await migratedDatabase();
});
afterAll(() => database.close());

test.each(['legal_entity', 'franchisee'])(
  '[CON-1] no connection is created for an owner that is deactivated at that moment: %s',
  async (table) => {
    const { db } = database;
    const owner = await anOwner(db);
    const id = table === 'franchisee' ? owner.franchiseeId : owner.legalEntityId;
    const input = { legalEntityId: owner.legalEntityId, name: 'Account', apiLogin: 'secret-login' };
    let created: Promise<PromiseSettledResult<unknown>[]> | undefined;

    const audit = await holdTable(db, 'audit_entry');
    await db.transaction(async (tx) => {
      await tx.query(`update ${table} set is_active = false where id = $1`, [id]);
      created = Promise.allSettled([
        createConnection({ db, secrets: testSecrets }, testActor, input),
      ]);
      await audit.waits(1);
    });
    await audit.release();

    expect(await created).toMatchObject([
      { status: 'rejected', reason: { kind: 'owner-inactive' } },
    ]);
  },
);
