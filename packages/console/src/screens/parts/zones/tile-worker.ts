/**
 * Reads map tiles for the page. This file has a policy of its own, which names the origin of the
 * tiles as it is set now; that of the page stays as it was when the page was opened (CSL-22).
 */
export type TileQuestion = { id: number; url: string };
/** A status of HTTP, or 0 without an answer. A tile that cannot be read has no bytes. */
export type TileAnswer = { id: number; status: number; bytes?: ArrayBuffer };

addEventListener('message', ({ data: { id, url } }: MessageEvent<TileQuestion>) => {
  const answer = (read: Omit<TileAnswer, 'id'>) =>
    postMessage({ id, ...read } satisfies TileAnswer, {
      transfer: read.bytes === undefined ? [] : [read.bytes],
    });

  read(url).then(answer, () => answer({ status: 0 }));
});

async function read(url: string): Promise<Omit<TileAnswer, 'id'>> {
  const response = await fetch(url);
  const { status } = response;
  return response.ok ? { status, bytes: await response.arrayBuffer() } : { status };
}
