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
import type { ActivityQueues, OrderQueues, PollQueues, WebhookQueues } from '../../kernel/pure/queues.ts';

/**
 * The retry policy of every call to the ERP (rule ERP-6): one try and three more after 1, 3 and 9
 * s.
 */
const ERP_RETRY = { initialInterval: '1 second', backoffCoefficient: 3, maximumAttempts: 4 } as const;

/** The longest time without progress of an activity that reports it (rule OPS-191). */
const HEARTBEAT_MS = 15_000;
const MINUTE_MS = 60_000;
/** Guests wait for their order: a worker that dies is followed by another one soon. */
const ORDER_HEARTBEAT_MS = 5_000;

/**
 * Bookkeeping on our own database, run by the worker that runs the workflow and without a task of
 * its own each: an import that finds nothing new consists of little else.
 */
export function runActivities(): RunActivities {
  return proxyLocalActivities<RunActivities>({
    startToCloseTimeout: '10 seconds',
    scheduleToCloseTimeout: '2 minutes',
    retry: { maximumInterval: '10 seconds' },
  });
}

/** The plan of a loop of polls: a read of our own database. */
export function planActivities(): Pick<PollActivities, 'readPollPlan'> {
  return proxyLocalActivities<PollActivities>({
    startToCloseTimeout: '10 seconds',
    // An execution that ends for an absent database is started again by upkeep.
    scheduleToCloseTimeout: '10 minutes',
    retry: { maximumInterval: '10 seconds' },
  });
}

/** Requests of operators to a loop of polls, who wait for the answer. */
export function requestActivities(): Pick<PollActivities, 'pausePolls' | 'resumePolls' | 'acceptHeldBack'> {
  return proxyActivities<PollActivities>({
    startToCloseTimeout: '20 seconds',
    scheduleToCloseTimeout: '1 minute',
    retry: { initialInterval: '1 second', maximumAttempts: 3 },
  });
}

/**
 * Polls of the ERP. Its failures are results, so the second attempt is for a lost worker or an
 * absent database; what fails is repeated at the next time of its job.
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

/** The steps of upkeep, which limit themselves; the next minute repeats them. */
export function upkeepActivities(): UpkeepActivities {
  return proxyActivities<UpkeepActivities>({
    startToCloseTimeout: 2 * MINUTE_MS,
    scheduleToCloseTimeout: 4 * MINUTE_MS,
    // A worker that dies in the middle must not keep the next one waiting.
    heartbeatTimeout: HEARTBEAT_MS,
    retry: { initialInterval: '1 second', maximumAttempts: 2 },
  });
}

/** Records that a notification is no longer sent. */
export function givingUpActivities(): Pick<NotificationActivities, 'giveUpNotification'> {
  return proxyActivities<NotificationActivities>({
    startToCloseTimeout: '1 minute',
    scheduleToCloseTimeout: '2 minutes',
    retry: { maximumAttempts: 2 },
  });
}

/**
 * Half a minute of a sweep of the media store; an unavailable store is retried by the next
 * schedule.
 */
export function mediaActivities(heartbeatMs = HEARTBEAT_MS): MediaActivities {
  return proxyActivities<MediaActivities>({
    startToCloseTimeout: '2 minutes',
    scheduleToCloseTimeout: '10 minutes',
    heartbeatTimeout: heartbeatMs,
    retry: { initialInterval: '5 seconds', maximumAttempts: 3 },
  });
}

/** Requests to one receiver of webhooks; an absent database or worker is waited for. */
export function webhookActivities({ webhooks }: WebhookQueues): WebhookActivities {
  return proxyActivities<WebhookActivities>({
    taskQueue: webhooks,
    startToCloseTimeout: '1 minute',
    scheduleToCloseTimeout: '1 day',
    heartbeatTimeout: HEARTBEAT_MS,
    retry: { initialInterval: '1 second', maximumInterval: '30 seconds' },
  });
}

/** A call to each channel of notifications: at most 10 s each, and tries over about four hours. */
const SEND_PACE: SendPace = { firstMs: 10_000, longestMs: 30 * 60_000, tries: 12 };

/** Sending of a notification; a mail server may be away for longer than the ERP is. */
export function notificationActivities(pace = SEND_PACE): Pick<NotificationActivities, 'sendNotification'> {
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

/**
 * Evaluation and incidents: one transaction each; the reconciler starts again what has failed for
 * longer.
 */
export function bindingActivities(): BindingActivities {
  return proxyActivities<BindingActivities>({
    startToCloseTimeout: '1 minute',
    scheduleToCloseTimeout: '10 minutes',
    retry: { maximumInterval: '20 seconds' },
  });
}

/** Ends of busy modes, one transaction; an absent database is waited for (rule FUL-73). */
export function busyModeActivities(): BusyModeActivities {
  return proxyActivities<BusyModeActivities>({
    startToCloseTimeout: '30 seconds',
    scheduleToCloseTimeout: '1 day',
    retry: { initialInterval: '1 second', maximumInterval: '30 seconds' },
  });
}

/** Calls to the ERP that are not menus: 5 s to connect, 15 s to read, and reserve. */
export function erpActivities(queues: ActivityQueues): MirrorActivities {
  return proxyActivities<MirrorActivities>({
    taskQueue: queues.erp,
    startToCloseTimeout: '25 seconds',
    scheduleToCloseTimeout: '3 minutes',
    retry: ERP_RETRY,
  });
}

/** Fetch of one batch: the menu may take 120 s to arrive. */
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

/**
 * The one transaction of a menu import or plan; a deadlock with another connection's import is
 * worth another try.
 */
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
 * Calls to the ERP about one order. The answer of the ERP is a result and not a failure, so these
 * retries are for lost workers and an absent database only; the reconciler starts the order's
 * workflow again should even a day of them not be enough.
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
  return { sendOrder: on(queues.send ?? queues.order).sendOrder, lookAtOrder, withdrawOrder, cancelOrder };
}

/**
 * Calls to the ERP that take a marker away: three readings and a change at most. The answer of the
 * ERP is a result, so these retries are for lost workers and an absent database only.
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

/** Rows of gifts and conflicts; waits for an unavailable database or Temporal. */
export function giftActivities(): Pick<CompensationActivities, 'lookAtGift' | 'resolveConflict'> {
  return proxyActivities<CompensationActivities>({
    startToCloseTimeout: '30 seconds',
    scheduleToCloseTimeout: '1 day',
    retry: { initialInterval: '1 second', maximumInterval: '30 seconds' },
  });
}

/**
 * The daily comparison of gifts: it sends many requests to the ERP, with a time limit of a day;
 * what has failed until then is repeated the next day.
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
