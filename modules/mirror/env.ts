import {
  constant,
  define,
  group,
  duration,
  timerDuration,
  timeOfDay,
  timeZone,
  type ValuesOf,
} from '../../platform/env/variables.ts';
import type { ImportTimings } from './messages/sync.ts';

export const MIRROR_VARIABLES = group('Synchronization', {
  SYNC_LISTS_EVERY: define(
    '1h',
    duration,
    'Interval of the imports of organizations, terminal groups, external menus and delivery zones',
  ),
  SYNC_MENU_EVERY: define('5m', duration, 'Interval of the incremental menu import'),
  SYNC_STOP_LIST_EVERY: define('45s', duration, 'Interval of the stop-list import'),
  SYNC_MENU_FULL_AT: define('04:30', timeOfDay, 'Time of the nightly full menu import'),
  SYNC_TIME_ZONE: define(
    'Europe/Moscow',
    timeZone,
    'Time zone of SYNC_MENU_FULL_AT, and the default of organizations',
  ),
  SYNC_ASYNC_POLL: constant(
    '2s',
    duration,
    'Interval of polling when the ERP prepares a menu in the background',
  ),
  SYNC_ASYNC_LIMIT: constant(
    '3m',
    duration,
    'Longest wait for a menu that the ERP prepares in the background',
  ),
  SYNC_HEARTBEAT: constant(
    '15s',
    duration,
    'Time without a heartbeat after which a step of an import starts again on any worker',
  ),
  SYNC_RUN_LIMIT: constant(
    '1h',
    duration,
    'Time limit of an import, after which the next one can begin',
  ),
  SYNC_ASK_AGAIN: constant(
    '30s',
    duration,
    'Pause before a list that would remove much is requested again; it is applied if it is the same',
  ),
  RECONCILE_EVERY: constant(
    '1m',
    timerDuration,
    'Interval of upkeep: lost work is resumed, outdated rows are deleted, and hours of categories take effect',
  ),
});

export type MirrorEnv = ValuesOf<typeof MIRROR_VARIABLES>;

export type TimingEnv = Pick<
  MirrorEnv,
  'SYNC_ASYNC_POLL' | 'SYNC_ASYNC_LIMIT' | 'SYNC_HEARTBEAT' | 'SYNC_RUN_LIMIT' | 'SYNC_ASK_AGAIN'
>;

/** Durations for the input of imports: workflows must not read the environment. */
export function importTimings(env: TimingEnv): ImportTimings {
  return {
    asyncPollEveryMs: env.SYNC_ASYNC_POLL,
    asyncPollLimitMs: env.SYNC_ASYNC_LIMIT,
    heartbeatMs: env.SYNC_HEARTBEAT,
    limitMs: env.SYNC_RUN_LIMIT,
    askAgainMs: env.SYNC_ASK_AGAIN,
  };
}
