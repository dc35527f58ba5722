import { constant, group, timerDuration } from '../../platform/env/variables.ts';

export const MENUS_VARIABLES = group('Snapshot', {
  SNAPSHOT_POLL: constant(
    '3s',
    timerDuration,
    'Interval at which an API instance checks for missed publications and edits',
  ),
});
