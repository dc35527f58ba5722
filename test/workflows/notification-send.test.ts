import {
  notificationSendWorkflow,
  type NotificationSendInput,
} from '../../modules/notifications/messages/notifications.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createEventDelivery } from '../../modules/event-listeners.ts';
import { createNotificationActivities } from '../../activities/notifications.ts';
import { reconcileNotifications } from '../../modules/notifications/reconcile-notifications.ts';
import { raiseNotification } from '../../modules/notifications/raise-notification.ts';
import { createLog } from '../../platform/log.ts';
import type { Sql } from '../support/text-database.ts';
import { createMetrics } from '../../platform/metrics.ts';
import { createNotifyChannels } from '../../platform/notify-channels.ts';
import { mirrorFixture, type TestFixture } from '../support/mirror.ts';
import { notificationWebhook } from '../support/notification-receivers.ts';
import { eventually } from '../support/processes.ts';
import { syncWorker, type SyncWorker } from '../support/sync-worker.ts';
import { runStep } from '../support/upkeep.ts';
import { ago, databaseNow, deleteRows, not, updateRows } from '../support/rows.ts';

let fixture: TestFixture;
let sync: SyncWorker;
let webhook: Awaited<ReturnType<typeof notificationWebhook>>;
let workers: { stop(): Promise<void> };
beforeAll(async () => {
  [fixture, webhook] = await Promise.all([mirrorFixture(), notificationWebhook()]);
  sync = await syncWorker(fixture, undefined, { NOTIFY_WEBHOOK_URL: 'http://127.0.0.1:9/' });
  const channels = createNotifyChannels({
    NOTIFY_WEBHOOK_URL: webhook.url,
    NOTIFY_WEBHOOK_SECRET: null,
    NOTIFY_SMTP_URL: null,
    NOTIFY_EMAIL_TO: [],
    NOTIFY_EMAIL_FROM: null,
  });
  const log = createLog({ service: 'test', level: 'silent' });
  const deps = {
    db: fixture.db,
    channels,
    publicUrl: null,
    adminUrl: null,
    metrics: createMetrics('test'),
    log,
  };
  workers = await sync.start({ workflows: createNotificationActivities(deps) });
});
afterAll(async () => {
  await workers?.stop();
  await sync.close();
  await webhook.close();
  await fixture.close();
});
beforeEach(async () => {
  await deleteRows(fixture.db, 'outbox');
  await deleteRows(fixture.db, 'notification');
  webhook.answer = 204;
  webhook.posted.length = 0;
});

/** Restaurants outside of the fixture, whose menus would resolve the notification. */
const nowhere = 1_000_000;
const raise = (subject = 1, tx: Sql = fixture.db) =>
  raiseNotification(tx, {
    kind: 'SNAPSHOT_TOO_LARGE',
    subjectType: 'organization',
    subjectId: nowhere + subject,
    details: {},
  });
/** Raises without the event, which would start a sending that waits for minutes. */
const raiseUntold = () =>
  fixture.db.transaction(async (tx) => {
    const id = await raise(1, tx);
    await updateRows(tx, 'outbox', { deliveredAt: databaseNow() });
    return id;
  });
const readStatus = async (id: number) =>
  (
    await sync.temporal.workflow
      .getHandle(notificationSendWorkflow.id({ notificationId: id }))
      .describe()
  ).status.name;
const ended = (id: number) =>
  eventually('the sending ends', async () =>
    (await readStatus(id)) === 'RUNNING' ? undefined : true,
  );
const row = async (id: number) =>
  (
    await fixture.db.db
      .selectFrom('notification')
      .where('id', '=', id)
      .select((row) => [
        row('sentAt', 'is not', null).as('sent'),
        row('sendEndedAt', 'is not', null).as('ended'),
        'sendAttempts as attempts',
      ])
      .execute()
  )[0];
const startFast = (notificationId: number, tries: number) => {
  const input: NotificationSendInput = {
    notificationId,
    pace: { firstMs: 20, longestMs: 50, tries },
  };
  return sync.temporal.workflow.start('notificationSend', {
    workflowId: notificationSendWorkflow.id({ notificationId }),
    taskQueue: sync.queues.workflows,
    args: [input],
  });
};

describe('notificationSend', () => {
  test('a notification is sent when its event is delivered, and a repetition is not sent', async () => {
    const id = await raise();
    await sync.delivery.deliver();
    await ended(id);
    await raise();
    const again = await sync.delivery.deliver();

    expect(again).toEqual({ delivered: 0, failed: 0 });
    expect(webhook.posted.map((entry) => entry.id)).toEqual([`notification-${id}`]);
    expect(await row(id)).toEqual({ sent: true, ended: false, attempts: 1 });
  });

  test('an event that is delivered twice sends one notification', async () => {
    const id = await raise();
    await sync.delivery.deliver();
    await ended(id);
    await updateRows(fixture.db, 'outbox', { deliveredAt: null });
    await sync.delivery.deliver();
    await ended(id);

    expect(webhook.posted).toHaveLength(1);
  });

  test('[NOT-3] a receiver that fails is retried until it accepts the notification', async () => {
    webhook.answer = 500;
    const id = await raiseUntold();
    const handle = await startFast(id, 200);
    await eventually('two attempts failed', async () =>
      (await row(id))!.attempts >= 2 ? true : undefined,
    );
    webhook.answer = 204;
    await handle.result();

    expect(webhook.posted).toHaveLength(1);
    expect(await row(id)).toMatchObject({ sent: true, ended: false });
  });

  test('a receiver that stays unavailable leaves the failure in the row, without automatic retries', async () => {
    webhook.answer = 500;
    const id = await raiseUntold();
    await (await startFast(id, 3)).result();
    await updateRows(fixture.db, 'notification', { raisedAt: ago('1 hour') });

    expect(await row(id)).toEqual({ sent: false, ended: true, attempts: 3 });
    expect(await reconcileNotifications(sync.upkeep)).toEqual({ started: 0 });
  });
});

describe('the reconciler', () => {
  test('starts nothing without a channel, like the event', async () => {
    const id = await raise();
    await updateRows(fixture.db, 'notification', { raisedAt: ago('1 hour') });
    const without = { ...sync.upkeep, sendsNotifications: false };

    expect(await reconcileNotifications(without)).toEqual({ started: 0 });
    expect(await createEventDelivery(without).deliver()).toEqual({ delivered: 1, failed: 0 });
    await expect(readStatus(id)).rejects.toMatchObject({ name: 'WorkflowNotFoundError' });
  });

  // Last, because it creates schedules, which deliver events too.
  test('starts notifications that nothing has sent for an hour, and no others', async () => {
    const lost = await raise(1);
    const [young, resolved, sent] = [await raise(2), await raise(3), await raise(4)];
    await updateRows(fixture.db, 'notification', { raisedAt: ago('1 hour') }, { id: not(young) });
    await updateRows(fixture.db, 'notification', { resolvedAt: databaseNow() }, { id: resolved });
    await updateRows(fixture.db, 'notification', { sentAt: databaseNow() }, { id: sent });
    await updateRows(fixture.db, 'outbox', { deliveredAt: databaseNow() });

    await runStep(sync.upkeep, 'reconcile-notifications');
    await ended(lost);

    expect(webhook.posted.map((entry) => entry.id)).toEqual([`notification-${lost}`]);
  });
});
