import { StartFailure } from '../../platform/start-failure.ts';
import { reasonOf } from './reason-of.ts';
import { seedDemo, type DemoOptions } from '../../packages/demo/seed/seed.ts';

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
