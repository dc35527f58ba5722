/**
 * Reads map tiles for the page. This file has a policy of its own, which names the origin of the
 * tiles as it is set now; that of the page stays as it was when the page was opened (CSL-22).
 */
type TileQuestion = {
  id: number;
  /** Without a URL, the question of this id is canceled. */
  url?: string;
};
/** A status of HTTP, or 0 without an answer. A tile that cannot be read has no bytes. */
export type TileAnswer = { id: number; status: number; bytes?: ArrayBuffer };

const reading = new Map<number, AbortController>();

addEventListener('message', ({ data: { id, url } }: MessageEvent<TileQuestion>) => {
  if (url === undefined) return reading.get(id)?.abort();

  const canceled = new AbortController();
  reading.set(id, canceled);
  const answer = (read: Omit<TileAnswer, 'id'>) => {
    reading.delete(id);
    postMessage({ id, ...read } satisfies TileAnswer, {
      transfer: read.bytes === undefined ? [] : [read.bytes],
    });
  };

  read(url, canceled.signal).then(answer, () => answer({ status: 0 }));
});

async function read(url: string, signal: AbortSignal): Promise<Omit<TileAnswer, 'id'>> {
  const response = await fetch(url, { signal });
  const { status } = response;
  return response.ok ? { status, bytes: await response.arrayBuffer() } : { status };
}
