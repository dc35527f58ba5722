import type { Readable } from 'node:stream';
import { Disk, type DriveDirectory, type DriveFile } from 'flydrive';
import type { DriverContract } from 'flydrive/types';

/**
 * Keys derive from the content, so storing twice is harmless, and answers can be cached
 * permanently. Throws MediaStoreFailure if the store does not answer.
 */
export type MediaStore = {
  /** Stores the bytes unless the key exists. */
  put(key: string, bytes: Buffer, contentType: string): Promise<void>;
  /** The caller of `read` consumes or destroys the stream. */
  find(key: string): Promise<{ bytes: number; read: () => Promise<Readable> } | undefined>;
  /** Lists files in a stable order. `next` is the `after` of the next page, or null. */
  list(page: {
    after: string | null;
    limit: number;
  }): Promise<{ files: StoredFile[]; next: string | null }>;
  remove(key: string): Promise<void>;
};

/** `isDraft`: partial, after a crash. */
export type StoredFile = { key: string; writtenAt: Date; isDraft: boolean };

/** Suffix of a file that is being written. */
export const DRAFT = '.part';

/** flydrive does not declare `maxResults`. */
export type PagingDriver = DriverContract & {
  listAll(
    prefix: string,
    options: { recursive: true; paginationToken?: string; maxResults: number },
  ): Promise<{ paginationToken?: string; objects: Iterable<DriveFile | DriveDirectory> }>;
};

/** The store does not answer or is full, or a file is lost. */
export class MediaStoreFailure extends Error {
  readonly code = 'MEDIA_STORE';
  constructor(message: string, options?: ErrorOptions) {
    super(`Media store: ${message}`, options);
    this.name = 'MediaStoreFailure';
  }
}

/** `put` must be atomic, and the list include modification times. */
export function mediaStoreOn(driver: PagingDriver): MediaStore {
  const disk = new Disk(driver);
  return {
    put: (key, bytes, contentType) =>
      attempt('write', async () => {
        if (!(await disk.exists(key))) await disk.put(key, bytes, { contentType });
      }),
    find: (key) =>
      attempt('find', async () => {
        if (!(await disk.exists(key))) return undefined;
        const { contentLength } = await disk.getMetaData(key);
        return { bytes: contentLength, read: () => attempt('read', () => disk.getStream(key)) };
      }),
    list: ({ after, limit }) =>
      attempt('list', async () => {
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
    remove: (key) => attempt('remove', () => disk.delete(key)),
  };
}

async function storedFile(file: DriveFile): Promise<StoredFile> {
  // Makes no request.
  const { lastModified } = await file.getMetaData();
  return { key: file.key, writtenAt: lastModified, isDraft: file.key.endsWith(DRAFT) };
}

async function attempt<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new MediaStoreFailure(`cannot ${what}`, { cause: error });
  }
}
