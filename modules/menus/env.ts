import { define, group, duration } from '../../platform/env/variables.ts';

export const MENUS_VARIABLES = group('Snapshot', {
  SNAPSHOT_POLL: define('3s', duration, 'Interval at which an API instance checks for missed publications and edits'),
});
