import type { TileAnswer } from './tile-worker.ts';
import tileWorkerUrl from './tile-worker.ts?worker&url';

export { tileWorkerUrl };

/** A tile, or another file of the background, that could not be read. */
export class TileFailure extends Error {
  override readonly name = 'TileFailure';
}

export type TileReader = {
  /** Rejects with `TileFailure`. */
  read: (url: string) => Promise<ArrayBuffer>;
  end: () => void;
};

/** Starts a reader of tiles with the policy of now. */
export function startTileReader(): TileReader {
  const worker = new Worker(tileWorkerUrl, { type: 'module' });
  const waiting = new Map<number, (bytes: ArrayBuffer | undefined) => void>();
  let last = 0;
  let isBroken = false;
  worker.addEventListener('message', ({ data: { id, bytes } }: MessageEvent<TileAnswer>) => {
    waiting.get(id)?.(bytes);
    waiting.delete(id);
  });

  // Without the file of the worker, no tile can be read.
  worker.addEventListener('error', () => {
    isBroken = true;
    for (const answer of waiting.values()) answer(undefined);
    waiting.clear();
  });

  return {
    read: (url) =>
      new Promise((resolve, reject) => {
        if (isBroken) return reject(new TileFailure(url));

        last += 1;
        waiting.set(last, (bytes) =>
          bytes === undefined ? reject(new TileFailure(url)) : resolve(bytes),
        );
        worker.postMessage({ id: last, url });
      }),
    end: () => worker.terminate(),
  };
}
