import { startEmulator } from './server.ts';
import type { Emulator } from './server.ts';

/** Returns a whole number from the environment, or the default when it is not set. */
function whole(name: string, byDefault: number): number {
  const text = process.env[name];
  if (text === undefined || text === '') return byDefault;
  if (!/^\d+$/.test(text)) throw new Error(`${name} must be a whole number, not "${text}".`);
  return Number(text);
}

function reason(error: unknown, host: string, port: number): string {
  if (!(error instanceof Error)) return 'The ERP emulator could not start.';
  if ('code' in error && error.code === 'EADDRINUSE') {
    return `The ERP emulator cannot start: port ${port} on ${host} is in use. Set EMULATOR_PORT to a free port.`;
  }
  return `The ERP emulator cannot start: ${error.message}`;
}

function stopOn(emulator: Emulator): void {
  const stop = (): void => {
    void emulator.stop().then(() => process.exit(0));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  process.once('disconnect', stop);
}

async function main(): Promise<void> {
  const host = process.env.EMULATOR_HOST || '127.0.0.1';
  let port = 0;
  try {
    port = whole('EMULATOR_PORT', 8181);
    const growth = { organizations: whole('EMULATOR_ORGANIZATIONS', 12), copies: whole('EMULATOR_MENU_COPIES', 1) };
    const emulator = await startEmulator({ host, port, seed: whole('EMULATOR_SEED', 1), growth });
    stopOn(emulator);
    const cookMs = whole('EMULATOR_COOK_MS', 0);
    if (cookMs > 0) await emulator.control('delivery-settings', { cookMs });
    const url = process.env.EMULATOR_WEBHOOK_URL;
    if (url) await emulator.control('webhook', { url, token: process.env.EMULATOR_WEBHOOK_TOKEN ?? '' });
    process.stdout.write(`ERP emulator listening on ${emulator.url}\n`);
  } catch (error) {
    process.stderr.write(`${reason(error, host, port)}\n`);
    process.exitCode = 1;
  }
}

await main();
