import { rm } from 'node:fs/promises';
import sharp from 'sharp';
import { createMedia } from '../../../modules/media/media-uses.ts';
import { uploadMedia } from '../../../modules/media/upload-media.ts';
import { MEDIA_USES } from '../../../modules/media-uses.ts';
import { MAX_UPLOAD_BYTES } from '../../../modules/media/rules/accepted.ts';
import { CENTRE, planRenditions } from '../../../modules/media/rules/rendition-plan.ts';
import { localMediaStore } from '../../../platform/media-store-disk.ts';
import { migratedDatabase } from '../../../test/support/database.ts';
import { STAFF } from '../../../test/support/catalog-fixtures.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { median, type Row } from '../report.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 20);
const BAR_MS = 1_500;

/**
 * Measures an upload of almost 10 MB with all renditions. Baseline: bare sharp, decoding the file
 * for each size and format.
 */
export async function measureUpload(): Promise<Row[]> {
  const [database, folder] = [await migratedDatabase(), await temporaryFolder('bench-media')];
  try {
    const deps = {
      db: database.db,
      media: createMedia({ store: localMediaStore(folder), uses: MEDIA_USES }),
    };

    const measured: { upload: number[]; bare: number[] } = { upload: [], bare: [] };
    const photo = await cameraPicture();

    // The first round warms up.
    for (let round = 0; round <= ROUNDS; round += 1) {
      // Data after the end of a JPEG is not shown, but makes the file a new upload.
      const picture = Buffer.concat([photo, Buffer.from(`round ${round}`)]);
      const upload = await time(() =>
        uploadMedia(deps, STAFF, { originalName: 'photo.jpg', bytes: picture }, null),
      );
      const bare = await time(() => bareSharp(picture));
      if (round === 0) continue;
      measured.upload.push(upload);
      measured.bare.push(bare);
    }

    const p95 =
      measured.upload.toSorted((a, b) => a - b)[Math.ceil(ROUNDS * 0.95) - 1] ?? Number.NaN;
    const yardstick = median(measured.bare);
    console.log(`pictures of ${(photo.length / 1_048_576).toFixed(1)} MB, ${ROUNDS} rounds`);

    return [
      {
        what: 'upload with all renditions',
        measured: `p95 ${p95.toFixed(0)} ms, median ${median(measured.upload).toFixed(0)}`,
        yardstick: `bare sharp, one decode for each, median ${yardstick.toFixed(0)} ms`,
        ratio: median(measured.upload) / yardstick,
        bar: `p95 ≤ ${BAR_MS} ms`,
        reached: p95 <= BAR_MS,
      },
    ];
  } finally {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A camera-like JPEG just below the limit: soft shapes with grain, 24 megapixels. */
async function cameraPicture(): Promise<Buffer> {
  const [width, height] = [6000, 4000];
  const small = { width: 1500, height: 1000, channels: 3 as const, background: '#507858' };
  const shapes = await sharp({
    create: { ...small, noise: { type: 'gaussian', mean: 128, sigma: 60 } },
  })
    .png()
    .toBuffer();

  const pixels = await sharp(shapes).resize(width, height, { kernel: 'cubic' }).raw().toBuffer();

  for (const quality of [97, 95, 93, 90, 85, 75]) {
    const made = await sharp(pixels, { raw: { width, height, channels: 3 } })
      .jpeg({ quality })
      .toBuffer();
    if (made.length <= MAX_UPLOAD_BYTES - 100) return made;
  }

  throw new Error('No quality makes the picture small enough');
}

/** Decodes the file for each rendition, at the smallest sufficient scale. */
async function bareSharp(picture: Buffer): Promise<void> {
  const { width, height } = await sharp(picture).metadata();
  await Promise.all(
    planRenditions({ width, height }, CENTRE).flatMap((cut) =>
      cut.formats.map((format) =>
        sharp(picture).resize(cut.width, cut.height, { fit: 'cover' }).toFormat(format).toBuffer(),
      ),
    ),
  );
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
