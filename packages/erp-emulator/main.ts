import { ORGANIZATIONS } from './data/dataset.ts';
import { oneOfWords, startFault, stopOnSignals, wholeFrom } from './process.ts';
import { startEmulator } from './server.ts';

async function main(): Promise<void> {
  const host = process.env.EMULATOR_HOST || '127.0.0.1';
  let port = 0;

  try {
    port = wholeFrom('EMULATOR_PORT', 8181);
    const size = oneOfWords('EMULATOR_SIZE', ['demo', 'small']);
    const growth = {
      organizations: wholeFrom('EMULATOR_ORGANIZATIONS', ORGANIZATIONS[size]),
      copies: wholeFrom('EMULATOR_MENU_COPIES', 1),
    };

    const emulator = await startEmulator({
      host,
      port,
      seed: wholeFrom('EMULATOR_SEED', 1),
      size,
      growth,
    });

    stopOnSignals(() => emulator.stop());
    const cookMs = wholeFrom('EMULATOR_COOK_MS', 0);
    if (cookMs > 0) await emulator.control('delivery-settings', { cookMs });
    const url = process.env.EMULATOR_WEBHOOK_URL;
    if (url)
      await emulator.control('webhook', { url, token: process.env.EMULATOR_WEBHOOK_TOKEN ?? '' });
    process.stdout.write(`ERP emulator listening on ${emulator.url}\n`);
  } catch (error) {
    process.stderr.write(
      `${startFault(error, 'The ERP emulator', { host, port, variable: 'EMULATOR_PORT' })}\n`,
    );
    process.exitCode = 1;
  }
}

await main();
