import { startFault, stopOnSignals, wholeFrom } from '../process.ts';
import { startCustomerProvider } from './provider.ts';

async function main(): Promise<void> {
  // Listens only on this machine, because it signs in any phone.
  const host = '127.0.0.1';
  let port = 0;

  try {
    port = wholeFrom('EMULATOR_CUSTOMERS_PORT', 8182);
    const provider = await startCustomerProvider({
      host,
      port,
      audience: process.env['CUSTOMER_AUDIENCE'] || 'carte',
    });

    stopOnSignals(() => provider.stop());
    process.stdout.write(`Customer sign-in listening on ${provider.issuer}\n`);
  } catch (error) {
    const place = { host, port, variable: 'EMULATOR_CUSTOMERS_PORT' };
    process.stderr.write(`${startFault(error, 'The sign-in of customers', place)}\n`);
    process.exitCode = 1;
  }
}

await main();
