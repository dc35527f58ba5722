import { StartFailure } from '../../platform/start-failure.ts';
import { seedDemo, type DemoOptions } from '../demo/seed.ts';

/** `seedDemo` as a step of the start: throws StartFailure with the reason and what a person can do instead. */
export async function demoCatalogue(options: DemoOptions): Promise<void> {
  try {
    await seedDemo(options);
  } catch (error) {
    throw new StartFailure(
      `The demo catalogue could not be completed: ${reasonOf(error)}. To start without it, set DEMO=off.`,
      { cause: error },
    );
  }
}

/** What happened, without the dot at its end; of a request without an answer what the network said. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { message?: string } };
  const reason = cause?.message === undefined ? message : `${message} (${cause.message})`;
  return reason.replace(/\.$/, '');
}
