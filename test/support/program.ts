import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export async function writeProgram(path: string, body: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `#!/bin/sh\nPATH=/usr/bin:/bin\n${body}\n`);
  await chmod(path, 0o755);
}

/** @throws Error with `what` after `timeoutMs` */
export async function waitUntil(
  what: string,
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 120_000,
) {
  for (const deadline = Date.now() + timeoutMs; !(await condition()); await delay(20)) {
    if (Date.now() > deadline) throw new Error(`${what}: not within ${timeoutMs} ms`);
  }
}
