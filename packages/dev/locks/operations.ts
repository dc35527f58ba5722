import type { Proofs } from './mutation.ts';

export const OPERATIONS: Proofs = {
  'test/http/access/api-keys.test.ts': {
    'modules/access/api-keys/api-keys.ts lockOwner drop .forShare':
      'make a creation fail if the user is disabled meanwhile',
  },
  'test/integration/access/rotate-keys.test.ts': {
    'modules/access/rotate-keys.ts rotateKeys drop lock table':
      'two concurrent rotations create keys twice, and the last pair stays',
  },
  'test/integration/public-events/number-events.test.ts': {
    'modules/events/number-events.ts numberEvents drop advisory.eventNumbers':
      'remain unique in concurrent calls',
  },
  'test/integration/public-events/deliver-webhooks.test.ts': {
    'modules/events/deliveries/webhook-queue.ts takeEvents drop for update':
      'concurrent calls add one delivery for each event',
    'modules/events/deliveries/webhook-queue.ts takeEvents drop on conflict':
      'waits separately while others are accepted, and its subject continues',
    'modules/events/deliveries/webhook-queue.ts attemptSubjectNow drop .onConflict':
      'an attempt that staff request during a failing attempt follows immediately',
    'modules/events/deliveries/record-attempts.ts store drop for update':
      'a retry that competes with the recording of an attempt follows it',
    'modules/events/deliveries/manage-deliveries.ts lockEnabled drop .forUpdate':
      'concurrent replays add each event once',
    'modules/events/deliveries/manage-deliveries.ts replayEvents drop on conflict':
      'concurrent replays add each event once',
  },
  'test/integration/access/chain.test.ts': {
    'modules/access/audit/seal-audit.ts sealBatch drop advisory.auditSeal':
      'concurrent calls seal each entry once, and none fails',
  },
  'test/integration/notifications/at-once.test.ts': {
    'modules/notifications/raise-notification.ts raiseNotification true row.repeated':
      'a notification raised concurrently is open once, counts the repetitions and is sent once',
    'modules/notifications/raise-notification.ts raiseNotification drop .onConflict':
      'a notification raised concurrently is open once, counts the repetitions and is sent once',
  },
  'test/integration/ordering/order-notices.test.ts': {
    'modules/notifications/grouped-notifications.ts raiseGroupedNotification drop .onConflict':
      'concurrent orders with one cause raise one notification that counts and lists them',
    'modules/notifications/grouped-notifications.ts raiseGroupedNotification true group.repeated':
      'concurrent orders with one cause raise one notification that counts and lists them',
    'modules/notifications/grouped-notifications.ts resolveGroupedNotification drop .forUpdate notification':
      'the last of concurrently accepted orders resolves the notification',
  },
  'test/http/settings/settings.test.ts': {
    'kernel/edits.ts saveKeyed true old.version =':
      'accept one of several concurrent changes of version',
  },
  'test/integration/mirror/menu-settings-at-once.test.ts': {
    'modules/mirror/external-menus.ts updateExternalMenu drop seen:':
      'the second of two concurrent edits of the settings',
  },
  'test/integration/notifications/send.test.ts': {
    'modules/notifications/send-notification.ts sendNotification false row.sentAt':
      'delivers nothing in a second call',
    'modules/notifications/send-notification.ts sendNotification false row.sentChannels.includes()':
      'continues with the other channel if one fails, and does not repeat it',
    'modules/notifications/send-notification.ts giveUpNotification drop .where sentAt':
      'records that it was given up, unless the notification was sent',
  },
  'test/integration/retention/retention.test.ts': {
    'modules/retention.ts LIFE_TIMES true status <>':
      'happens after 30 days, except for the last run, success and full success of an import',
    'modules/retention.ts LIFE_TIMES true exists sync_run':
      'happens after 30 days, except for the last run, success and full success of an import',
    'modules/retention.ts LIFE_TIMES true status =':
      'happens after 30 days, except for the last run, success and full success of an import',
    'modules/retention.ts LIFE_TIMES true mode is #2':
      'happens after 30 days, except for the last run, success and full success of an import',
  },
  'test/integration/gauges/state.test.ts': {
    'modules/mirror/runs/close-run.ts closeRunIn drop .where status':
      'measures a run once even if it is closed twice',
  },
  'test/http/erp-webhooks/erp-webhook.test.ts': {
    'modules/erp-webhooks/receive-webhook.ts store drop on conflict':
      'stores each event of one array once in two parallel receivers, in any order',
    'modules/erp-webhooks/receive-webhook.ts store drop order by':
      'stores each event of one array once in two parallel receivers, in any order',
  },
};
