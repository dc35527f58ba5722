import { join } from 'node:path';
import { StartFailure } from '../../platform/start-failure.ts';
import { startGuarded, type Log } from '../guarded-process.ts';

const root = join(import.meta.dirname, '../..');

type DemoSettings = {
  /** Scheme, host and port of the API. */
  baseUrl: string;
  email: string;
  password: string;
  /** Undefined unless the customer provider of the demo is used. */
  customersUrl: string | undefined;
  /** Undefined if another ERP is configured. */
  emulatorUrl: string | undefined;
  isSmall: boolean;
  log: Log;
  signal?: AbortSignal;
};

/** Runs the demo. Throws StartFailure with the reason and alternatives. */
export async function demoCatalog(settings: DemoSettings): Promise<void> {
  const { customersUrl, isSmall, log, signal } = settings;
  const args = [
    '--patience=5',
    ...(customersUrl === undefined ? [] : [`--customers=${customersUrl}`]),
    ...(isSmall ? ['--small'] : []),
  ];

  let lastLine = 'it ended without a reason';
  const program = await startGuarded({
    command: process.execPath,
    args: [join(root, 'packages/demo/seed/main.ts'), ...args],
    env: {
      ...process.env,
      CARTE_URL: settings.baseUrl,
      ADMIN_EMAIL: settings.email,
      ADMIN_PASSWORD: settings.password,
      EMULATOR_URL: settings.emulatorUrl,
    },
    cwd: root,
    output(line) {
      lastLine = line;
      log(line);
    },
    signal,
  });

  const { code } = await program.exited;
  if (code !== 0)
    throw new StartFailure(`${lastLine.replace(/\.$/, '')}. To start without it, set DEMO=off.`);
}
