import { readFileSync } from 'node:fs';

/** What runs: the version of the release, the commit it was built from, and the version of Node.js. */
export type BuildInfo = { version: string; commit: string; node: string };

/** What this process was built from; the commit is `unknown` where nobody has said it (rule OPS-39). */
export function readBuildInfo({ BUILD_COMMIT }: { BUILD_COMMIT: string | null }): BuildInfo {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return { version, commit: BUILD_COMMIT ?? 'unknown', node: process.versions.node };
}
