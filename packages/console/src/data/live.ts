import { eventsOf, isProblem } from '@carte/client/admin';
import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { session, type OperationId } from './api.ts';

export type Connection = 'connecting' | 'connected' | 'reconnecting';

/** Operations whose answers change with an item of the stream. */
const CHANGED: Readonly<Record<string, readonly OperationId[]>> = {
  notification: ['listNotifications', 'getNotification'],
  run: ['getSyncStatus', 'listSyncRuns', 'getSyncRun'],
  incident: ['listBindingIncidents', 'getBindingIncident'],
  busy: ['getOrganizationsOverview', 'listBusyModes'],
  order: ['listStaffOrders', 'getStaffOrder', 'listOrderAttempts', 'getOrganizationsOverview'],
  menu: ['getSnapshot', 'listRevisions', 'listMissingProducts', 'explainProduct'],
  availability: [
    'listStopLists',
    'listMissingProducts',
    'explainProduct',
    'getOrganizationsOverview',
  ],
  product: ['listProducts', 'getProduct', 'listCategories', 'checkPublish'],
  gift: ['listCompensations', 'getCompensation'],
};

const GATHER_MS = 1_500;
const RECONNECT_MS = 2_000;
const LONGEST_RECONNECT_MS = 30_000;

/** Batches items, so that a burst causes one read. */
function refresher(client: QueryClient): (kind: string) => void {
  const due = new Set<OperationId>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  return (kind) => {
    for (const operation of CHANGED[kind] ?? []) due.add(operation);
    timer ??= setTimeout(() => {
      timer = undefined;
      for (const operation of due) void client.invalidateQueries({ queryKey: [operation] });
      due.clear();
    }, GATHER_MS);
  };
}

async function readStream(
  client: QueryClient,
  signal: AbortSignal,
  opened: () => void,
): Promise<void> {
  const refresh = refresher(client);
  const { data } = await session.api.streamStaff({ signal });
  opened();

  for await (const event of eventsOf(data)) {
    const content = event.data as { work?: unknown; type?: string };
    if (event.type === 'snapshot') client.setQueryData(['getWork'], content.work);
    else if (event.type === 'work') client.setQueryData(['getWork'], content);
    else refresh(event.type === 'event' ? (content.type ?? '').split('.')[0]! : event.type);
  }
}

async function whenVisible(): Promise<void> {
  while (document.hidden)
    await new Promise((resolve) =>
      document.addEventListener('visibilitychange', resolve, { once: true }),
    );
}

/**
 * Aborts when the page is hidden or left. Without HTTP/2, a browser has six connections for all
 * tabs, and a page kept for "back" would occupy one.
 */
function untilHidden(ended: AbortSignal): AbortSignal {
  const hidden = new AbortController();
  const check = (event: Event) => {
    if (event.type === 'pagehide' || document.hidden) hidden.abort();
  };
  const options = { signal: AbortSignal.any([ended, hidden.signal]) };
  document.addEventListener('visibilitychange', check, options);
  addEventListener('pagehide', check, options);

  return options.signal;
}

/** Aborts without a network, because a stream would notice this later. */
function untilOffline(): AbortSignal {
  const offline = new AbortController();
  addEventListener('offline', () => offline.abort(), { once: true });
  return offline.signal;
}

/** Resolves after a pause, or when the device is online again. */
export async function pauseOrOnline(ms: number): Promise<void> {
  const over = new AbortController();
  await Promise.race([
    new Promise((resolve) => setTimeout(resolve, ms)),
    new Promise((resolve) =>
      addEventListener('online', resolve, { once: true, signal: over.signal }),
    ),
  ]);

  over.abort();
}

/**
 * Keeps the stream open while the page is visible. After a loss, reads everything again, because
 * events may be missing. Each failure doubles the wait. If the session has ended, reads the person
 * again, which shows the sign-in.
 */
export function useLive(): Connection {
  const client = useQueryClient();
  const [state, setState] = useState<Connection>('connecting');
  useEffect(() => {
    const ended = new AbortController();
    let wasLost = false;
    let wait = RECONNECT_MS;
    const opened = () => {
      setState('connected');
      wait = RECONNECT_MS;
      if (wasLost) void client.invalidateQueries();
    };

    const keepOpen = async () => {
      while (!ended.signal.aborted) {
        await whenVisible();
        const signal = untilHidden(ended.signal);
        const connected = AbortSignal.any([signal, untilOffline()]);
        const failure: unknown = await readStream(client, connected, opened).catch(
          (error: unknown) => error,
        );
        wasLost = true;
        if (ended.signal.aborted) return;
        if (!signal.aborted) setState('reconnecting');
        if (isProblem(failure, 'unauthorized'))
          return void client.invalidateQueries({ queryKey: ['me'] });
        await pauseOrOnline(wait);
        wait = signal.aborted ? RECONNECT_MS : Math.min(2 * wait, LONGEST_RECONNECT_MS);
      }
    };

    void keepOpen();

    return () => ended.abort();
  }, [client]);

  return state;
}
