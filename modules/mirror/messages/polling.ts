import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import { defineWorkflow } from '../../../kernel/pure/define-workflow.ts';
import type { PollQueues } from '../../../kernel/pure/queues.ts';
import type { PollJob } from '../rules/jobs.ts';
import type { PollTimes } from '../rules/poll-times.ts';
import type { ImportTimings } from './sync.ts';

/** A pause of one job; `until` in Unix ms, null for one that people end. */
export type PollPause = { until: number | null; reason: string };

/** The jobs of one connection, from the rows and the environment. */
export type PollPlan = {
  /** False ends the loop: the connection is disabled or gone. */
  isEnabled: boolean;
  jobs: Readonly<Record<PollJob, PollTimes & { pause: PollPause | null }>>;
  /** Time until an open circuit of the connection may be probed, ms; null without one. */
  circuitRestMs: number | null;
  /** Limits of imports. */
  timings: ImportTimings;
};

/** The end of one poll: ids and words only. */
export type PollResult = {
  /** For people: `unchanged`, `menu 3 has changed`, `failed: TIMEOUT`. */
  text: string;
  /** Imports to run under their locks: their data have changed, or their failure is recorded. */
  imports: readonly ({ job: 'STOP_LIST' } | { job: 'MENU'; externalMenuId: number })[];
  /** Time until an open circuit of the connection may be probed, ms; null without one. */
  circuitRestMs: number | null;
};

/** The last end of a job; `at` in Unix ms. */
export type LastPoll = { at: number; text: string };

/** Input of polling; `last` keeps the results for people at continue-as-new. */
export type PollingInput = {
  connectionId: number;
  queues: PollQueues;
  /** Pause between two polls that webhooks trigger; ms. */
  hintPauseMs?: number;
  /** Polls after which the execution continues as new; Temporal decides when absent. */
  pollsPerRun?: number;
  last?: Partial<Record<PollJob, LastPoll>>;
  /** True if a webhook requested a poll of the orders before continue-as-new. */
  isHinted?: boolean;
};

/**
 * Polls the ERP for the stop-lists, menus and orders of one connection for as long as it is enabled
 * (rules OPS-105, OPS-106).
 */
export const pollingWorkflow = defineWorkflow<PollingInput>()({
  type: 'polling',
  versioning: 'AUTO_UPGRADE',
  id: ({ connectionId }: { connectionId: number }) => `polling/${connectionId}`,
});

/** The rows or the environment have changed: the plan is read again. */
export const pollingChanged = defineSignal('pollingChanged');

/** A webhook has announced a change of an order. */
export const ordersChanged = defineSignal('ordersChanged');

/** The state of one job; times in Unix ms. */
export type PollState = {
  /** Null while the job is paused without an end. */
  dueAt: number | null;
  pause: PollPause | null;
  last: LastPoll | null;
};

/** The jobs of the connection. */
export const pollingState = defineQuery<Readonly<Record<PollJob, PollState>> | null>('state');

/** A request of an operator in Temporal; `by` is the operator's name for the audit. */
export type PauseRequest = { job: PollJob; by: string; reason: string; until?: string };
export type ResumeRequest = { job: PollJob; by: string };
export type AcceptRequest = { runId: number; by: string; reason: string };

/** Polls a job at once and returns its result in words (rule OPS-197). */
export const pollNow = defineUpdate<string, [{ job: PollJob }]>('poll');
/** Pauses a job, like `POST /sync/pauses` (rule OPS-196). */
export const pausePolls = defineUpdate<string, [PauseRequest]>('pause');
/** Ends the pauses of a job (rule OPS-196). */
export const resumePolls = defineUpdate<string, [ResumeRequest]>('resume');
/** Accepts a rejected import, like `POST /sync/runs/{id}/accept-shrink` (rule OPS-197). */
export const acceptHeldBack = defineUpdate<string, [AcceptRequest]>('accept');
