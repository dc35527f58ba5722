import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { StartFailure } from '../../../platform/start-failure.ts';
import { cachedProgram } from '../../../tools/cached-program.ts';
import { goInstall } from '../../../tools/go-install.ts';
import type { Log } from '../../../tools/guarded-process.ts';

/** The server inside the development server of tools/temporal-version.ts, as production runs it. */
const VERSION = '1.29.1';

/** Each program by its usual name, with its Go package and what `go install` calls it. */
const PROGRAMS = {
  server: { program: 'temporal-server', goPackage: 'go.temporal.io/server/cmd/server', built: 'server' },
  sql: { program: 'temporal-sql-tool', goPackage: 'go.temporal.io/server/cmd/tools/sql', built: 'sql' },
} as const;

/** Paths of the server and of the tool that creates its schema. */
export type ProductionTemporalPrograms = Record<keyof typeof PROGRAMS, string>;

type Options = { log: Log; env?: NodeJS.ProcessEnv; signal?: AbortSignal | undefined };

/**
 * Temporal's production server and its schema tool: on PATH, in the cache, else built from source with Go (2 minutes together).
 * @throws StartFailure with one sentence when there are none and they cannot be built.
 */
export async function resolveProductionTemporal(options: Options): Promise<ProductionTemporalPrograms> {
  return { server: await resolve('server', options), sql: await resolve('sql', options) };
}

async function resolve(which: keyof typeof PROGRAMS, { log, env = process.env, signal }: Options): Promise<string> {
  const { program, goPackage, built } = PROGRAMS[which];
  const fetch = async (folder: string): Promise<string | undefined> => {
    const title = `${program} ${VERSION} with Go, once for this machine (about 2 minutes)`;
    const reason = await goInstall(folder, { title, packages: [`${goPackage}@v${VERSION}`], env, log, signal });
    if (reason === undefined) await rename(join(folder, built), join(folder, program));
    return reason;
  };
  const sources = [{ source: 'build' as const, fetch }];
  const found = await cachedProgram({ program, version: VERSION, env, log, signal, sources });
  if (!('reasons' in found)) return found.path;
  throw new StartFailure(
    `${program} ${VERSION} is not available (${found.reasons.join('; ')}): put it on PATH or at ${found.path}, or install Go.`,
  );
}
