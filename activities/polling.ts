import { cancellationSignal } from '@temporalio/activity';
import { isErpFailure } from '../erp/failure.ts';
import {
  probeCircuits,
  restOfCircuits,
  type CircuitDeps,
} from '../modules/connections/erp-calls/watch-circuits.ts';
import { renewToken } from '../modules/connections/erp-calls/renew-token.ts';
import { pollStopLists } from '../modules/mirror/import-stop-lists.ts';
import type {
  AcceptRequest,
  PauseRequest,
  PollResult,
  ResumeRequest,
} from '../modules/mirror/messages/polling.ts';
import { pollMenus } from '../modules/mirror/polling/poll-menus.ts';
import {
  acceptForOperator,
  pauseForOperator,
  resumeForOperator,
} from '../modules/mirror/polling/operator-requests.ts';
import { readPollPlan } from '../modules/mirror/polling/read-poll-plan.ts';
import type { PollJob } from '../modules/mirror/rules/jobs.ts';
import type { PollDeps } from '../modules/mirror/runs/poll-in-batches.ts';
import type { HistoryDeps } from '../modules/ordering/polling/read-histories.ts';
import { pollWithHistories, watchOrders } from '../modules/ordering/polling/watch-orders.ts';
import type { Product } from '../modules/wire-product.ts';
import { loggable, type Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import { repeatingProgress } from '../platform/progress.ts';
import type { StatementLimit } from './statement-limit.ts';

export type PollActivities = ReturnType<typeof createPollActivities>;

/** No poll waits for the renewal of a token. */
const RENEWAL_MS = 60_000;

type OfConnection = { connectionId: number };
type Found = Omit<PollResult, 'circuitRestMs'>;

type Deps = PollDeps &
  HistoryDeps &
  CircuitDeps &
  StatementLimit & { log: Log; metrics: Pick<Metrics, 'pollDuration'> };

export function createPollActivities(deps: Deps & Product) {
  return {
    readPollPlan: ({ connectionId }: OfConnection) => readPollPlan(deps, connectionId),

    pollStopLists: ({ connectionId }: OfConnection) =>
      polled(deps, 'STOP_LIST', connectionId, async (signal) => {
        const outcome = await pollStopLists(deps, connectionId, { signal });
        if (outcome === 'CHANGED') return { text: 'changed', imports: [{ job: 'STOP_LIST' }] };
        return { text: outcome.toLowerCase(), imports: [] };
      }),

    /** Polls menus one after the other, except those whose import runs. */
    pollMenus: ({ connectionId, except }: OfConnection & { except: readonly number[] }) =>
      polled(deps, 'MENU', connectionId, (signal) =>
        pollMenus(deps, connectionId, { except, signal }),
      ),

    /**
     * Polls orders. Unless a webhook triggered the poll, also checks which terminals can take
     * orders.
     */
    pollOrders: ({ connectionId, isHint }: OfConnection & { isHint: boolean }) =>
      polled(deps, 'ORDERS', connectionId, async (signal) => {
        const poll = isHint ? pollWithHistories : watchOrders;
        const { orders, gifts } = await poll(deps, connectionId, { signal });
        return { text: `${orders} orders and ${gifts} orders with gifts were read`, imports: [] };
      }),

    /** Probes the circuits whose pause is over. */
    probeCircuits: async ({ connectionId }: OfConnection) => {
      await probeCircuits(deps, connectionId, { signal: cancellationSignal() });
      return { circuitRestMs: await restOfCircuits(deps.db, connectionId) };
    },

    /** A second call is rejected as a duplicate. */
    pausePolls: (input: OfConnection & PauseRequest) => pauseForOperator(deps, input),

    /** Ends all pauses of a job. */
    resumePolls: (input: OfConnection & ResumeRequest) => resumeForOperator(deps, input),

    /** Accepts a rejected import for an operator. A repeated call is rejected. */
    acceptHeldBack: (input: OfConnection & AcceptRequest) => acceptForOperator(deps, input),
  };
}

/**
 * Runs a poll and returns failures of the ERP as results. First renews a token that expires soon.
 */
async function polled(
  deps: Deps,
  job: PollJob,
  connectionId: number,
  work: (signal: AbortSignal) => Promise<Found>,
): Promise<PollResult> {
  const { db, log, metrics, statementMs } = deps;
  const began = performance.now();
  void renewToken(deps, connectionId, { signal: AbortSignal.timeout(RENEWAL_MS) });
  let outcome: 'succeeded' | 'failed' = 'failed';
  let pollResult: Found;

  try {
    pollResult = await repeatingProgress(statementMs, () => work(cancellationSignal()));
    outcome = 'succeeded';
  } catch (error) {
    if (!isErpFailure(error) || cancellationSignal().aborted) throw error;
    log.warn({ error: loggable(error), job, connectionId }, 'a poll has failed; it is repeated');
    pollResult = { text: `failed: ${error.kind}`, imports: [] };
  } finally {
    metrics.pollDuration.observe({ job, outcome }, (performance.now() - began) / 1000);
  }

  return { ...pollResult, circuitRestMs: await restOfCircuits(db, connectionId) };
}
