import { cancellationSignal } from '@temporalio/activity';
import { sealAudit } from '../modules/access/audit/seal-audit.ts';
import { reconcileBindings } from '../modules/binding/reconcile-bindings.ts';
import { reportOpenCircuits } from '../modules/connections/erp-calls/watch-circuits.ts';
import { endDueBusyModes } from '../modules/delivery/busy-mode/end-busy-mode.ts';
import type { ListenerDeps } from '../modules/event-listeners.ts';
import { checkRewards } from '../modules/gifts/rewards/check-rewards.ts';
import { expireRights } from '../modules/gifts/rights/expire-rights.ts';
import { GIFT_ALERTS, raiseGiftAlerts } from '../modules/gifts/reconciliation/gift-alerts.ts';
import { reconcileGifts } from '../modules/gifts/reconciliation/reconcile-gifts.ts';
import { markOlderBuilds } from '../modules/menus/snapshot/mark-older-builds.ts';
import { patchDueHours } from '../modules/menus/snapshot/patch-due-hours.ts';
import { reconcilePins } from '../modules/menus/snapshot/watch-pin.ts';
import {
  UPKEEP_STEPS,
  type UpkeepRequest,
  type UpkeepResult,
  type UpkeepStep,
  type UpkeepStepName,
} from '../modules/mirror/messages/upkeep.ts';
import { reconcilePolling } from '../modules/mirror/polling/start-polling.ts';
import { reconcileImports, type ReconcileDeps } from '../modules/mirror/reconcile.ts';
import { applySchedules, noteReconciled } from '../modules/mirror/schedules/apply-schedules.ts';
import { reconcileNotifications } from '../modules/notifications/reconcile-notifications.ts';
import { COMPARISON_ALERTS } from '../modules/ordering/gift-days/check-gift-days.ts';
import { reconcileOrders } from '../modules/ordering/at-erp/reconcile-orders.ts';
import { reconcileRebuilds } from '../modules/menus/rebuilds/reconcile-rebuilds.ts';
import type { Database } from '../platform/db/database.ts';
import { loggable, type Log } from '../platform/log.ts';
import { withLogContext } from '../platform/log-context.ts';
import type { Metrics } from '../platform/metrics.ts';
import { repeatingProgress, reportProgress } from '../platform/progress.ts';

export type UpkeepActivities = ReturnType<typeof createUpkeepActivities>;

export type UpkeepDeps = ListenerDeps &
  ReconcileDeps & {
    log: Log;
    metrics: Pick<Metrics, 'retentionDeleted' | 'upkeepStepDuration' | 'upkeepStepSucceeded'>;
    env: { RECONCILE_EVERY: number };
    /** Returns the number of deleted rows by table. */
    deleteOutdated: (db: Database) => Promise<Record<string, number>>;
  };

type Step = (signal: AbortSignal) => Promise<unknown>;

/**
 * A round waits this long for its steps, so that it ends before the next minute. It does not wait
 * for slower steps.
 */
const LIMIT_MS = 50_000;
/** A step that is still running after this time is started again. */
const GIVEN_UP_MS = 10 * 60_000;
/** Number of concurrent steps, so that a slow step delays few others. */
const AT_ONCE = 4;

/** Idempotent steps that resume work after a crash or an outage. */
export const upkeepSteps = (deps: UpkeepDeps): Readonly<Record<UpkeepStepName, Step>> => ({
  // First, because guests see it at the full minute.
  'patch-due-hours': (signal) => patchDueHours(deps, signal),
  'reconcile-orders': () => reconcileOrders(deps),
  'reconcile-imports': () => reconcileImports(deps),
  'reconcile-polling': () => reconcilePolling(deps),
  'reconcile-snapshots': async () => ({
    ...(await markOlderBuilds(deps)),
    ...(await reconcileRebuilds(deps)),
    ...(await reconcilePins(deps)),
  }),
  'reconcile-gifts': () => reconcileGifts(deps),
  'reconcile-rights': async () => ({
    ...(await expireRights(deps)),
    ...(await checkRewards(deps)),
    ...(await raiseGiftAlerts(deps, { ...GIFT_ALERTS, ...COMPARISON_ALERTS })),
  }),
  'reconcile-notifications': () => reconcileNotifications(deps),
  'reconcile-bindings': () => reconcileBindings(deps),
  'reconcile-busy-modes': async () => ({ ended: (await endDueBusyModes(deps)).ended }),
  'report-circuits': () => reportOpenCircuits(deps.db),
  'apply-schedules': async () => {
    const applied = await applySchedules(deps);
    await noteReconciled(deps);
    return applied;
  },
  'seal-audit': () => sealAudit(deps),
  'delete-outdated': async () => {
    const deleted = await deps.deleteOutdated(deps.db);
    for (const [what, rows] of Object.entries(deleted))
      deps.metrics.retentionDeleted.inc({ what }, rows);
    return deleted;
  },
});

export function createUpkeepActivities(deps: UpkeepDeps) {
  const steps = upkeepSteps(deps);
  // Shows a step that has never succeeded.
  for (const name of UPKEEP_STEPS)
    deps.metrics.upkeepStepSucceeded.set({ step: name }, Date.now() / 1000);
  const startTimes = new Map<UpkeepStepName, number>();

  return {
    /**
     * Runs steps, all by default, and returns their results. A late step is reported and
     * continues.
     */
    runUpkeep: async ({ steps: stepNames }: UpkeepRequest): Promise<UpkeepResult> => {
      const signal = AbortSignal.any([cancellationSignal(), AbortSignal.timeout(LIMIT_MS)]);
      const running = new Set<UpkeepStepName>();
      const waiting = UPKEEP_STEPS.filter(
        (name) => stepNames === undefined || stepNames.includes(name),
      );
      const ended = new Map<UpkeepStepName, UpkeepStep>();
      const of = waiting.length;
      const beat = () =>
        reportProgress({ running: [...running].join(', '), ended: ended.size, of });
      const runNext = async (): Promise<void> => {
        for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
          running.add(name);
          beat();
          ended.set(name, await perform(deps, { name, run: steps[name] }, startTimes, signal));
          running.delete(name);
          beat();
        }
      };

      // A step may take longer than a heartbeat.
      await repeatingProgress(LIMIT_MS, () =>
        Promise.all(Array.from({ length: AT_ONCE }, runNext)),
      );
      if (cancellationSignal().aborted) throw cancellationSignal().reason;

      return {
        steps: UPKEEP_STEPS.flatMap((name) => ended.get(name) ?? []),
        everyMs: deps.env.RECONCILE_EVERY,
      };
    },
  };
}

/**
 * Runs a step and never rejects: a failure is logged, counted and shown. A late step counts when it
 * ends.
 */
async function perform(
  { log, metrics }: UpkeepDeps,
  { name, run }: { name: UpkeepStepName; run: Step },
  startTimes: Map<UpkeepStepName, number>,
  signal: AbortSignal,
): Promise<UpkeepStep> {
  const now = performance.now();
  if (signal.aborted) return { name, text: 'was not begun: others took too long', isFailed: true };
  if (now - (startTimes.get(name) ?? -Infinity) < GIVEN_UP_MS)
    return { name, text: 'still runs since an earlier minute', isFailed: true };
  startTimes.set(name, now);
  const observe = (outcome: 'succeeded' | 'failed') =>
    metrics.upkeepStepDuration.observe({ step: name, outcome }, (performance.now() - now) / 1000);
  const work = withLogContext({ activity: name }, async () => run(signal)).then(
    (result) => {
      observe('succeeded');
      metrics.upkeepStepSucceeded.set({ step: name }, Date.now() / 1000);
      return { name, text: inWords(result), isFailed: false };
    },
    (error: unknown) => {
      observe('failed');
      log.warn(
        { error: loggable(error), step: name },
        'a step of upkeep has failed; it is repeated',
      );

      return { name, text: `failed: ${nameOf(error)}`, isFailed: true };
    },
  );

  const ended = work.finally(() => {
    if (startTimes.get(name) === now) startTimes.delete(name);
  });
  const late = new Promise<UpkeepStep>((resolve) => {
    const isLate = () => resolve({ name, text: 'takes long and continues', isFailed: true });
    signal.addEventListener('abort', isLate, { once: true });
  });

  return Promise.race([ended, late]);
}

/** Counts that are not zero: `3 restarted, 1 woken`. */
function inWords(result: unknown): string {
  const counts = Object.entries(Object(result) as Record<string, unknown>);
  const words = counts.flatMap(([what, count]) =>
    typeof count === 'number' && count > 0 ? [`${count} ${what}`] : [],
  );
  return words.join(', ') || 'nothing to do';
}

const nameOf = (error: unknown): string => {
  const { code, name } = error as { code?: string; name?: string };
  return code ?? name ?? 'INTERNAL';
};
