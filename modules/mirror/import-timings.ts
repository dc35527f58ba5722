import type { ImportTimings } from './messages/sync.ts';
import type { MirrorEnv } from './env.ts';

/** The variables an import's durations come from. */
export type TimingEnv = Pick<MirrorEnv, 'SYNC_ASYNC_POLL' | 'SYNC_ASYNC_LIMIT' | 'SYNC_HEARTBEAT' | 'SYNC_RUN_LIMIT'>;

/** Durations as a field of every import's input: a workflow must not read them itself. */
export function importTimings(env: TimingEnv): ImportTimings {
  return {
    asyncPollEveryMs: env.SYNC_ASYNC_POLL,
    asyncPollLimitMs: env.SYNC_ASYNC_LIMIT,
    heartbeatMs: env.SYNC_HEARTBEAT,
    limitMs: env.SYNC_RUN_LIMIT,
  };
}
