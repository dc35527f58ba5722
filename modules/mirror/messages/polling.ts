import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import { defineWorkflow } from '../../../kernel/pure/define-workflow.ts';
import type { PollQueues } from '../../../kernel/pure/queues.ts';
import type { PollJob } from '../rules/jobs.ts';
import type { PollTimes } from '../rules/poll-times.ts';
import type { ImportTimings } from './sync.ts';

/** A pause of one job. `until` in Unix ms, null if it must be ended by people. */
export type PollPause = { until: number | null; reason: string };

export type PollPlan = {
  /** False ends the loop: the connection is disabled or deleted. */
  isEnabled: boolean;
  jobs: Readonly<Record<PollJob, PollTimes & { pause: PollPause | null }>>;
  /** Time until an open circuit may be probed, ms. Null without one. */
  circuitRestMs: number | null;
  timings: ImportTimings;
};

/** Result of a poll: ids and words only. */
export type PollResult = {
  /** For people: `unchanged`, `menu 3 has changed`, `failed: TIMEOUT`. */
  text: string;
  /** Imports to run under their locks, after a change or to record a failure. */
  imports: readonly ({ job: 'STOP_LIST' } | { job: 'MENU'; externalMenuId: number })[];
  /** Time until an open circuit may be probed, ms. Null without one. */
  circuitRestMs: number | null;
};

/** End of the last poll. `at` in Unix ms. */
export type LastPoll = { at: number; text: string };

/** `last` keeps results for people at continue-as-new. */
export type PollingInput = {
  connectionId: number;
  queues: PollQueues;
  /** Minimum interval between polls that webhooks trigger, ms. */
  hintPauseMs?: number;
  /** Polls before continue-as-new. By default Temporal decides. */
  pollsPerRun?: number;
  last?: Partial<Record<PollJob, LastPoll>>;
  /** True if a webhook requested a poll of orders before continue-as-new. */
  isHinted?: boolean;
};

/** Polls stop-lists, menus and orders of one connection while it is enabled (OPS-105, OPS-106). */
export const pollingWorkflow = defineWorkflow<PollingInput>()({
  type: 'polling',
  versioning: 'AUTO_UPGRADE',
  id: ({ connectionId }: { connectionId: number }) => `polling/${connectionId}`,
});

/** Makes the loop read its plan again after a change of rows or environment. */
export const pollingChanged = defineSignal('pollingChanged');

export const ordersChanged = defineSignal('ordersChanged');

/** Times in Unix ms. */
export type PollState = {
  /** Null while the job is paused without an end. */
  dueAt: number | null;
  pause: PollPause | null;
  last: LastPoll | null;
};

export const pollingState = defineQuery<Readonly<Record<PollJob, PollState>> | null>('state');

/** A request by an operator in Temporal. `by` is the operator's name for the audit. */
export type PauseRequest = { job: PollJob; by: string; reason: string; until?: string };
export type ResumeRequest = { job: PollJob; by: string };
export type AcceptRequest = { runId: number; by: string; reason: string };

/** Polls a job at once and returns its result in words (OPS-197). */
export const pollNow = defineUpdate<string, [{ job: PollJob }]>('poll');
/** Pauses a job like `POST /sync/pauses` (OPS-196). */
export const pausePolls = defineUpdate<string, [PauseRequest]>('pause');
/** Ends the pauses of a job (OPS-196). */
export const resumePolls = defineUpdate<string, [ResumeRequest]>('resume');
/** Accepts a rejected import like `POST /sync/runs/{id}/accept-shrink` (OPS-197). */
export const acceptHeldBack = defineUpdate<string, [AcceptRequest]>('accept');
