import { define, group, duration, timeOfDay } from '../../platform/env/variables.ts';

export const ORDERING_VARIABLES = group('Synchronization', {
  ORDER_WATCH_EVERY: define(
    '30s',
    duration,
    'Interval of polling the ERP for order changes and available terminals',
  ),
  GIFTS_COMPARED_AT: define(
    '05:30',
    timeOfDay,
    'Time in SYNC_TIME_ZONE at which the gifts of the last days are reconciled',
  ),
});
