import { describeStartFailure } from './start-failure.ts';

/**
 * Runs a command and exits: code 0, or 1 with the reason on stderr. Call it last in the file of the
 * command.
 */
export async function runOnce(main: () => Promise<void>): Promise<never> {
  try {
    await main();
  } catch (error) {
    process.stderr.write(`${describeStartFailure(error)}\n`);
    process.exit(1);
  }
  // The timer of the client's connect time-out would keep this process alive for 10 s.
  process.exit(0);
}
