import type { TemporalDeps } from '../../kernel/start-workflow.ts';
import type { Listeners } from '../../kernel/events/listeners.ts';
import { wakeClearing } from './start-clearing.ts';

/** What follows when rights are redeemed, by whatever order. */
export const COMPENSATION_LISTENERS = {
  MarkersWait: (markers, deps) => wakeClearing(deps, markers),
} satisfies Listeners<TemporalDeps>;
