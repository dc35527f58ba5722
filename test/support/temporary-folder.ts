import { mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The caller deletes the folder. */
export async function temporaryFolder(purpose: string): Promise<string> {
  return mkdtemp(join(await realpath(tmpdir()), `carte-${purpose}-`));
}

/** A folder that test runs share. Names in it change with the content. */
export const testCache = join(tmpdir(), 'carte-test');
