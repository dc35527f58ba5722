import { constant, group, timerDuration } from '../../platform/env/variables.ts';

/** Variables of public menus in an API instance. */
export const MENUS_VARIABLES = group('Snapshot', {
  SNAPSHOT_POLL: constant(
    '3s',
    timerDuration,
    'Interval at which an API instance checks for missed publications and edits',
  ),
});
