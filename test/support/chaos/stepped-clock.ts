import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { resolveProgram } from '../../../packages/dev/programs/programs.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/**
 * The clock of the processes that are started with `env`; it can be put forward and back while they
 * run.
 */
export type SteppedClock = {
  env: NodeJS.ProcessEnv;
  /** Seconds ahead of or behind the other clocks, from a later moment on. */
  stepTo(seconds: number): Promise<void>;
  counts: { steps: number };
};

/**
 * A clock that is right until it is stepped. Without its library the run skips the steps, and with
 * CI=true it fails.
 */
export async function startSteppedClock(log: (line: string) => void): Promise<SteppedClock | undefined> {
  const library = await resolveProgram('libfaketimeMT.so.1', { log });
  if ('reasons' in library) {
    const reason = `clocks cannot be stepped here: ${library.reasons.join('; ')}`;
    if (process.env['CI'] === 'true') throw new Error(reason);
    log(reason);
    return undefined;
  }
  const file = join(await temporaryFolder('clock'), 'offset');
  await writeFile(file, '+0');
  const counts = { steps: 0 };
  return {
    counts,
    env: {
      LD_PRELOAD: library.path,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      // A step of the clock is no step of what counts how long something takes.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    async stepTo(seconds) {
      counts.steps += 1;
      await writeFile(file, `${seconds < 0 ? '' : '+'}${seconds}`);
    },
  };
}
