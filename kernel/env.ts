import { define, group, duration } from '../platform/env/variables.ts';

export const EVENTS_VARIABLES = group('Synchronization', {
  OUTBOX_SWEEP_EVERY: define('10s', duration, 'Interval of delivering events that a crash left in the outbox'),
});
