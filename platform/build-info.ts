import { readFileSync } from 'node:fs';

/**
 * The running build: the version of the release, the commit it was built from, and the version of
 * Node.js.
 */
export type BuildInfo = { version: string; commit: string; node: string };

/** Version of the release, from `package.json`: the only place that states it. */
export function readVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/**
 * Reads the build of this process; the commit is `unknown` if it is not configured (rule OPS-39).
 */
export function readBuildInfo({ BUILD_COMMIT }: { BUILD_COMMIT: string | null }): BuildInfo {
  return { version: readVersion(), commit: BUILD_COMMIT ?? 'unknown', node: process.versions.node };
}
