import { define, group, duration } from '../platform/env/variables.ts';

/** Variables of the outbox of events. */
export const EVENTS_VARIABLES = group('Synchronization', {
  OUTBOX_SWEEP_EVERY: define('10s', duration, 'Interval of delivering events that a crash left in the outbox'),
});
