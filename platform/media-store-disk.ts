import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { mkdir, readdir, rename, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DriveFile } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import { DRAFT, mediaStoreOn, type MediaStore } from './media-store.ts';

/** Serves only one API host. */
export function localMediaStore(folder: string): MediaStore {
  return mediaStoreOn(new WholeFileDriver({ location: folder, visibility: 'public' }));
}

class WholeFileDriver extends FSDriver {
  /** flydrive would write in place and expose partial files. */
  override async put(key: string, contents: string | Uint8Array): Promise<void> {
    const target = join(String(this.options.location), key);
    const draft = `${target}.${randomUUID()}${DRAFT}`;
    await mkdir(dirname(target), { recursive: true });
    await writeFile(draft, contents);
    await rename(draft, target);
  }

  /**
   * Also deletes emptied folders, but not top folders: another writer may just have ensured that
   * one exists.
   */
  override async delete(key: string): Promise<void> {
    await super.delete(key);
    const folder = dirname(key);
    if (!folder.includes('/')) return;
    await rmdir(join(String(this.options.location), folder)).catch(
      unless('ENOTEMPTY', 'EEXIST', 'ENOENT'),
    );
  }

  /** flydrive would load all names of the store. */
  override async listAll(
    _prefix: string,
    options: { paginationToken?: string; maxResults?: number } = {},
  ) {
    const root = String(this.options.location);
    const objects: DriveFile[] = [];

    for await (const key of keysBehind(root, options.paginationToken?.split('/') ?? [])) {
      const stats: Stats | undefined = await stat(join(root, key)).catch(unless('ENOENT'));
      // Deleted after its folder was read.
      if (stats === undefined) continue;
      const { size, mtime } = stats;
      objects.push(
        new DriveFile(key, this, { contentLength: size, etag: '', lastModified: mtime }),
      );
      if (objects.length === options.maxResults) return { objects, paginationToken: key };
    }

    return { objects };
  }
}

async function* keysBehind(
  root: string,
  [from, ...rest]: readonly string[],
  folder = '',
): AsyncGenerator<string> {
  const entries =
    (await readdir(join(root, folder), { withFileTypes: true }).catch(unless('ENOENT'))) ?? [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (from !== undefined && entry.name < from) continue;
    const key = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* keysBehind(root, entry.name === from ? rest : [], key);
    else if (entry.isFile() && entry.name !== from) yield key;
  }
}

function unless(...codes: string[]): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (!codes.includes(error.code ?? '')) throw error;
  };
}
