import { describeStartFailure } from './start-failure.ts';

/**
 * Runs a command that does one thing and ends its process: with exit code 0, or with 1 and the
 * reason on the error output. Call it last in the file of the command.
 */
export async function runOnce(main: () => Promise<void>): Promise<never> {
  try {
    await main();
  } catch (error) {
    process.stderr.write(`${describeStartFailure(error)}\n`);
    process.exit(1);
  }
  // The client's connect time-out is a timer that would keep this process for another ten seconds.
  process.exit(0);
}
