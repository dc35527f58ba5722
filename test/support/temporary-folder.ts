import { mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new empty folder that only we may enter; the caller deletes it. */
export async function temporaryFolder(purpose: string): Promise<string> {
  return mkdtemp(join(await realpath(tmpdir()), `carte-${purpose}-`));
}

/** The folder that test runs share, under names that change with the content. */
export const testCache = join(tmpdir(), 'carte-test');
