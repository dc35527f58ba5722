import { describeStartFailure } from '../platform/start-failure.ts';
import { startProduct } from './start/product.ts';
import { createSteps } from './start/steps.ts';

/**
 * `npm start`: runs the whole product on one machine until Ctrl-C. Exits with 0 after a clean
 * stop, 1 after a failure.
 */
async function main(): Promise<number> {
  const steps = createSteps((line) => process.stdout.write(`${line}\n`));
  const stopAsked = new Promise<string>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => resolve(signal));
  });

  const product = startProduct(steps, { NODE_ENV: 'development', ...process.env });
  const failed = product.ready.then(
    () => product.ended,
    (error: unknown) => error,
  );

  const outcome = await Promise.race([stopAsked, failed]);
  if (typeof outcome !== 'string') {
    process.stderr.write(`\n${describeStartFailure(outcome)}\n`);
  } else {
    steps.say('\nStopping …');
  }

  const clean = await product.stop();
  steps.say(clean ? 'Stopped.' : 'Stopped, but a part had to be ended by force.');

  return typeof outcome === 'string' && clean ? 0 : 1;
}

// An interrupted start must not block the terminal.
process.exit(await main());
