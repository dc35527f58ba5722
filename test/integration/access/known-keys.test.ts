import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createApiKey } from '../../../modules/access/api-keys/api-keys.ts';
import { createKnownKeys } from '../../../modules/access/api-keys/known-keys.ts';
import { systemActor } from '../../../kernel/actor.ts';
import { createLog } from '../../../platform/log.ts';
import { testSecrets } from '../../support/connection.ts';
import { migratedDatabase } from '../../support/database.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
beforeAll(async () => {
  database = await migratedDatabase();
});
afterAll(() => database?.close());

test('[ACC-39] the keys of the last read stay valid while the database hangs, without a time-out', async () => {
  const { db } = database;
  const lines: string[] = [];
  const log = createLog({
    service: 'test',
    level: 'error',
    destination: { write: (line) => void lines.push(line) },
  });
  const wanted = { name: 'Build host', use: 'STOREFRONT' } as const;
  const { id, token } = await createApiKey(
    { db, secrets: testSecrets },
    systemActor('test'),
    wanted,
  );
  const keys = createKnownKeys({ db, log });
  await keys.find(token, 'STOREFRONT');

  const found = await db.transaction(async (tx) => {
    await sql`lock table access_api_key_secret in access exclusive mode`.execute(tx.db);
    // The keys in memory are now older than half a second.
    await delay(600);
    return Promise.all([keys.find(token, 'STOREFRONT'), keys.find(token, 'STOREFRONT')]);
  });

  expect(found).toEqual([expect.objectContaining({ id }), expect.objectContaining({ id })]);
  expect(lines).toEqual([]);
});
