import { execFile } from 'node:child_process';
import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { StartFailure } from '../../../platform/start-failure.ts';
import {
  cachedProgram,
  cacheFolder,
  onPath,
  type Found,
  type Missing,
} from '../../../tools/cached-program.ts';
import { withLock } from '../../../tools/lock.ts';
import { fetchProgram, installPackage, type Fetching, type Origin } from './fetchers.ts';

type Program = {
  /** Part of the cache folder's name. Change it if the cache needs another program. */
  version: string;
  origins: readonly Origin[];
  /** Origins that take minutes. They are used only if the program is mandatory. */
  slowOrigins?: readonly Origin[];
  /** Default `--version`. */
  versionOption?: string;
  /** By default, a file works if it prints its version. */
  works?: (file: string) => Promise<boolean>;
};

/**
 * The version inside the development server of tools/temporal-binary.ts, which production uses too.
 */
const TEMPORAL_SERVER = 'v1.29.1';

/** Debian's names of processors, by Node's names. */
const TRIPLETS: Readonly<Record<string, string>> = {
  x64: 'x86_64-linux-gnu',
  arm64: 'aarch64-linux-gnu',
};

const triplet = TRIPLETS[process.arch] ?? process.arch;

/** Programs for tests and benchmarks, by their name on PATH. */
const PROGRAMS = {
  nginx: {
    version: '1',
    versionOption: '-v',
    origins: [{ kind: 'package', name: 'nginx', file: 'usr/sbin/nginx' }],
  },
  caddy: {
    version: '1',
    versionOption: 'version',
    origins: [{ kind: 'package', name: 'caddy', file: 'usr/bin/caddy' }],
  },
  promtool: {
    version: '1',
    origins: [{ kind: 'package', name: 'prometheus', file: 'usr/bin/promtool' }],
    // A version that the Go module proxy serves with all dependencies.
    slowOrigins: [
      {
        kind: 'build',
        goPackage: 'github.com/prometheus/prometheus/cmd/promtool',
        version: 'v0.305.0',
        time: 'about 4 minutes',
        asDependency: true,
      },
    ],
  },
  prometheus: {
    version: '1',
    origins: [{ kind: 'package', name: 'prometheus', file: 'usr/bin/prometheus' }],
  },
  rclone: {
    version: '1',
    versionOption: 'version',
    origins: [{ kind: 'package', name: 'rclone', file: 'usr/bin/rclone' }],
  },
  'prometheus-postgres-exporter': {
    version: '1',
    origins: [
      {
        kind: 'package',
        name: 'prometheus-postgres-exporter',
        file: 'usr/bin/prometheus-postgres-exporter',
      },
    ],
  },
  /** The newest version whose dependencies the Go module proxy serves. */
  oasdiff: {
    version: '1.33.0',
    origins: [
      {
        kind: 'build',
        goPackage: 'github.com/oasdiff/oasdiff',
        version: 'v1.33.0',
        time: 'about a minute',
      },
    ],
  },
  helm: {
    version: '3.22.0',
    versionOption: 'version',
    origins: [
      {
        kind: 'build',
        goPackage: 'helm.sh/helm/v3/cmd/helm',
        version: 'v3.22.0',
        time: 'about 4 minutes',
      },
    ],
  },
  kubeconform: {
    version: '0.8.0',
    versionOption: '-v',
    origins: [
      {
        kind: 'build',
        goPackage: 'github.com/yannh/kubeconform/cmd/kubeconform',
        version: 'v0.8.0',
        time: 'about a minute',
      },
    ],
  },
  /** Shifts the clock of a process. */
  'libfaketimeMT.so.1': {
    version: '1',
    origins: [
      {
        kind: 'package',
        name: 'libfaketime',
        file: `usr/lib/${triplet}/faketime/libfaketimeMT.so.1`,
      },
    ],
    works: shiftsTime,
  },
  'temporal-server': {
    version: '1.29.1',
    origins: [
      {
        kind: 'build',
        goPackage: 'go.temporal.io/server/cmd/server',
        version: TEMPORAL_SERVER,
        builds: 'server',
        time: 'about 2 minutes',
      },
    ],
  },
  'temporal-sql-tool': {
    version: '1.29.1',
    origins: [
      {
        kind: 'build',
        goPackage: 'go.temporal.io/server/cmd/tools/sql',
        version: TEMPORAL_SERVER,
        builds: 'sql',
        time: 'about 2 minutes',
      },
    ],
  },
} as const satisfies Record<string, Program>;

/** These need other files of their packages, so they are installed on the machine. */
const INSTALLED = {
  chromium: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
  'prometheus-alertmanager': ['prometheus-alertmanager', 'alertmanager'],
} as const;

export type ProgramOptions = Omit<Fetching, 'env'> & {
  env?: NodeJS.ProcessEnv;
  /**
   * Allows builds that take minutes, and installation as root. The default is true if `CI=true`.
   */
  isMandatory?: boolean;
};

/**
 * Finds a program on PATH or in the cache (`cachedProgram`), else fetches it. Returns the reasons
 * of a failure.
 */
export async function resolveProgram(
  name: keyof typeof PROGRAMS | keyof typeof INSTALLED,
  options: ProgramOptions,
): Promise<Found<Origin['kind']> | Missing> {
  const { env = process.env, isMandatory = env['CI'] === 'true' } = options;
  const fetching = { ...options, env };
  if (name in INSTALLED)
    return resolveInstalled(name as keyof typeof INSTALLED, fetching, isMandatory);
  const program: Program = PROGRAMS[name as keyof typeof PROGRAMS];
  const origins = [...program.origins, ...(isMandatory ? (program.slowOrigins ?? []) : [])];

  return cachedProgram({
    ...fetching,
    ...program,
    program: name,
    sources: origins.map((origin) => ({
      source: origin.kind,
      fetch: (folder) => fetchProgram(folder, name, origin, fetching),
    })),
  });
}

/**
 * Builds missing programs of a full run, or of the test command, because tests would not wait for
 * a build. Tests report a program that cannot be built.
 */
export async function prepareBuiltPrograms({
  isFull,
  ...options
}: ProgramOptions & { isFull: boolean }): Promise<void> {
  const programs: Readonly<Record<string, Program>> = PROGRAMS;
  const built = Object.keys(programs).filter((name) =>
    programs[name]!.origins.some(({ kind }) => kind === 'build'),
  );
  const needed = isFull ? built : built.filter((name) => name === 'oasdiff');
  for (const name of needed) await resolveProgram(name as keyof typeof PROGRAMS, options);
}

/**
 * Returns the path of a program like {@link resolveProgram}.
 * @throws StartFailure if there is none
 */
export async function requireProgram(
  name: keyof typeof PROGRAMS,
  options: ProgramOptions,
): Promise<string> {
  const found = await resolveProgram(name, options);
  if ('reasons' in found)
    throw new StartFailure(
      `${name} ${PROGRAMS[name].version} is not available (${found.reasons.join('; ')}): put it on PATH or at ${found.path}, or install Go.`,
    );

  return found.path;
}

async function resolveInstalled(
  name: keyof typeof INSTALLED,
  fetching: Fetching,
  isMandatory: boolean,
): Promise<Found<never> | Missing> {
  const { env, log } = fetching;
  const names = INSTALLED[name];
  const find = () =>
    names.map((entry) => onPath(entry, env['PATH'])).find((path) => path !== undefined);
  const missing = (reason: string) => ({ path: name, reasons: [reason] });
  const installed = find();
  if (installed !== undefined) return { path: installed, source: 'path' };
  if (!isMandatory) return missing(`none of ${names.join(', ')} is on PATH`);
  await mkdir(cacheFolder(env), { recursive: true });

  return withLock(join(cacheFolder(env), `${name}.lock`), {
    onWait: (pid) => log(`Waiting for process ${pid}, which is installing ${name}…`),
    async work() {
      const reason = find() === undefined ? await installPackage(name, fetching) : undefined;
      const path = find();
      return path === undefined
        ? missing(reason ?? 'the package contains no such program')
        : { path, source: 'path' };
    },
  });
}

async function shiftsTime(library: string): Promise<boolean> {
  try {
    await access(library);
    const env = { LD_PRELOAD: library, FAKETIME: '@2001-02-03 04:05:06' };
    const { stdout } = await promisify(execFile)('/bin/date', ['+%Y'], { env, timeout: 10_000 });
    return stdout.trim() === '2001';
  } catch {
    return false;
  }
}
