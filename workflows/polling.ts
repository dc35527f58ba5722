import { allHandlersFinished, condition, continueAsNew, workflowInfo } from '@temporalio/workflow';
import type { PollingInput, PollResult } from '../modules/mirror/messages/polling.ts';
import type { ImportInput } from '../modules/mirror/messages/sync.ts';
import { POLL_JOBS, type PollJob } from '../modules/mirror/rules/jobs.ts';
import { pollActivities } from './support/activity-sets.ts';
import { failureInWords } from './support/failure-in-words.ts';
import { pollBoard } from './support/poll-board.ts';
import { underLock } from './support/under-lock.ts';

/**
 * Polls stop-lists, menus and orders, each job at its own times (OPS-105, OPS-106). A change starts
 * an import under its lock, and other polls continue meanwhile. Ends when the connection is
 * disabled.
 */
export async function polling(input: PollingInput): Promise<void> {
  const { connectionId, queues } = input;
  const { pollStopLists, pollMenus, pollOrders, probeCircuits } = pollActivities(queues);
  const board = pollBoard(input);
  const polls: Readonly<Record<PollJob, () => Promise<PollResult>>> = {
    STOP_LIST: () => pollStopLists({ connectionId }),
    MENU: () => pollMenus({ connectionId, except: board.importedMenus() }),
    ORDERS: () => pollOrders({ connectionId, isHint: false }),
  };

  const toImport = (target: PollResult['imports'][number]): ImportInput => {
    const timings = board.timings();
    const limits = timings === undefined ? {} : { timings };
    return { ...target, ...limits, connectionId, queues, trigger: 'SCHEDULE' };
  };

  async function follow(job: PollJob): Promise<never> {
    for (;;) {
      await board.untilDue(job);
      for (const target of await board.run(job, polls[job]))
        board.startImport(job, target, () => underLock(toImport(target)));
    }
  }

  /** Polls orders after webhooks, even during a slow poll (ORD-98). */
  async function followHints(): Promise<never> {
    for (;;) {
      await board.untilHinted();
      await board.runHinted(() => pollOrders({ connectionId, isHint: true }));
    }
  }

  /** Probes circuits that otherwise only requests of guests would close (ERP-36). */
  async function followCircuits(): Promise<never> {
    for (;;) {
      await board.circuits.untilDue();
      const probed = await probeCircuits({ connectionId }).catch(failureInWords);
      board.circuits.probed(typeof probed === 'string' ? 0 : probed.circuitRestMs);
    }
  }

  const isLong = () =>
    board.polls() >= (input.pollsPerRun ?? Infinity) || workflowInfo().continueAsNewSuggested;
  const mayEnd = () => board.isDisabled() || (isLong() && board.isIdle() && allHandlersFinished());
  const loops = [board.followPlan(), followHints(), followCircuits(), ...POLL_JOBS.map(follow)];
  // A bug ends the execution. Upkeep then starts a new one.
  await Promise.race([condition(mayEnd), Promise.all(loops)]);
  if (!board.isDisabled()) await continueAsNew<typeof polling>(board.carriedOver());
}
