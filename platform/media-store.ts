import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import type { DriverContract } from 'flydrive/types';

/**
 * Where pictures live. Keys are made of the content, so a key never changes its bytes: storing twice is harmless
 * and whoever has an address may keep the answer for ever. Everything here throws MediaStoreFailure when the store does not answer.
 */
export type MediaStore = {
  /** Stores the bytes under the key; does nothing when the key exists. */
  put(key: string, bytes: Buffer, contentType: string): Promise<void>;
  /** The stored file, or `undefined` when there is none. `read` opens it; the caller reads or destroys the stream. */
  find(key: string): Promise<{ bytes: number; read: () => Promise<Readable> } | undefined>;
};

/** Recognised by its code, like the errors of sockets: the store does not answer, is full, or has lost a file. */
export class MediaStoreFailure extends Error {
  readonly code = 'MEDIA_STORE';
  constructor(message: string, options?: ErrorOptions) {
    super(`Media store: ${message}`, options);
    this.name = 'MediaStoreFailure';
  }
}

/** A store in a folder of this machine. Several machines need a shared store: give another driver to `mediaStoreOn`. */
export function localMediaStore(folder: string): MediaStore {
  return mediaStoreOn(new WholeFileDriver({ location: folder, visibility: 'public' }));
}

/** A store on any driver of flydrive whose `put` shows a file only when it is complete. */
export function mediaStoreOn(driver: DriverContract): MediaStore {
  const disk = new Disk(driver);
  return {
    put: (key, bytes, contentType) =>
      asked('write', async () => {
        if (!(await disk.exists(key))) await disk.put(key, bytes, { contentType });
      }),
    find: (key) =>
      asked('find', async () => {
        if (!(await disk.exists(key))) return undefined;
        const { contentLength } = await disk.getMetaData(key);
        return { bytes: contentLength, read: () => asked('read', () => disk.getStream(key)) };
      }),
  };
}

async function asked<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new MediaStoreFailure(`cannot ${what}`, { cause: error });
  }
}

/** The driver of flydrive writes in place, so a crash or a second writer would show half a file: write beside and rename. */
class WholeFileDriver extends FSDriver {
  override async put(key: string, contents: string | Uint8Array): Promise<void> {
    const target = join(String(this.options.location), key);
    const draft = `${target}.${randomUUID()}.part`;
    await mkdir(dirname(target), { recursive: true });
    await writeFile(draft, contents);
    await rename(draft, target);
  }
}
