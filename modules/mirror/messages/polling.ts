import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import { defineWorkflow } from '../../../kernel/pure/define-workflow.ts';
import type { PollQueues } from '../../../kernel/pure/queues.ts';
import type { PollJob } from '../rules/jobs.ts';
import type { PollTimes } from '../rules/poll-times.ts';
import type { ImportTimings } from './sync.ts';

/** `until` in Unix ms, null if people must end the pause. */
export type PollPause = { until: number | null; reason: string };

export type PollPlan = {
  /** False ends the loop. */
  isEnabled: boolean;
  jobs: Readonly<Record<PollJob, PollTimes & { pause: PollPause | null }>>;
  /** Time until an open circuit may be probed, ms. Null without one. */
  circuitRestMs: number | null;
  timings: ImportTimings;
};

export type PollResult = {
  /** For people: `unchanged`, `menu 3 has changed`, `failed: TIMEOUT`. */
  text: string;
  /** After a change or to record a failure. */
  imports: readonly ({ job: 'STOP_LIST' } | { job: 'MENU'; externalMenuId: number })[];
  circuitRestMs: number | null;
};

/** `at`: end of the poll, Unix ms. */
export type LastPoll = { at: number; text: string };

export type PollingInput = {
  connectionId: number;
  queues: PollQueues;
  /** Minimum interval between polls that webhooks trigger, ms. */
  hintPauseMs?: number;
  /** By default Temporal decides. */
  pollsPerRun?: number;
  last?: Partial<Record<PollJob, LastPoll>>;
  isHinted?: boolean;
};

/** Polls stop-lists, menus and orders of one enabled connection (OPS-105, OPS-106). */
export const pollingWorkflow = defineWorkflow<PollingInput>()({
  type: 'polling',
  versioning: 'AUTO_UPGRADE',
  id: ({ connectionId }: { connectionId: number }) => `polling/${connectionId}`,
});

/** Makes the loop read its plan again. */
export const pollingChanged = defineSignal('pollingChanged');

export const ordersChanged = defineSignal('ordersChanged');

/** Times in Unix ms. */
export type PollState = {
  /** Null: paused without an end. */
  dueAt: number | null;
  pause: PollPause | null;
  last: LastPoll | null;
};

export const pollingState = defineQuery<Readonly<Record<PollJob, PollState>> | null>('state');

/** `by`: the operator in Temporal, for the audit. */
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
