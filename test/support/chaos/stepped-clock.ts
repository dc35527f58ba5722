import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { resolveProgram } from '../../../packages/dev/programs/programs.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** A clock for processes that are started with `env`. It can be stepped while they run. */
export type SteppedClock = {
  env: NodeJS.ProcessEnv;
  stepTo(seconds: number): Promise<void>;
  counts: { steps: number };
};

/** Without libfaketime the steps are skipped; with CI=true the run fails. */
export async function startSteppedClock(
  log: (line: string) => void,
): Promise<SteppedClock | undefined> {
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
      // The monotonic clock measures durations.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    async stepTo(seconds) {
      counts.steps += 1;
      await writeFile(file, `${seconds < 0 ? '' : '+'}${seconds}`);
    },
  };
}
