import { eventually, startEntry } from './processes.ts';

const AUDIENCE = 'carte-test';

export async function startCustomerProvider(): Promise<{
  issuer: string;
  env: { CUSTOMER_ISSUER: string; CUSTOMER_AUDIENCE: string };
  output: () => string;
  stop: () => Promise<number | string>;
}> {
  const started = startEntry('customers', 'packages/erp-emulator/customers/main.ts', [], {
    PATH: process.env['PATH'],
    EMULATOR_CUSTOMERS_PORT: '0',
    CUSTOMER_AUDIENCE: AUDIENCE,
  });
  const line = /^Customer sign-in listening on (\S+)$/m;
  const issuer = await eventually(
    'the provider listens',
    async () => line.exec(started.output())?.[1],
  );
  return {
    issuer,
    env: { CUSTOMER_ISSUER: issuer, CUSTOMER_AUDIENCE: AUDIENCE },
    output: () => started.output(),
    stop: () => started.stop(),
  };
}
