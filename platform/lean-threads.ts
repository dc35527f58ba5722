import { setFlagsFromString } from 'node:v8';

/**
 * Limits the young generation of later threads, which saves 100 MB in a worker with all roles. V8
 * reads these settings when an isolate starts.
 */
export function keepThreadsLean(): void {
  for (const option of ['--min-semi-space-size=1', '--max-semi-space-size=2'])
    setFlagsFromString(option);
}
