import { rm } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { createMedia, type MediaDeps } from '../../modules/media/media-uses.ts';
import { toStoredFile } from '../../modules/media/media-urls.ts';
import type { MediaView } from '../../modules/media/media-rows.ts';
import { uploadMedia } from '../../modules/media/upload-media.ts';
import { MEDIA_USES } from '../../modules/media-uses.ts';
import type { Database } from './text-database.ts';
import { localMediaStore } from '../../platform/media-store-disk.ts';
import { STAFF } from './catalog-fixtures.ts';
import { temporaryFolder } from './temporary-folder.ts';

let shade = 0;

/** A picture that is unique in this process. Each half has one color. */
export async function newPicture(width: number, height: number): Promise<Buffer> {
  shade += 1;
  const half = {
    create: { width: Math.max(1, width >> 1), height, channels: 3 as const, background: '#0000ff' },
  };
  return sharp({
    create: {
      width,
      height,
      channels: 3,
      background: { r: shade % 256, g: 120 + (shade >> 8), b: 40 },
    },
  })
    .composite([{ input: half, left: 0, top: 0 }])
    .png()
    .toBuffer();
}

export async function pictureFixture(db: Database) {
  const folder = await temporaryFolder('pictures');
  const deps: MediaDeps = {
    db,
    media: createMedia({ store: localMediaStore(folder), uses: MEDIA_USES }),
  };
  return {
    deps,
    folder,
    async upload(width = 300, height = 100): Promise<MediaView> {
      const bytes = await newPicture(width, height);
      return (await uploadMedia(deps, STAFF, { originalName: 'soup.png', bytes }, null)).media;
    },
    async file(url: string): Promise<Buffer | undefined> {
      const found = await deps.media.store.find(toStoredFile(url)?.key ?? 'none');
      return found === undefined ? undefined : buffer(await found.read());
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

export type Pictures = Awaited<ReturnType<typeof pictureFixture>>;
