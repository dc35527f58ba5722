import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { goInstall } from '../../../tools/go-install.ts';
import { startGuarded, type Log } from '../../../tools/guarded-process.ts';
import { onPath } from '../../../tools/cached-program.ts';

/** Must not delay a test run that does not require the program. */
const PACKAGE_LIMIT_MS = 60_000;
const BUILD_LIMIT_MS = 15 * 60_000;
const INSTALL_LIMIT_MS = 10 * 60_000;

export type Fetching = { env: NodeJS.ProcessEnv; log: Log; signal?: AbortSignal | undefined };

export type Origin =
  /** One file of a Debian package. Nothing is installed. */
  { kind: 'package'; name: string; file: string } | GoOrigin;

type GoOrigin = {
  kind: 'build';
  goPackage: string;
  version: string;
  time: string;
  /** Name of Go's executable, if it differs. */
  builds?: string;
  /** True for a module that `go install` rejects because of `replace` or `exclude`. */
  asDependency?: boolean;
};

/** Puts `program` into `folder`. Returns undefined, or the reason for a failure. */
export async function fetchProgram(
  folder: string,
  program: string,
  origin: Origin,
  fetching: Fetching,
): Promise<string | undefined> {
  if (origin.kind === 'package') return takeFromPackage(folder, origin, fetching);
  const { goPackage, version, time, builds = program, asDependency = false } = origin;
  if (asDependency) return buildAsDependency(folder, program, origin, fetching);
  const title = `${program} ${version} with Go, once for this machine (${time})`;
  const reason = await goInstall(folder, {
    title,
    packages: [`${goPackage}@${version}`],
    signal: undefined,
    ...fetching,
  });
  if (reason === undefined && builds !== program)
    await rename(join(folder, builds), join(folder, program));

  return reason;
}

/**
 * Installs a Debian package on this machine, as root. Returns undefined, or the reason for a
 * failure.
 */
export async function installPackage(
  name: string,
  { env, log }: Fetching,
): Promise<string | undefined> {
  const apt = onPath('apt-get', env['PATH']);
  if (apt === undefined) return 'this system is not Debian';
  if (process.getuid?.() !== 0) return 'only root may install packages';
  log(`Installing ${name} from the package of Debian, once for this machine…`);
  const step = stepIn(undefined, { ...env, DEBIAN_FRONTEND: 'noninteractive' }, INSTALL_LIMIT_MS);
  const install = () => step(apt, ['install', '--yes', '--no-install-recommends', name]);

  return (await install()) === undefined
    ? undefined
    : ((await step(apt, ['update'])) ?? (await install()));
}

/** Uses the machine's package lists, or else fresh ones in `folder`. */
async function takeFromPackage(
  folder: string,
  { name, file }: { name: string; file: string },
  { env, log }: Fetching,
): Promise<string | undefined> {
  const [apt, dpkg] = [onPath('apt-get', env['PATH']), onPath('dpkg-deb', env['PATH'])];
  if (apt === undefined || dpkg === undefined) return 'this system is not Debian';
  log(`Fetching ${basename(file)} from the package of Debian, once for this machine…`);
  const step = stepIn(folder, env, PACKAGE_LIMIT_MS);
  let reason = await step(apt, ['download', name]);
  if (reason !== undefined) {
    await mkdir(join(folder, 'state', 'lists', 'partial'), { recursive: true });
    const own = ['-o', `Dir::State=${folder}/state`, '-o', `Dir::Cache=${folder}/cache`];
    reason = (await step(apt, [...own, 'update'])) ?? (await step(apt, [...own, 'download', name]));
  }

  reason ??= await step('/bin/sh', ['-c', `"$0" -x ${name}_*.deb unpacked`, dpkg]);
  if (reason !== undefined) return reason;
  await rename(join(folder, 'unpacked', file), join(folder, basename(file)));

  return undefined;
}

/** Builds a Go package as a dependency of an empty module. */
async function buildAsDependency(
  folder: string,
  program: string,
  { goPackage, version, time }: GoOrigin,
  { env, log }: Fetching,
): Promise<string | undefined> {
  const go = onPath('go', env['PATH']);
  if (go === undefined) return 'Go is not installed';
  log(`Building ${program} with Go, once for this machine (${time})…`);
  await writeFile(join(folder, 'go.mod'), `module ${program}\n\ngo 1.24\n`);
  const step = stepIn(folder, { ...env, GOWORK: 'off', CGO_ENABLED: '0' }, BUILD_LIMIT_MS);
  const reason =
    (await step(go, ['get', `${goPackage}@${version}`])) ??
    (await step(go, ['build', '-ldflags=-s -w', '-o', program, goPackage]));
  await rm(join(folder, 'go.mod'));

  return reason;
}

/**
 * Returns a function that runs programs with a time limit. It returns the last output line of a
 * failed program, or undefined.
 */
function stepIn(folder: string | undefined, env: NodeJS.ProcessEnv, limitMs: number) {
  return async (command: string, args: string[]): Promise<string | undefined> => {
    const lines: string[] = [];
    const child = await startGuarded({
      command,
      args,
      env,
      output: (line) => lines.push(line),
      stopSignal: 'KILL',
      signal: AbortSignal.timeout(limitMs),
      ...(folder !== undefined && { cwd: folder, deleteFolder: folder }),
    });

    const { code } = await child.exited;

    return code === 0
      ? undefined
      : `${args.join(' ')}: ${(lines.at(-1) ?? 'no reason given').slice(0, 200)}`;
  };
}
