import { Problem } from '../../kernel/problem.ts';
import { ACCEPTED_FORMATS, type AcceptedFormat } from './rules/accepted.ts';
import { planRenditions, type FocalPoint } from './rules/rendition-plan.ts';
import { isBulkheadRejectedError } from 'cockatiel';
import { renderImages } from './images.ts';
import { claimForWriting } from './claims.ts';
import { originalKey, renditionUrl, renditionFile, renditionFolder } from './media-urls.ts';
import type { MediaDeps } from './media-uses.ts';
import type { Rendition } from './media-rows.ts';

/** Dimensions of the upright image. */
export type Original = {
  bytes: Buffer;
  sha256: string;
  format: AcceptedFormat;
  width: number;
  height: number;
};

const RETRY_AFTER_SECONDS = '2';

/**
 * Stores renditions and the original, reusing files left by a crash. Problems: media-unreadable;
 * busy if too many images are in progress.
 */
export async function storeFiles(
  deps: MediaDeps,
  original: Original,
  focal: FocalPoint,
): Promise<Rendition[]> {
  try {
    return await deps.media.pool.execute(() => renderAndStore(deps, original, focal));
  } catch (error) {
    if (!isBulkheadRejectedError(error)) throw error;
    throw new Problem('busy', { headers: { 'Retry-After': RETRY_AFTER_SECONDS } });
  }
}

async function renderAndStore(
  deps: MediaDeps,
  original: Original,
  focal: FocalPoint,
): Promise<Rendition[]> {
  const rendered = await renderImages(original, planRenditions(original, focal));
  if (rendered === undefined) throw unreadable('damaged', 'The image is damaged.');

  const folder = renditionFolder(original.sha256, focal);
  const files = rendered.map(({ cut, format, bytes: content }) => {
    const { key, url } = renditionUrl(folder, renditionFile(cut.name, cut.density, format));
    const { name, density, width, height } = cut;

    return {
      key,
      content,
      rendition: { name, density, format, width, height, bytes: content.length, url },
    };
  });

  const { extension, mime } = ACCEPTED_FORMATS[original.format];
  await claimForWriting(deps.db, [original.sha256, folder]);
  await Promise.all([
    deps.media.store.put(originalKey(original.sha256, extension), original.bytes, mime),
    ...files.map(({ key, content, rendition }) =>
      deps.media.store.put(key, content, `image/${rendition.format}`),
    ),
  ]);

  return files.map((file) => file.rendition);
}

export function unreadable(code: string, message: string): Problem {
  return new Problem('media-unreadable', {
    detail: message,
    errors: [{ field: 'file', code, message }],
  });
}
