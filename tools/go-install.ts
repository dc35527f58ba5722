import { startGuarded, type Log } from './guarded-process.ts';
import { onPath } from './cached-program.ts';

export type GoBuild = {
  /** Program and duration of its build, for the progress line. */
  title: string;
  packages: readonly string[];
  env: NodeJS.ProcessEnv;
  log: Log;
  signal: AbortSignal | undefined;
};

/** Builds Go programs into `folder`. Returns undefined, or the reason for a failure. */
export async function goInstall(
  folder: string,
  { title, packages, env, log, signal }: GoBuild,
): Promise<string | undefined> {
  const go = onPath('go', env['PATH']);
  if (go === undefined) return 'Go is not installed';
  log(`Building ${title}…`);
  const startedAt = Date.now();
  const progress = setInterval(
    () => log(`  still building, ${Math.round((Date.now() - startedAt) / 1000)} s`),
    10_000,
  );

  const lines: string[] = [];

  try {
    const child = await startGuarded({
      command: go,
      args: ['install', '-ldflags=-s -w', ...packages],
      // No go.mod or go.work of a parent folder may apply.
      cwd: folder,
      env: { ...env, GOBIN: folder, GOWORK: 'off' },
      output: (line) => lines.push(line),
      stopSignal: 'KILL',
      signal,
      deleteFolder: folder,
    });

    const { code } = await child.exited;

    return code === 0
      ? undefined
      : `go install failed: ${(lines.at(-1) ?? 'no reason given').slice(0, 200)}`;
  } finally {
    clearInterval(progress);
  }
}
