import { readFileSync } from 'node:fs';

export type BuildInfo = { version: string; commit: string; node: string };

/** Returns the release version from `package.json`. */
export function readVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** Returns the build. Commit `unknown` if not configured (OPS-39). */
export function readBuildInfo({ BUILD_COMMIT }: { BUILD_COMMIT: string | null }): BuildInfo {
  return { version: readVersion(), commit: BUILD_COMMIT ?? 'unknown', node: process.versions.node };
}
