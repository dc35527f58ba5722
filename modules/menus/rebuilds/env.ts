import { DEBOUNCE_DEFAULTS } from './rules/debounce.ts';
import { constant, group, duration } from '../../../platform/env/variables.ts';

export const REBUILDS_VARIABLES = group('Snapshot', {
  SNAPSHOT_DEBOUNCE: constant(
    DEBOUNCE_DEFAULTS.debounce,
    duration,
    'Time without further changes before a menu is rebuilt',
  ),
  SNAPSHOT_DEBOUNCE_MAX: constant(
    DEBOUNCE_DEFAULTS.debounceMax,
    duration,
    'Longest time that further changes delay a rebuild',
  ),
});
