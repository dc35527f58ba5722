import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { seedDemo } from './seed.ts';
import { SMALL_PICTURES } from './shop.ts';

const PAUSE_MS = 2_000;
const PATIENCE_SECONDS = '120';

/**
 * Builds the demo catalog when the product answers. Idempotent. `--patience`: the longest wait in
 * seconds. `--customers`: the URL at which customers sign in. With `--small`, dishes share small
 * pictures.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      customers: { type: 'string' },
      patience: { type: 'string', default: PATIENCE_SECONDS },
      small: { type: 'boolean', default: false },
    },
  });

  const baseUrl = required('CARTE_URL');
  const [email, password] = [required('ADMIN_EMAIL'), required('ADMIN_PASSWORD')];

  const deadline = Date.now() + Number(values.patience) * 1000;
  for (; !(await answers(baseUrl)); await delay(PAUSE_MS))
    if (Date.now() > deadline) throw new Error(`${baseUrl} does not answer.`);

  await seedDemo({
    baseUrl,
    email,
    password,
    customersUrl: values.customers,
    emulatorUrl: process.env['EMULATOR_URL'] || undefined,
    ...(values.small ? { pictures: SMALL_PICTURES } : {}),
    log: (line) => process.stdout.write(`${line}\n`),
  });
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

await main().catch((error: Error & { cause?: { message?: string } }) => {
  const { message, cause } = error;
  const reason = cause?.message === undefined ? message : `${message} (${cause.message})`;
  process.stderr.write(`The demo catalog could not be completed: ${reason}\n`);
  process.exitCode = 1;
});
