import { constants } from 'node:fs';
import { access, mkdtemp, statfs } from 'node:fs/promises';
import { join } from 'node:path';

/** Linux keeps these files in memory. */
const IN_MEMORY = '/dev/shm';

/**
 * Creates an empty folder in memory, which the caller deletes. Undefined if there is none, or
 * less than `neededBytes` free (a container has 64 MB by default).
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
