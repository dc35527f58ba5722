import { randomUUID } from 'node:crypto';
import type { Delivery } from './deliveries.ts';
import { wireDate } from './wire.ts';

export const WEBHOOK_MODES = ['normal', 'duplicate', 'lose', 'reorder', 'null-info'] as const;
type WebhookMode = (typeof WEBHOOK_MODES)[number];

type WebhookEvent = {
  readonly eventType: string;
  readonly eventTime: string;
  readonly organizationId: string;
  readonly correlationId: string;
  readonly eventInfo: object | null;
};

type Sending = {
  readonly time: string;
  readonly events: readonly WebhookEvent[];
  readonly attempts: number;
  /** Status of the last attempt, or null without an answer or attempt. */
  readonly status: number | null;
  readonly outcome: 'delivered' | 'refused' | 'lost';
};

/** Sends events in order unless the mode differs. */
export type Webhooks = {
  configure(settings: { mode?: WebhookMode; url?: string; token?: string }): void;
  stopListChanged(organizationId: string, terminalGroupIds: readonly string[]): void;
  /** Reports an order, even if its creation failed. `info`: the order as in answers. */
  deliveryChanged(delivery: Delivery, info: object): void;
  deliveries(): readonly Sending[];
  /** Drops pending events and aborts the running attempt. */
  stop(): void;
};

const ATTEMPTS = 3;
const PAUSES_MS = [200, 1000] as const;
const ATTEMPT_TIMEOUT_MS = 5000;
/** Time that a delayed event waits for the next one, to swap their order. */
const HOLD_MS = 500;
const KEPT = 1000;

/** Creates the sender. Until a URL is configured, events count as lost. */
export function createWebhooks(): Webhooks {
  const log: Sending[] = [];
  const stopping = new AbortController();
  let mode: WebhookMode = 'normal';
  let url: string | undefined;
  let token = '';
  let queue: Promise<void> = Promise.resolve();
  let held: WebhookEvent[] = [];

  const record = (delivery: Omit<Sending, 'time'>): void => {
    log.push({ time: new Date().toISOString(), ...delivery });
    if (log.length > KEPT) log.shift();
  };

  const attempt = async (address: string, body: string): Promise<number | null> => {
    try {
      const response = await fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: token },
        body,
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]),
      });

      await response.arrayBuffer();

      return response.status;
    } catch {
      // An unreachable receiver is recorded and retried.
      return null;
    }
  };

  const deliver = async (events: readonly WebhookEvent[]): Promise<void> => {
    if (url === undefined || stopping.signal.aborted)
      return record({ events, attempts: 0, status: null, outcome: 'lost' });
    const body = JSON.stringify(events);
    let status: number | null = null;

    for (let attempts = 1; attempts <= ATTEMPTS; attempts += 1) {
      status = await attempt(url, body);
      if (status === 200) return record({ events, attempts, status, outcome: 'delivered' });
      await pause(PAUSES_MS[attempts - 1] ?? 0, stopping.signal);
    }

    return record({ events, attempts: ATTEMPTS, status, outcome: 'refused' });
  };

  const enqueue = (event: WebhookEvent): void => {
    queue = queue.then(() => deliver([event]));
  };

  const release = (): void => {
    const events = held.toReversed();
    held = [];
    for (const event of events) enqueue(event);
  };

  const hold = (event: WebhookEvent): void => {
    held.push(event);
    if (held.length > 1) return release();
    setTimeout(release, HOLD_MS).unref();
  };

  const send: Readonly<Record<WebhookMode, (event: WebhookEvent) => void>> = {
    normal: enqueue,
    duplicate: (event) => {
      enqueue(event);
      enqueue(event);
    },
    lose: (event) => record({ events: [event], attempts: 0, status: null, outcome: 'lost' }),
    reorder: hold,
    'null-info': (event) => enqueue({ ...event, eventInfo: null }),
  };

  const event = (
    type: string,
    organizationId: string,
    correlationId: string,
    eventInfo: object,
  ): void =>
    send[mode]({
      eventType: type,
      eventTime: wireDate(new Date()),
      organizationId,
      correlationId,
      eventInfo,
    });

  return {
    configure(settings) {
      mode = settings.mode ?? mode;
      url = settings.url ?? url;
      token = settings.token ?? token;
    },
    stopListChanged(organizationId, terminalGroupIds) {
      const terminalGroupsStopListsUpdates = terminalGroupIds.map((id) => ({ id, isFull: true }));
      event('StopListUpdate', organizationId, randomUUID(), { terminalGroupsStopListsUpdates });
    },
    deliveryChanged({ organizationId, correlationId, creation }, info) {
      if (creation === 'Error') event('DeliveryOrderError', organizationId, correlationId, info);
      else event('DeliveryOrderUpdate', organizationId, randomUUID(), info);
    },
    deliveries: () => log,
    stop() {
      held = [];
      stopping.abort();
    },
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, signal.aborted ? 0 : ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
