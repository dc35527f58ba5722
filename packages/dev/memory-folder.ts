import { constants } from 'node:fs';
import { access, mkdtemp, statfs } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder of Linux for files in memory. */
const IN_MEMORY = '/dev/shm';

/**
 * A new empty folder in memory for throw-away data of a server, which the caller deletes; undefined
 * where the machine has no such place, or one with less than `neededBytes` free (a container has 64
 * MB by default).
 */
export async function memoryFolder(
  purpose: string,
  neededBytes: number,
  place = IN_MEMORY,
): Promise<string | undefined> {
  try {
    const { bavail, bsize } = await statfs(place);
    if (bavail * bsize < neededBytes) return undefined;
    await access(place, constants.W_OK);
  } catch {
    return undefined;
  }
  return mkdtemp(join(place, `carte-${purpose}-`));
}
