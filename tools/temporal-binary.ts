import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { StartFailure } from '../platform/start-failure.ts';
import { cachedProgram, type Source } from './cached-program.ts';
import { goInstall } from './go-install.ts';
import { startGuarded, type Log } from './guarded-process.ts';

/** The last tested CLI that `go install` accepts (no `replace` in its go.mod). */
export const temporalVersion = '1.5.1';

export type ResolvedTemporal =
  | { kind: 'address'; address: string }
  | { kind: 'binary'; path: string; source: 'path' | 'cache' | 'download' | 'build' };

export type ResolveOptions = {
  log: Log;
  env?: NodeJS.ProcessEnv;
  /** Time without a new byte after which the SDK's download is abandoned. 0 skips the download. */
  downloadPatienceMs?: number;
  signal?: AbortSignal;
};

/**
 * Finds the Temporal server: TEMPORAL_ADDRESS, `temporal` on PATH, the cached binary, the SDK's
 * download, or a Go build.
 * @throws StartFailure with all remedies if nothing works
 */
export async function resolveTemporal(options: ResolveOptions): Promise<ResolvedTemporal> {
  const { log, env = process.env, downloadPatienceMs = 5_000, signal } = options;
  const address = env['TEMPORAL_ADDRESS'];
  if (address !== undefined && address !== '') return { kind: 'address', address };

  const found = await cachedProgram({
    program: 'temporal',
    version: temporalVersion,
    env,
    log,
    signal,
    sources: sources({ env, downloadPatienceMs, log, signal }),
  });
  if (!('reasons' in found)) return { kind: 'binary', ...found };

  throw new StartFailure(
    `Temporal ${temporalVersion} is not available (${found.reasons.join('; ')}): put the program "temporal" on PATH or at ${found.path}, install Go, or set TEMPORAL_ADDRESS to a running server.`,
  );
}

type Fetching = {
  env: NodeJS.ProcessEnv;
  downloadPatienceMs: number;
  log: Log;
  signal: AbortSignal | undefined;
};

function sources(fetching: Fetching): Source<'download' | 'build'>[] {
  return [
    {
      source: 'download',
      fetch: async (folder) =>
        fetching.downloadPatienceMs === 0
          ? 'the download is switched off'
          : download(folder, fetching),
    },
    {
      source: 'build',
      fetch: async (folder) =>
        goInstall(folder, {
          title: `Temporal ${temporalVersion} with Go, once for this machine (about 3 minutes)`,
          packages: [`github.com/temporalio/cli/cmd/temporal@v${temporalVersion}`],
          ...fetching,
        }),
    },
  ];
}

async function download(
  folder: string,
  { downloadPatienceMs, log, signal }: Fetching,
): Promise<string | undefined> {
  log(`Downloading Temporal ${temporalVersion}…`);
  const script = fileURLToPath(new URL('temporal-download.ts', import.meta.url));
  const lines: string[] = [];
  const child = await startGuarded({
    command: process.execPath,
    args: [script, folder],
    output: (line) => lines.push(line),
    stopSignal: 'KILL',
    signal,
    deleteFolder: folder,
  });

  let ended = false;
  const exit = child.exited.then((result) => {
    ended = true;
    return result;
  });

  let bytes = -1;

  for (let quietSince = Date.now(); !ended; await Promise.race([exit, delay(100)])) {
    const now = await folderBytes(folder);
    if (now !== bytes) {
      bytes = now;
      quietSince = Date.now();
    } else if (Date.now() - quietSince > downloadPatienceMs) {
      await child.stop();
      return `the download gave nothing for ${downloadPatienceMs / 1000} s`;
    }
  }

  if ((await exit).code === 0) return undefined;
  const reason = lines.findLast((line) => /error/i.test(line)) ?? 'no reason given';

  return `the download failed: ${reason.trim().slice(0, 200)}`;
}

async function folderBytes(folder: string): Promise<number> {
  const names = await readdir(folder);
  const sizes = await Promise.all(
    names.map(async (name) => (await stat(join(folder, name)).catch(() => undefined))?.size ?? 0),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
