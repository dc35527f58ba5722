import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { raiseNotification } from '../../../modules/notifications/raise-notification.ts';
import { migratedDatabase } from '../../support/database.ts';
import { countRows, selectRows } from '../../support/rows.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
beforeAll(async () => {
  database = await migratedDatabase();
});
afterAll(() => database.close());

test('[NOT-1] a notification raised concurrently is open once, counts the repetitions and is sent once', async () => {
  const notification = {
    kind: 'SUSPICIOUS_SHRINK',
    subjectType: 'external-menu',
    subjectId: 1,
    details: {},
  } as const;

  const ids = await Promise.all(
    Array.from({ length: 8 }, () =>
      database.db.transaction((tx) => raiseNotification(tx, notification)),
    ),
  );

  expect(new Set(ids).size).toBe(1);
  expect(await selectRows(database.db, 'notification', ['repeated'])).toEqual([{ repeated: 7 }]);
  expect(await countRows(database.db, 'outbox', { event: 'NotificationRaised' })).toBe(1);
});
