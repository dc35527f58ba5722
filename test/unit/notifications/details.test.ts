import { expect, test } from '@jest/globals';
import type { NewNotification } from '../../../modules/notifications/raise-notification.ts';
import { NOTIFICATION_DETAILS } from '../../../modules/notifications/schemas/notification-details.ts';
import {
  Notification,
  NOTIFICATIONS,
} from '../../../modules/notifications/schemas/notifications.ts';

const subject = { subjectType: 'connection', subjectId: 1 };

test('[NOT-7] each kind of notification has a named schema of its details, which the API describes', () => {
  expect(Object.keys(NOTIFICATION_DETAILS).toSorted()).toEqual(
    Object.keys(NOTIFICATIONS).toSorted(),
  );
  const described = (Notification.properties.details as unknown as { anyOf: unknown[] }).anyOf;
  expect(described).toEqual(Object.values(NOTIFICATION_DETAILS));
  expect(new Set(described.map((schema) => (schema as { 'x-name': string })['x-name'])).size).toBe(
    described.length,
  );
});

test('[NOT-7] details of another kind fail at compile time', () => {
  const right: NewNotification = { kind: 'EMPTY_LIST', ...subject, details: { job: 'ZONES' } };
  // @ts-expect-error: `status` belongs to CREDENTIALS_REFUSED.
  const foreign: NewNotification = { kind: 'EMPTY_LIST', ...subject, details: { status: 401 } };
  // @ts-expect-error: a job is a text.
  const wrong: NewNotification = { kind: 'EMPTY_LIST', ...subject, details: { job: 7 } };

  expect([right, foreign, wrong].map(({ kind }) => kind)).toEqual(Array(3).fill('EMPTY_LIST'));
});
