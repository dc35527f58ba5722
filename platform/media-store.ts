import type { Readable } from 'node:stream';
import { Disk, type DriveDirectory, type DriveFile } from 'flydrive';
import type { DriverContract } from 'flydrive/types';

/**
 * The storage of images. Keys are made of the content, so a key never changes its bytes: storing
 * twice is harmless, and answers can be cached permanently. All methods throw MediaStoreFailure if
 * the store does not answer.
 */
export type MediaStore = {
  /** Stores the bytes under the key; does nothing when the key exists. */
  put(key: string, bytes: Buffer, contentType: string): Promise<void>;
  /**
   * The stored file, or `undefined` when there is none. `read` opens it; the caller reads or
   * destroys the stream.
   */
  find(key: string): Promise<{ bytes: number; read: () => Promise<Readable> } | undefined>;
  /**
   * At most `limit` files in an order that stays; `next` is the `after` of the page behind it,
   * `null` at the end.
   */
  list(page: { after: string | null; limit: number }): Promise<{ files: StoredFile[]; next: string | null }>;
  /** Removes the file; does nothing when there is none. */
  remove(key: string): Promise<void>;
};

/**
 * A file as the list shows it. A draft is what a crash has left of a file that was being written;
 * it can be removed and nothing else.
 */
export type StoredFile = { key: string; writtenAt: Date; isDraft: boolean };

/** End of the name of a file that is being written. */
export const DRAFT = '.part';

/** A driver that lists in pages; flydrive passes the number of results on without naming it. */
export type PagingDriver = DriverContract & {
  listAll(
    prefix: string,
    options: { recursive: true; paginationToken?: string; maxResults: number },
  ): Promise<{ paginationToken?: string; objects: Iterable<DriveFile | DriveDirectory> }>;
};

/**
 * Recognised by its code, like the errors of sockets: the store does not answer, is full, or has
 * lost a file.
 */
export class MediaStoreFailure extends Error {
  readonly code = 'MEDIA_STORE';
  constructor(message: string, options?: ErrorOptions) {
    super(`Media store: ${message}`, options);
    this.name = 'MediaStoreFailure';
  }
}

/**
 * A store on any driver of flydrive whose `put` shows a file only when it is complete, and that
 * lists with its files when they were written.
 */
export function mediaStoreOn(driver: PagingDriver): MediaStore {
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
    list: ({ after, limit }) =>
      asked('list', async () => {
        const page = await driver.listAll('/', {
          recursive: true,
          maxResults: limit,
          ...(after === null ? {} : { paginationToken: after }),
        });
        const files = [...page.objects].filter((object) => object.isFile);
        return { files: await Promise.all(files.map(storedFile)), next: page.paginationToken ?? null };
      }),
    remove: (key) => asked('remove', () => disk.delete(key)),
  };
}

async function storedFile(file: DriveFile): Promise<StoredFile> {
  // The listing contains it, so no request per file is needed.
  const { lastModified } = await file.getMetaData();
  return { key: file.key, writtenAt: lastModified, isDraft: file.key.endsWith(DRAFT) };
}

async function asked<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new MediaStoreFailure(`cannot ${what}`, { cause: error });
  }
}
