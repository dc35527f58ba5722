import { condition, setHandler, upsertSearchAttributes } from '@temporalio/workflow';
import { searchAttributeUpdates } from '../../platform/pure/search-attributes.ts';
import {
  ordersChanged,
  pollingChanged,
  pollingState,
  type LastPoll,
  type PollingInput,
  type PollPlan,
  type PollResult,
  type PollState,
} from '../../modules/mirror/messages/polling.ts';
import { POLL_JOBS, type PollJob } from '../../modules/mirror/rules/jobs.ts';
import { nextPollAt } from '../../modules/mirror/rules/poll-times.ts';
import { planActivities } from './activity-sets.ts';
import { circuitProbes } from './circuit-probes.ts';
import { executionDetails } from './details.ts';
import { failureInWords, findCause } from './failure-in-words.ts';
import { handlePollRequests } from './poll-requests.ts';
import type { UnderLock } from './under-lock.ts';

/** Pause between order polls after webhooks. */
const HINT_PAUSE_MS = 5_000;
/** Shortest pause. The database clock determines when a pause ends, and may be behind. */
const SHORTEST_MS = 1_000;

type Import = PollResult['imports'][number];

/** Times in Unix ms. */
type Job = {
  dueAt: number;
  /** A poll runs while `begun` and `ended` differ. */
  begun: number;
  ended: number;
  isAsked: boolean;
  last: LastPoll | null;
  imports: Map<string, Import>;
  lastImport: LastPoll | null;
};

const nameOf = (target: Import): string =>
  'externalMenuId' in target ? `menu ${target.externalMenuId}` : 'stop-lists';

/**
 * Tracks the jobs of one connection: their times, pauses and results, and the requests of operators
 * and webhooks. Does not poll.
 */
export function pollBoard(input: PollingInput) {
  const { connectionId, hintPauseMs = HINT_PAUSE_MS } = input;
  const details = executionDetails();
  let plan: PollPlan | null = null;
  let changes = 1;
  let planRead = 0;
  let polls = 0;
  const hint = { isGiven: input.isHinted === true, isRunning: false, beganAt: 0 };
  const circuits = circuitProbes();
  const jobs = Object.fromEntries(
    POLL_JOBS.map((job) => [job, newJob(input.last?.[job] ?? null)]),
  ) as Record<PollJob, Job>;

  const pauseOf = (job: PollJob) => plan?.jobs[job].pause ?? null;
  const hintedAt = () => (hint.isGiven ? hint.beganAt + hintPauseMs : Infinity);
  const dueAt = (job: PollJob): number | null => {
    const pause = pauseOf(job);
    if (pause !== null) return pause.until;
    return job === 'ORDERS' ? Math.min(jobs[job].dueAt, hintedAt()) : jobs[job].dueAt;
  };

  const toState = (job: PollJob): PollState => ({
    dueAt: dueAt(job),
    pause: pauseOf(job),
    last: jobs[job].last,
  });

  const show = () =>
    details.show(POLL_JOBS.map((job) => inWords(job, toState(job), jobs[job])).join('\n\n'));

  function apply(read: PollPlan): void {
    const [before, paused] = [plan === null ? null : pausedJobs(plan).join(), pausedJobs(read)];
    plan = read;
    for (const job of POLL_JOBS) jobs[job].dueAt = nextPollAt(Date.now(), read.jobs[job]);
    circuits.note(read.circuitRestMs);
    if (paused.join() !== before)
      upsertSearchAttributes(
        searchAttributeUpdates({ CartePaused: paused.length === 0 ? null : paused }),
      );

    show();
  }

  /** Reads the plan, and drops it if a later plan was read meanwhile. */
  async function readPlan(): Promise<void> {
    const read = changes;
    const newPlan = await planActivities().readPollPlan({ connectionId });
    if (read < planRead) return;
    planRead = read;
    apply(newPlan);
  }

  async function run(poll: () => Promise<PollResult>): Promise<Omit<PollResult, 'circuitRestMs'>> {
    polls += 1;
    return poll().then(
      (result) => {
        circuits.note(result.circuitRestMs);
        return result;
      },
      (error: unknown) => ({ text: failureInWords(error), imports: [] }),
    );
  }

  setHandler(pollingState, () =>
    plan === null
      ? null
      : (Object.fromEntries(POLL_JOBS.map((job) => [job, toState(job)])) as Record<
          PollJob,
          PollState
        >),
  );

  setHandler(pollingChanged, () => void (changes += 1));
  setHandler(ordersChanged, () => void (hint.isGiven = true));
  handlePollRequests(connectionId, {
    pauseOf,
    readPlan,
    async poll(job) {
      const pollNumber = jobs[job].begun + 1;
      jobs[job].isAsked = true;
      await condition(() => jobs[job].ended >= pollNumber);
      return jobs[job].last!.text;
    },
  });

  details.rejectUnknownSignals();

  return {
    circuits,
    polls: () => polls,
    /** An unread change may have enabled the connection again. */
    isDisabled: () => plan?.isEnabled === false && changes === planRead,
    /** Ignores running imports, which outlive the execution. */
    isIdle: () =>
      plan !== null && !hint.isRunning && POLL_JOBS.every((job) => !isRunning(jobs[job])),
    importedMenus: () =>
      [...jobs.MENU.imports.values()].flatMap((each) =>
        'externalMenuId' in each ? [each.externalMenuId] : [],
      ),
    timings: () => plan?.timings,

    /** Reads the plan now, after each change, and at the end of a pause. */
    async followPlan(): Promise<never> {
      for (;;) {
        await readPlan();
        const ends = POLL_JOBS.flatMap((job) => pauseOf(job)?.until ?? []);
        const changed = () => changes !== planRead;
        if (ends.length === 0) await condition(changed);
        else
          await condition(changed, Math.max(SHORTEST_MS, Math.min(...ends) - Date.now()), {
            summary: 'Until a pause ends',
          });
      }
    },

    async untilDue(job: PollJob): Promise<void> {
      const state = jobs[job];
      await condition(() => plan !== null);

      for (;;) {
        const [now, pause, seen] = [Date.now(), pauseOf(job), plan];
        if (state.isAsked || (pause === null && now >= state.dueAt)) return;
        const hasNews = () => state.isAsked || plan !== seen;
        if (pause !== null) await condition(hasNews);
        else
          await condition(hasNews, Math.max(1, state.dueAt - now), {
            summary: `Until the next poll: ${job}`,
          });
      }
    },

    async run(job: PollJob, poll: () => Promise<PollResult>): Promise<readonly Import[]> {
      const state = jobs[job];
      Object.assign(state, { isAsked: false, begun: state.begun + 1 });
      show();
      const { text, imports } = await run(poll);
      const now = Date.now();
      const next = nextPollAt(now, plan!.jobs[job]);
      Object.assign(state, { ended: state.begun, last: { at: now, text }, dueAt: next });
      show();

      return imports;
    },

    /** Waits for a webhook while orders are not paused, and then for the minimum interval. */
    async untilHinted(): Promise<void> {
      for (;;) {
        await condition(() => hint.isGiven && plan !== null && pauseOf('ORDERS') === null);
        const now = Date.now();
        if (now >= hintedAt()) return;
        await condition(() => pauseOf('ORDERS') !== null, hintedAt() - now, {
          summary: 'Pause after a webhook',
        });
      }
    },

    async runHinted(poll: () => Promise<PollResult>): Promise<void> {
      Object.assign(hint, { isGiven: false, isRunning: true, beganAt: Date.now() });
      const { text } = await run(poll);
      hint.isRunning = false;
      jobs.ORDERS.last = { at: Date.now(), text };
      show();
    },

    startImport(job: PollJob, target: Import, start: () => Promise<UnderLock>): void {
      const [state, name] = [jobs[job], nameOf(target)];
      if (state.imports.has(name)) return;
      state.imports.set(name, target);
      show();
      const ended = (text: string): void => {
        state.imports.delete(name);
        state.lastImport = { at: Date.now(), text: `${name}: ${text}` };
        show();
      };

      // Polls continue after any result of an import.
      void start().then(
        (end) => ended(endInWords(end)),
        (error: unknown) => ended(`failed: ${findCause(error)}`),
      );
    },

    carriedOver: (): PollingInput => ({
      ...input,
      last: Object.fromEntries(
        POLL_JOBS.flatMap((job) => (jobs[job].last === null ? [] : [[job, jobs[job].last]])),
      ),
      isHinted: hint.isGiven,
    }),
  };
}

const newJob = (last: LastPoll | null): Job => ({
  dueAt: 0,
  begun: 0,
  ended: 0,
  isAsked: false,
  last,
  imports: new Map(),
  lastImport: null,
});

const isRunning = ({ begun, ended }: Job): boolean => begun !== ended;

const pausedJobs = (plan: PollPlan): PollJob[] =>
  POLL_JOBS.filter((job) => plan.jobs[job].pause !== null);

function inWords(job: PollJob, { pause, last, dueAt }: PollState, state: Job): string {
  const { lastImport } = state;
  const until = pause?.until == null ? '' : ` until ${formatTime(pause.until)}`;
  const waits =
    pause === null ? `next poll at ${formatTime(dueAt!)}` : `paused${until}: ${pause.reason}`;

  return [
    `${job}: ${isRunning(state) ? 'asks the ERP' : waits}`,
    ...(last === null ? [] : [`last at ${formatTime(last.at)}: ${last.text}`]),
    ...[...state.imports.keys()].map((name) => `imports ${name}`),
    ...(lastImport === null
      ? []
      : [`last import at ${formatTime(lastImport.at)}: ${lastImport.text}`]),
  ].join('; ');
}

const formatTime = (ms: number): string => new Date(ms).toISOString();

function endInWords(end: UnderLock): string {
  if (end === 'ALREADY_RUNNING') return 'another run has the lock';
  if (end === 'GIVEN_UP') return 'the import was canceled or took too long';
  return `run ${end.runId} ended: ${end.status}${end.reason === null ? '' : ` ${end.reason}`}`;
}
