import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { BindingActivities } from '../../activities/binding.ts';
import type { BusyModeActivities } from '../../activities/busy-mode.ts';
import type { CompensationActivities } from '../../activities/gifts.ts';
import type { MediaActivities } from '../../activities/media.ts';
import type { NotificationActivities } from '../../activities/notifications.ts';
import type { UpkeepActivities } from '../../activities/upkeep.ts';
import type { MenuActivities } from '../../activities/menu.ts';
import type { MirrorActivities } from '../../activities/mirror.ts';
import type { OrderingActivities } from '../../activities/ordering.ts';
import type { PollActivities } from '../../activities/polling.ts';
import type { RunActivities } from '../../activities/runs.ts';
import type { WebhookActivities } from '../../activities/webhooks.ts';
import type { SendPace } from '../../modules/notifications/messages/notifications.ts';
import type {
  ActivityQueues,
  OrderQueues,
  PollQueues,
  WebhookQueues,
} from '../../kernel/pure/queues.ts';

/** Retries after 1, 3 and 9 s (ERP-6). */
const ERP_RETRY = {
  initialInterval: '1 second',
  backoffCoefficient: 3,
  maximumAttempts: 4,
} as const;

/** Longest time of an activity without a progress report (OPS-191). */
const HEARTBEAT_MS = 15_000;
const MINUTE_MS = 60_000;
/** Shorter, because guests wait for their order. */
const ORDER_HEARTBEAT_MS = 5_000;

/**
 * Local activities that record runs in our database. They have no separate tasks, which would
 * dominate an import without changes.
 */
export function runActivities(): RunActivities {
  return proxyLocalActivities<RunActivities>({
    startToCloseTimeout: '10 seconds',
    scheduleToCloseTimeout: '2 minutes',
    retry: { maximumInterval: '10 seconds' },
  });
}

export function planActivities(): Pick<PollActivities, 'readPollPlan'> {
  return proxyLocalActivities<PollActivities>({
    startToCloseTimeout: '10 seconds',
    // Limited, because upkeep restarts executions that end while the database is down.
    scheduleToCloseTimeout: '10 minutes',
    retry: { maximumInterval: '10 seconds' },
  });
}

/** Activities whose answers operators wait for. */
export function requestActivities(): Pick<
  PollActivities,
  'pausePolls' | 'resumePolls' | 'acceptHeldBack'
> {
  return proxyActivities<PollActivities>({
    startToCloseTimeout: '20 seconds',
    scheduleToCloseTimeout: '1 minute',
    retry: { initialInterval: '1 second', maximumAttempts: 3 },
  });
}

/**
 * Polls of the ERP, whose failures are results. The second attempt is for a lost worker or
 * database.
 */
export function pollActivities(
  queues: PollQueues,
): Pick<PollActivities, 'pollStopLists' | 'pollMenus' | 'pollOrders' | 'probeCircuits'> {
  const on = (taskQueue: string, limitMs: number) =>
    proxyActivities<PollActivities>({
      taskQueue,
      startToCloseTimeout: limitMs,
      scheduleToCloseTimeout: 2 * limitMs,
      heartbeatTimeout: HEARTBEAT_MS,
      retry: { initialInterval: '1 second', maximumAttempts: 2 },
    });

  const { pollStopLists, pollOrders } = on(queues.poll, 3 * MINUTE_MS);
  const { pollMenus } = on(queues.menuPoll, 12 * MINUTE_MS);
  const { probeCircuits } = on(queues.erp, MINUTE_MS);

  return { pollStopLists, pollMenus, pollOrders, probeCircuits };
}

/** Steps have their own limits. The next minute repeats them. */
export function upkeepActivities(): UpkeepActivities {
  return proxyActivities<UpkeepActivities>({
    startToCloseTimeout: 2 * MINUTE_MS,
    scheduleToCloseTimeout: 4 * MINUTE_MS,
    // Short, so that a dead worker does not delay the next minute.
    heartbeatTimeout: HEARTBEAT_MS,
    retry: { initialInterval: '1 second', maximumAttempts: 2 },
  });
}

export function givingUpActivities(): Pick<NotificationActivities, 'giveUpNotification'> {
  return proxyActivities<NotificationActivities>({
    startToCloseTimeout: '1 minute',
    scheduleToCloseTimeout: '2 minutes',
    retry: { maximumAttempts: 2 },
  });
}

/** Sweeps for half a minute. If the store is unavailable, the next scheduled sweep retries. */
export function mediaActivities(heartbeatMs = HEARTBEAT_MS): MediaActivities {
  return proxyActivities<MediaActivities>({
    startToCloseTimeout: '2 minutes',
    scheduleToCloseTimeout: '10 minutes',
    heartbeatTimeout: heartbeatMs,
    retry: { initialInterval: '5 seconds', maximumAttempts: 3 },
  });
}

/** Delivers to one webhook receiver. Waits for the database or a worker. */
export function webhookActivities({ webhooks }: WebhookQueues): WebhookActivities {
  return proxyActivities<WebhookActivities>({
    taskQueue: webhooks,
    startToCloseTimeout: '1 minute',
    scheduleToCloseTimeout: '1 day',
    heartbeatTimeout: HEARTBEAT_MS,
    retry: { initialInterval: '1 second', maximumInterval: '30 seconds' },
  });
}

/** Each call of a channel takes at most 10 s. The tries last about four hours. */
const SEND_PACE: SendPace = { firstMs: 10_000, longestMs: 30 * 60_000, tries: 12 };

/** A mail server may be down longer than the ERP. */
export function notificationActivities(
  pace = SEND_PACE,
): Pick<NotificationActivities, 'sendNotification'> {
  return proxyActivities<NotificationActivities>({
    startToCloseTimeout: '30 seconds',
    scheduleToCloseTimeout: '6 hours',
    retry: {
      initialInterval: pace.firstMs,
      backoffCoefficient: 3,
      maximumInterval: pace.longestMs,
      maximumAttempts: pace.tries,
    },
  });
}

/** One transaction each. The reconciler restarts what failed for longer. */
export function bindingActivities(): BindingActivities {
  return proxyActivities<BindingActivities>({
    startToCloseTimeout: '1 minute',
    scheduleToCloseTimeout: '10 minutes',
    retry: { maximumInterval: '20 seconds' },
  });
}

/** Retries until the database is available (FUL-73). */
export function busyModeActivities(): BusyModeActivities {
  return proxyActivities<BusyModeActivities>({
    startToCloseTimeout: '30 seconds',
    scheduleToCloseTimeout: '1 day',
    retry: { initialInterval: '1 second', maximumInterval: '30 seconds' },
  });
}

/** ERP calls except menus: 5 s to connect, 15 s to read, and a reserve. */
export function erpActivities(queues: ActivityQueues): MirrorActivities {
  return proxyActivities<MirrorActivities>({
    taskQueue: queues.erp,
    startToCloseTimeout: '25 seconds',
    scheduleToCloseTimeout: '3 minutes',
    retry: ERP_RETRY,
  });
}

/** Fetches one batch. A menu may take 120 s. */
export function fetchActivities(
  queues: ActivityQueues,
  heartbeatMs = HEARTBEAT_MS,
): Pick<MenuActivities, 'fetchAndStage'> {
  return proxyActivities<MenuActivities>({
    taskQueue: queues.import,
    startToCloseTimeout: '4 minutes',
    scheduleToCloseTimeout: '15 minutes',
    heartbeatTimeout: heartbeatMs,
    retry: ERP_RETRY,
  });
}

/** Applies or plans a menu import. Retries a deadlock with the import of another connection. */
export function applyActivities(
  queues: ActivityQueues,
  heartbeatMs = HEARTBEAT_MS,
): Pick<MenuActivities, 'applyImport' | 'previewImport'> {
  return proxyActivities<MenuActivities>({
    taskQueue: queues.import,
    startToCloseTimeout: '3 minutes',
    scheduleToCloseTimeout: '10 minutes',
    heartbeatTimeout: heartbeatMs,
    retry: { initialInterval: '1 second', maximumAttempts: 3 },
  });
}

/**
 * Retries only a lost worker or database, because ERP answers are results. After a day, the
 * reconciler restarts the workflow of the order.
 */
export function orderActivities(
  queues: OrderQueues,
): Pick<OrderingActivities, 'sendOrder' | 'lookAtOrder' | 'withdrawOrder' | 'cancelOrder'> {
  const on = (taskQueue: string) =>
    proxyActivities<OrderingActivities>({
      taskQueue,
      startToCloseTimeout: '90 seconds',
      scheduleToCloseTimeout: '1 day',
      heartbeatTimeout: ORDER_HEARTBEAT_MS,
      retry: { initialInterval: '1 second', maximumInterval: '30 seconds' },
    });

  const { lookAtOrder, withdrawOrder, cancelOrder } = on(queues.order);

  return {
    sendOrder: on(queues.send ?? queues.order).sendOrder,
    lookAtOrder,
    withdrawOrder,
    cancelOrder,
  };
}

/**
 * Makes at most three reads and one change. Retries only a lost worker or database, because ERP
 * answers are results.
 */
export function markerActivities(
  queues: ActivityQueues,
  heartbeatMs = HEARTBEAT_MS,
): Pick<CompensationActivities, 'clearNextMarker'> {
  return proxyActivities<CompensationActivities>({
    taskQueue: queues.erp,
    startToCloseTimeout: '2 minutes',
    scheduleToCloseTimeout: '1 day',
    heartbeatTimeout: heartbeatMs,
    retry: { initialInterval: '1 second', maximumInterval: '30 seconds' },
  });
}

/** Retries until the database and Temporal are available. */
export function giftActivities(): Pick<CompensationActivities, 'lookAtGift' | 'resolveConflict'> {
  return proxyActivities<CompensationActivities>({
    startToCloseTimeout: '30 seconds',
    scheduleToCloseTimeout: '1 day',
    retry: { initialInterval: '1 second', maximumInterval: '30 seconds' },
  });
}

/**
 * These activities make many ERP requests, so they have up to 12 hours. The next daily run retries
 * what failed.
 */
export function giftReconciliationActivities(
  queues: OrderQueues,
): Pick<OrderingActivities, 'readLastOrders' | 'compareGifts'> {
  return proxyActivities<OrderingActivities>({
    taskQueue: queues.order,
    startToCloseTimeout: '10 minutes',
    scheduleToCloseTimeout: '12 hours',
    heartbeatTimeout: HEARTBEAT_MS,
    retry: { initialInterval: '30 seconds', maximumInterval: '30 minutes' },
  });
}
