import { AJAXError } from 'maplibre-gl';
import type { TileAnswer } from './tile-worker.ts';
import tileWorkerUrl from './tile-worker.ts?worker&url';

export { tileWorkerUrl };

type Answer = (answer: Omit<TileAnswer, 'id'>) => void;

type TileReader = {
  /**
   * Rejects with MapLibre's `AJAXError`. MapLibre passes no other class to its workers, and
   * replaces a tile of status 404 with the tile that contains it.
   */
  read: (url: string, signal: AbortSignal) => Promise<ArrayBuffer>;
  end: () => void;
};

/** Starts a reader of tiles with the policy of now. */
export function startTileReader(): TileReader {
  const worker = new Worker(tileWorkerUrl, { type: 'module' });
  const waiting = new Map<number, Answer>();
  let last = 0;
  let isBroken = false;
  worker.addEventListener('message', ({ data: { id, ...answer } }: MessageEvent<TileAnswer>) => {
    waiting.get(id)?.(answer);
    waiting.delete(id);
  });

  // Without the file of the worker, no tile can be read.
  worker.addEventListener('error', () => {
    isBroken = true;
    for (const answer of waiting.values()) answer({ status: 0 });
    waiting.clear();
  });

  return {
    read: (url, signal) =>
      new Promise((resolve, reject) => {
        const fail = (status: number) => reject(new AJAXError(status, '', url, new Blob()));
        if (isBroken) return fail(0);

        last += 1;
        const id = last;
        const cancel = () => worker.postMessage({ id });
        waiting.set(id, ({ status, bytes }) => {
          signal.removeEventListener('abort', cancel);
          if (bytes === undefined) fail(status);
          else resolve(bytes);
        });

        worker.postMessage({ id, url });
        signal.addEventListener('abort', cancel);
      }),
    end: () => worker.terminate(),
  };
}
