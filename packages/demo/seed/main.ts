import { setTimeout as delay } from 'node:timers/promises';
import { seedDemo } from './seed.ts';

const PAUSE_MS = 2_000;
const PATIENCE_MS = 120_000;

/**
 * Waits until the product answers, and builds the demo catalog in it. A second run changes
 * nothing.
 */
async function main(): Promise<void> {
  const baseUrl = required('CARTE_URL');
  const [email, password] = [required('ADMIN_EMAIL'), required('ADMIN_PASSWORD')];
  for (const deadline = Date.now() + PATIENCE_MS; !(await answers(baseUrl)); await delay(PAUSE_MS))
    if (Date.now() > deadline) throw new Error(`${baseUrl} does not answer.`);
  const emulatorUrl = process.env['EMULATOR_URL'] || undefined;
  await seedDemo({ baseUrl, email, password, emulatorUrl, log: (line) => process.stdout.write(`${line}\n`) });
}

function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`${name} must be set.`);
  return value;
}

const answers = (baseUrl: string): Promise<boolean> =>
  fetch(`${baseUrl}/api/v1/organizations`).then(
    ({ status }) => status === 200,
    () => false,
  );

await main().catch((error: unknown) => {
  process.stderr.write(
    `The demo catalogue could not be built: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exitCode = 1;
});
