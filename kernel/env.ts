import { constant, group, timerDuration } from '../platform/env/variables.ts';

export const EVENTS_VARIABLES = group('Synchronization', {
  OUTBOX_SWEEP_EVERY: constant(
    '10s',
    timerDuration,
    'Interval of delivering events that a crash left in the outbox',
  ),
});
