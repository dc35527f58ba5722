import type { TemporalDeps } from '../../kernel/start-workflow.ts';
import type { Listeners } from '../../kernel/events/listeners.ts';
import { wakeClearing } from './markers/start-clearing.ts';

export const COMPENSATION_LISTENERS = {
  MarkersWait: (markers, deps) => wakeClearing(deps, markers),
} satisfies Listeners<TemporalDeps>;
