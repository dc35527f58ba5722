import type { Readable } from 'node:stream';
import { Disk, type DriveDirectory, type DriveFile } from 'flydrive';
import type { DriverContract } from 'flydrive/types';

/**
 * The storage of images. Keys derive from the content, so their bytes never change: storing twice
 * is harmless, and answers can be cached permanently. All methods throw MediaStoreFailure if the
 * store does not answer.
 */
export type MediaStore = {
  /** Stores the bytes unless the key exists. */
  put(key: string, bytes: Buffer, contentType: string): Promise<void>;
  /** Returns the file, or `undefined`. The caller of `read` consumes or destroys the stream. */
  find(key: string): Promise<{ bytes: number; read: () => Promise<Readable> } | undefined>;
  /**
   * Returns at most `limit` files in a stable order. `next` is the `after` of the next page, or
   * `null`.
   */
  list(page: {
    after: string | null;
    limit: number;
  }): Promise<{ files: StoredFile[]; next: string | null }>;
  remove(key: string): Promise<void>;
};

/** A listed file. A draft is a partial file after a crash, which can only be removed. */
export type StoredFile = { key: string; writtenAt: Date; isDraft: boolean };

/** Suffix of a file that is being written. */
export const DRAFT = '.part';

/** A driver that lists in pages. flydrive passes `maxResults` on, but does not declare it. */
export type PagingDriver = DriverContract & {
  listAll(
    prefix: string,
    options: { recursive: true; paginationToken?: string; maxResults: number },
  ): Promise<{ paginationToken?: string; objects: Iterable<DriveFile | DriveDirectory> }>;
};

/**
 * The store does not answer, is full, or has lost a file. Identified by its code, like socket
 * errors.
 */
export class MediaStoreFailure extends Error {
  readonly code = 'MEDIA_STORE';
  constructor(message: string, options?: ErrorOptions) {
    super(`Media store: ${message}`, options);
    this.name = 'MediaStoreFailure';
  }
}

/**
 * Creates a store on a flydrive driver whose `put` is atomic and whose list includes modification
 * times.
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
        return {
          files: await Promise.all(files.map(storedFile)),
          next: page.paginationToken ?? null,
        };
      }),
    remove: (key) => asked('remove', () => disk.delete(key)),
  };
}

async function storedFile(file: DriveFile): Promise<StoredFile> {
  // Part of the listing: no request per file.
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
