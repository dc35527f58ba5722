import { join, resolve } from 'node:path';
import { StartFailure } from '../../platform/start-failure.ts';
import { startGuarded, type Exit, type GuardedProcess } from '../guarded-process.ts';
import { startPostgres } from '../postgres.ts';
import { resolveTemporal } from '../temporal-binary.ts';
import { startTemporal } from '../temporal-server.ts';
import { logFile, waitUntilReady, type Steps } from './steps.ts';
import { localSecrets } from './local-secrets.ts';
import { administratorPassword, passwordWorks, requireForDemo } from './administrator.ts';
import { announce, firstMenu } from './announce.ts';
import { portAsked, startEnvironment } from './environment.ts';
import { createPorts } from './ports.ts';
import { buildConsole, buildDocsSite, buildStorefront } from '../built-site.ts';
import { demoCatalog } from './demo-catalog.ts';

const root = resolve(import.meta.dirname, '../..');
/** Makes an order of the demo take two minutes. */
const COOK_MS = '15000';
type Part = { name: string; stop: () => Promise<{ forced: boolean }> };

export type Product = {
  /**
   * Resolves when the first menu is served or, without demo data, when the API is ready. Rejects if
   * a step fails.
   */
  ready: Promise<void>;
  /** Resolves with the failure if a part ends unexpectedly. */
  ended: Promise<StartFailure>;
  /** Stops all parts in reverse order. Returns true unless a part had to be killed. */
  stop(): Promise<boolean>;
};

/**
 * Starts the servers that the environment does not provide (DATABASE_URL, TEMPORAL_ADDRESS,
 * ERP_URL), then the product's processes. State is in CARTE_DATA_DIR.
 */
export function startProduct(steps: Steps, environment: NodeJS.ProcessEnv): Product {
  const parts: Part[] = [];
  const ports = createPorts();
  const end = Promise.withResolvers<StartFailure>();
  const interrupted = new AbortController();
  let stopping = false;

  /** Ends the whole start if a part ends before it is stopped. */
  const watch = (name: string, exited: Promise<Exit>): void => {
    void exited.then(({ code, signal }) => {
      if (!stopping)
        end.resolve(
          new StartFailure(`${name} ended by itself (${signal ?? `exit code ${code}`}).`),
        );
    });
  };

  const child = async (
    name: string,
    entry: string,
    args: string[],
    variables: NodeJS.ProcessEnv,
    output: (line: string) => void = (line) => void process.stdout.write(`${line}\n`),
  ): Promise<GuardedProcess> => {
    if (stopping) throw new StartFailure('The start was interrupted.');
    const program = await startGuarded({
      command: process.execPath,
      args: ['--enable-source-maps', join(root, entry), ...args],
      env: variables,
      cwd: root,
      output,
      graceSeconds: 15,
    });

    let endedBefore = false;
    void program.exited.then(() => (endedBefore = !stopping));
    parts.push({
      name,
      stop: async () => ({ forced: (await program.stop()).signal === 'SIGKILL' && !endedBefore }),
    });

    watch(name, program.exited);

    return program;
  };

  const oneShot = async (
    name: string,
    entry: string,
    variables: NodeJS.ProcessEnv,
  ): Promise<void> => {
    const lines: string[] = [];
    const program = await startGuarded({
      command: process.execPath,
      args: [join(root, entry)],
      env: variables,
      cwd: root,
      output: (line) => void lines.push(line),
    });

    const exit = await program.exited;
    if (exit.code !== 0) throw new StartFailure(`${name} failed: ${lines.slice(-8).join('\n')}`);
  };

  async function start(): Promise<void> {
    const env = startEnvironment(environment);
    const dataDir = resolve(root, env.CARTE_DATA_DIR);
    const demo = env.DEMO !== 'off' && !environment['ERP_URL'] && env.NODE_ENV !== 'production';
    steps.say(`Starting Carte; its data are in ${dataDir}`);
    const asked = (name: 'PORT' | 'OPS_PORT') => (environment[name] ? env[name] : undefined);
    const port = await ports.choose({
      program: 'The API',
      variable: 'PORT',
      asked: asked('PORT'),
      usual: 8080,
      host: env.HOST,
    });

    const opsPort = await ports.choose({
      program: 'The operations server',
      variable: 'OPS_PORT',
      asked: asked('OPS_PORT'),
      usual: 9464,
      host: env.OPS_HOST,
    });

    const emulatorPort = environment['ERP_URL']
      ? null
      : await ports.choose({
          program: 'The ERP emulator',
          variable: 'EMULATOR_PORT',
          asked: portAsked(environment, 'EMULATOR_PORT'),
          usual: 8181,
        });

    // The provider signs in any phone, so it never runs in production or if another provider is
    // configured.
    const customersPort =
      emulatorPort === null || environment['CUSTOMER_ISSUER'] || env.NODE_ENV === 'production'
        ? null
        : await ports.choose({
            program: 'The sign-in of customers',
            variable: 'EMULATOR_CUSTOMERS_PORT',
            asked: portAsked(environment, 'EMULATOR_CUSTOMERS_PORT'),
            usual: 8182,
          });

    const secrets = await localSecrets(dataDir, env.ADMIN_PASSWORD !== null);
    const password = administratorPassword(env.ADMIN_PASSWORD, secrets.adminPassword, demo);

    // First, because a machine may lack it.
    const program = await steps.run('Temporal program', (note) =>
      resolveTemporal({
        env: environment,
        log: note,
        signal: interrupted.signal,
        // Some machines have no network access.
        ...(environment['CARTE_TEMPORAL_DOWNLOAD'] === 'off' ? { downloadPatienceMs: 0 } : {}),
      }),
    );

    const database = environment['DATABASE_URL']
      ? { url: environment['DATABASE_URL'], ownerUrl: environment['MIGRATION_DATABASE_URL'] }
      : await steps.run('PostgreSQL', async (note) => {
          const output = await logFile(dataDir, 'postgres');
          const server = await startPostgres({
            dataDir: join(dataDir, 'postgres'),
            log: note,
            output,
          });

          watch('PostgreSQL', server.exited);
          parts.push({
            name: 'PostgreSQL',
            stop: async () => (await server.stop(), { forced: false }),
          });

          return {
            ownerUrl: await server.createDatabase('carte'),
            url: await server.createRole('carte_app', 'carte'),
          };
        });

    const temporal = await steps.run('Temporal', async () => {
      if (program.kind === 'address') return { address: program.address, uiUrl: undefined };
      const server = await startTemporal({
        binary: program.path,
        dataDir: join(dataDir, 'temporal'),
        port: await ports.choose({ program: 'Temporal', usual: 7233 }),
        uiPort: await ports.choose({ program: "Temporal's user interface", usual: 8233 }),
        log: await logFile(dataDir, 'temporal'),
      });

      watch('Temporal', server.exited);
      parts.push({ name: 'Temporal', stop: async () => (await server.stop(), { forced: false }) });

      return server;
    });

    const apiUrl = `http://${env.HOST}:${port}`;
    const { ADMIN_PASSWORD: _password, MIGRATION_DATABASE_URL: _owner, ...inherited } = environment;
    const variables: NodeJS.ProcessEnv = {
      ...inherited,
      PORT: String(port),
      OPS_PORT: String(opsPort),
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: temporal.address,
      ...(emulatorPort !== null && !environment['GEOCODER']
        ? { GEOCODER: 'photon', GEOCODER_URL: `http://127.0.0.1:${emulatorPort}/photon` }
        : {}),
      ERP_URL: environment['ERP_URL'] || `http://127.0.0.1:${emulatorPort}`,
      ...(customersPort === null
        ? {}
        : {
            CUSTOMER_ISSUER: `http://127.0.0.1:${customersPort}`,
            CUSTOMER_AUDIENCE: environment['CUSTOMER_AUDIENCE'] || 'carte',
          }),
      ENCRYPTION_KEYS: environment['ENCRYPTION_KEYS'] || secrets.encryptionKeys,
      WEBHOOK_SECRET: environment['WEBHOOK_SECRET'] || secrets.webhookSecret,
      CARTE_DATA_DIR: dataDir,
      LOG_LEVEL: environment['LOG_LEVEL'] || 'warn',
      DEMO_SHOP: environment['DEMO_SHOP'] || (demo ? 'on' : 'off'),
      DOCS_SITE: environment['DOCS_SITE'] || 'on',
      // Browsers accept Secure cookies on localhost, but other HTTP clients drop them.
      COOKIE_SECURE: environment['COOKIE_SECURE'] || 'off',
      ADMIN_URL: environment['ADMIN_URL'] || `${apiUrl}/console`,
    };

    await steps.run('Database schema', () =>
      oneShot('npm run migrate', 'tools/migrate.ts', {
        ...variables,
        MIGRATION_DATABASE_URL: database.ownerUrl,
        ...(password === null ? {} : { ADMIN_PASSWORD: password }),
      }),
    );

    const workerOps = await ports.choose({
      program: 'The operations server of the worker',
      usual: 9465,
      host: env.OPS_HOST,
    });

    if (variables['DEMO_SHOP'] === 'on') await steps.run('Shop', (note) => buildStorefront(note));
    await steps.run('Console', (note) => buildConsole(note));
    if (variables['DOCS_SITE'] === 'on')
      await steps.run('Documentation', (note) => buildDocsSite(note));
    await steps.run('Processes', async () => {
      if (emulatorPort !== null) {
        await child('The ERP emulator', 'packages/erp-emulator/main.ts', [], {
          ...variables,
          EMULATOR_PORT: String(emulatorPort),
          EMULATOR_WEBHOOK_URL: environment['EMULATOR_WEBHOOK_URL'] || `${apiUrl}/api/webhooks/erp`,
          EMULATOR_WEBHOOK_TOKEN: variables['WEBHOOK_SECRET'],
          EMULATOR_SIZE: env.DEMO === 'small' ? 'small' : 'demo',
          EMULATOR_COOK_MS: environment['EMULATOR_COOK_MS'] || COOK_MS,
        });
      }

      if (customersPort !== null) {
        const toFile = await logFile(dataDir, 'customers');
        const own = { ...variables, EMULATOR_CUSTOMERS_PORT: String(customersPort) };
        await child(
          'The sign-in of customers',
          'packages/erp-emulator/customers/main.ts',
          [],
          own,
          toFile,
        );
      }

      await child('The worker', 'workers/main.ts', ['all'], {
        ...variables,
        OPS_PORT: String(workerOps),
      });

      await child('The API', 'api/main.ts', [], variables);
      const ready = Promise.all([
        waitUntilReady(`http://${env.OPS_HOST}:${opsPort}/health/ready`, 'The API'),
        waitUntilReady(`http://${env.OPS_HOST}:${workerOps}/health/ready`, 'The worker'),
      ]);

      const failure = await Promise.race([ready.then(() => null), end.promise]);
      if (failure !== null) throw failure;
    });

    const administrator = password === null ? null : { email: env.ADMIN_EMAIL, password };
    const works = administrator !== null && (await passwordWorks(apiUrl, administrator));
    if (demo && administrator !== null) {
      requireForDemo(works, administrator);
      const customersUrl = customersPort === null ? undefined : variables['CUSTOMER_ISSUER'];
      const emulatorUrl = emulatorPort === null ? undefined : variables['ERP_URL'];
      await steps.run('Demo catalog', (note) =>
        demoCatalog({
          baseUrl: apiUrl,
          ...administrator,
          customersUrl,
          emulatorUrl,
          isSmall: env.DEMO === 'small',
          log: note,
          signal: interrupted.signal,
        }),
      );

      await steps.run('First menu', () => firstMenu(apiUrl, `http://${env.OPS_HOST}:${opsPort}`));
    }

    await announce(steps, {
      apiUrl,
      hasShop: variables['DEMO_SHOP'] === 'on',
      hasDocs: variables['DOCS_SITE'] === 'on',
      opsUrl: `http://${env.OPS_HOST}:${opsPort}`,
      workerOpsUrl: `http://${env.OPS_HOST}:${workerOps}`,
      temporalUi: temporal.uiUrl,
      emulatorUrl: emulatorPort === null ? undefined : variables['ERP_URL'],
      customersUrl: customersPort === null ? undefined : variables['CUSTOMER_ISSUER'],
      email: env.ADMIN_EMAIL,
      password: shownPassword(works, env.ADMIN_PASSWORD === null ? secrets.adminPassword : null),
    });
  }

  return {
    ready: start(),
    ended: end.promise,
    async stop() {
      stopping = true;
      interrupted.abort();
      let clean = true;
      for (const part of parts.reverse()) clean = !(await part.stop()).forced && clean;
      await ports.release();

      return clean;
    },
  };
}

/** Shows only a generated password: others can read the scrollback of a terminal. */
function shownPassword(works: boolean, madeUp: string | null): string {
  if (!works) return '(the password of the first start)';
  return madeUp ?? '(the password in ADMIN_PASSWORD)';
}
