import { describeStartFailure } from './start-failure.ts';

/** Runs a command and exits. A failure is written to stderr. */
export async function runOnce(main: () => Promise<void>): Promise<never> {
  try {
    await main();
  } catch (error) {
    process.stderr.write(`${describeStartFailure(error)}\n`);
    process.exit(1);
  }

  // The client's connect timer lives for 10 s.
  process.exit(0);
}
