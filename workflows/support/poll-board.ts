import { condition, setHandler, upsertSearchAttributes } from '@temporalio/workflow';
import type { Answer } from '../../kernel/pure/rejection.ts';
import { searchAttributeUpdates } from '../../kernel/pure/search-attributes.ts';
import {
  acceptHeldBack,
  ordersChanged,
  pausePolls,
  pollingChanged,
  pollingState,
  pollNow,
  resumePolls,
  type LastPoll,
  type PollingInput,
  type PollPlan,
  type PollResult,
  type PollState,
} from '../../modules/mirror/messages/polling.ts';
import { POLL_JOBS, type PollJob } from '../../modules/mirror/rules/jobs.ts';
import { nextPollAt } from '../../modules/mirror/rules/poll-times.ts';
import { pauseErrors, pollRequestErrors } from '../../modules/mirror/rules/poll-requests.ts';
import { planActivities, requestActivities } from './activity-sets.ts';
import { executionDetails } from './details.ts';
import { failureInWords } from './failure-in-words.ts';
import type { UnderLock } from './under-lock.ts';
import { rejection, rejectInvalid, resultOf } from './updates.ts';

/** At most one poll of the orders in this time follows from what the ERP announces. */
const HINT_PAUSE_MS = 5_000;
/** Shortest pause between two probes of a circuit. */
const PROBE_PAUSE_MS = 1_000;

/** One job of the loop; times in Unix ms. */
type Job = {
  dueAt: number;
  begun: number;
  ended: number;
  beganAt: number;
  isRunning: boolean;
  /** What the job does now, in words; null while it waits. */
  doing: string | null;
  /** A person has asked for a poll. */
  isAsked: boolean;
  /** A webhook has asked for one. */
  isHinted: boolean;
  last: LastPoll | null;
};

type Import = PollResult['imports'][number];

/**
 * The jobs of one connection: their times, pauses and results, and what people and webhooks ask of
 * them. It does no poll itself.
 */
export function pollBoard(input: PollingInput) {
  const { connectionId } = input;
  const details = executionDetails();
  let plan: PollPlan | null = null;
  let changes = 1;
  let planRead = 0;
  let restedAt: number | null = null;
  let polls = 0;
  const jobs = Object.fromEntries(
    POLL_JOBS.map((job) => [job, newJob(input.last?.[job] ?? null, input.asked?.includes(job) === true)]),
  ) as Record<PollJob, Job>;

  const pauseOf = (job: PollJob) => plan?.jobs[job].pause ?? null;
  const hintedAt = (job: PollJob) =>
    jobs[job].isHinted ? jobs[job].beganAt + (input.hintPauseMs ?? HINT_PAUSE_MS) : Infinity;
  const dueAt = (job: PollJob): number | null => {
    const pause = pauseOf(job);
    return pause === null ? Math.min(jobs[job].dueAt, hintedAt(job)) : pause.until;
  };

  function show(): void {
    details.show(POLL_JOBS.map((job) => inWords(job, stateOf(job), jobs[job].doing)).join('\n\n'));
  }
  const stateOf = (job: PollJob): PollState => ({ dueAt: dueAt(job), pause: pauseOf(job), last: jobs[job].last });

  function apply(read: PollPlan): void {
    const before = pausedJobs(plan);
    plan = read;
    for (const job of POLL_JOBS) jobs[job].dueAt = nextPollAt(Date.now(), read.jobs[job]);
    const paused = pausedJobs(read);
    if (paused.join() !== before.join())
      upsertSearchAttributes(searchAttributeUpdates({ CartePaused: paused.length === 0 ? null : paused }));
    show();
  }

  async function readPlan(): Promise<void> {
    const read = changes;
    apply(await planActivities().readPollPlan({ connectionId }));
    planRead = Math.max(planRead, read);
  }

  setHandler(pollingState, () =>
    plan === null
      ? null
      : (Object.fromEntries(POLL_JOBS.map((job) => [job, stateOf(job)])) as Record<PollJob, PollState>),
  );
  setHandler(pollingChanged, () => void (changes += 1));
  setHandler(ordersChanged, () => void (jobs.ORDERS.isHinted = true));
  setHandler(
    pollNow,
    async ({ job }) => {
      const wanted = jobs[job].begun + 1;
      jobs[job].isAsked = true;
      await condition(() => jobs[job].ended >= wanted);
      return jobs[job].last!.text;
    },
    {
      description: 'Polls a job at once and returns its result: {"job": "STOP_LIST"}',
      validator(request) {
        rejectInvalid(pollRequestErrors('poll', request));
        rejectPaused(request.job);
      },
    },
  );
  setHandler(pausePolls, (request) => requested(() => requestActivities().pausePolls({ connectionId, ...request })), {
    description: 'Pauses a job: {"job": "MENU", "by": "your name", "reason": "why", "until": "2026-12-01T12:00:00Z"}',
    validator: (request) => rejectInvalid(pauseErrors(request, Date.now())),
  });
  setHandler(resumePolls, (request) => requested(() => requestActivities().resumePolls({ connectionId, ...request })), {
    description: 'Ends the pause of a job: {"job": "MENU", "by": "your name"}',
    validator: (request) => rejectInvalid(pollRequestErrors('resume', request)),
  });
  setHandler(
    acceptHeldBack,
    (request) => requested(() => requestActivities().acceptHeldBack({ connectionId, ...request })),
    {
      description: 'Accepts an import that was held back: {"runId": 17, "by": "your name", "reason": "why"}',
      validator: (request) => rejectInvalid(pollRequestErrors('accept', request)),
    },
  );
  details.rejectUnknownSignals();

  function rejectPaused(job: PollJob): void {
    const pause = pauseOf(job);
    if (pause !== null) throw rejection({ refusal: `${job} is paused: ${pause.reason}`, kind: 'invalid-transition' });
  }

  async function requested(act: () => Promise<Answer<{ text: string }>>): Promise<string> {
    const { text } = resultOf(await act());
    await readPlan();
    return text;
  }

  return {
    polls: () => polls,
    isDisabled: () => plan?.isEnabled === false,
    /** No poll runs; imports outlive the execution. */
    isIdle: () => plan !== null && POLL_JOBS.every((job) => !jobs[job].isRunning),

    /** Reads the plan now, after each change, and when a pause ends by its time. */
    async followPlan(): Promise<never> {
      for (;;) {
        await readPlan();
        const ends = POLL_JOBS.flatMap((job) => pauseOf(job)?.until ?? []);
        const changed = () => changes !== planRead;
        if (ends.length === 0) await condition(changed);
        else await condition(changed, Math.max(1, Math.min(...ends) - Date.now()), { summary: 'Until a pause ends' });
      }
    },

    /** Waits until a job is due, or asked for. */
    async untilDue(job: PollJob): Promise<{ isHint: boolean }> {
      const state = jobs[job];
      await condition(() => plan !== null);
      for (;;) {
        const now = Date.now();
        const pause = pauseOf(job);
        const isHint = pause === null && now >= hintedAt(job);
        const isDue = pause === null && now >= state.dueAt;
        if (state.isAsked || isHint || isDue) {
          const isWhole = state.isAsked || isDue;
          Object.assign(state, { isAsked: false, isHinted: false });
          return { isHint: !isWhole };
        }
        const seen = { plan, isHinted: state.isHinted };
        const hasNews = () => state.isAsked || plan !== seen.plan || state.isHinted !== seen.isHinted;
        const at = Math.min(state.dueAt, hintedAt(job));
        if (pause !== null) await condition(hasNews);
        else await condition(hasNews, Math.max(1, at - now), { summary: `Until the next poll: ${job}` });
      }
    },

    /** Runs one poll and returns the imports that follow. */
    async run(job: PollJob, poll: () => Promise<PollResult>): Promise<PollResult['imports']> {
      const state = jobs[job];
      Object.assign(state, { isRunning: true, doing: 'asks the ERP', beganAt: Date.now(), begun: state.begun + 1 });
      polls += 1;
      show();
      const result = await poll().catch((error: unknown) => ({ text: failureInWords(error), imports: [] }));
      const now = Date.now();
      Object.assign(state, { isRunning: false, doing: null, ended: state.begun, last: { at: now, text: result.text } });
      state.dueAt = nextPollAt(now, plan!.jobs[job]);
      show();
      return result.imports;
    },

    /** Shows an import while it runs, and its result. */
    async importing(job: PollJob, wanted: Import, run: () => Promise<UnderLock>): Promise<void> {
      const state = jobs[job];
      const what = 'externalMenuId' in wanted ? `menu ${wanted.externalMenuId}` : 'stop-lists';
      state.doing = `imports ${what}`;
      show();
      const text = `${what}: ${endInWords(await run())}`;
      Object.assign(state, { doing: null, last: { at: Date.now(), text } });
      state.dueAt = nextPollAt(Date.now(), plan!.jobs[job]);
      show();
    },

    /** Remembers when the first open circuit may be probed. */
    noteCircuits(restMs: number | null): void {
      const at = restMs === null ? null : Date.now() + Math.max(PROBE_PAUSE_MS, restMs);
      restedAt = at === null || restedAt === null ? at : Math.min(at, restedAt);
    },

    async untilCircuitsRested(): Promise<void> {
      for (;;) {
        await condition(() => restedAt !== null);
        const at = restedAt!;
        if (Date.now() >= at) {
          restedAt = null;
          return;
        }
        const summary = 'Until an open circuit is probed';
        await condition(() => restedAt === null || restedAt < at, at - Date.now(), { summary });
      }
    },

    /** The input of the next execution. */
    carriedOver: (): PollingInput => ({
      ...input,
      last: Object.fromEntries(POLL_JOBS.flatMap((job) => (jobs[job].last === null ? [] : [[job, jobs[job].last]]))),
      asked: POLL_JOBS.filter((job) => jobs[job].isHinted),
    }),
  };
}

const newJob = (last: LastPoll | null, isHinted: boolean): Job => ({
  dueAt: 0,
  begun: 0,
  ended: 0,
  beganAt: 0,
  isRunning: false,
  doing: null,
  isAsked: false,
  isHinted,
  last,
});

const pausedJobs = (plan: PollPlan | null): PollJob[] => POLL_JOBS.filter((job) => plan?.jobs[job].pause != null);

const inWords = (job: PollJob, { pause, last, dueAt }: PollState, doing: string | null): string =>
  [
    `${job}: ${doing ?? (pause === null ? `next poll at ${timeOf(dueAt!)}` : `paused: ${pause.reason}`)}`,
    ...(pause?.until == null ? [] : [`until ${timeOf(pause.until)}`]),
    ...(last === null ? [] : [`last at ${timeOf(last.at)}: ${last.text}`]),
  ].join('; ');

const timeOf = (ms: number): string => new Date(ms).toISOString();

const endInWords = (end: UnderLock): string => {
  if (end === 'ALREADY_RUNNING') return 'another run has the lock';
  if (end === 'GIVEN_UP') return 'the import was canceled or took too long';
  return `run ${end.runId} ended: ${end.status}${end.reason === null ? '' : ` ${end.reason}`}`;
};
