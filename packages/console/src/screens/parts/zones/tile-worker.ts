/**
 * Reads map tiles for the page. This file has a policy of its own, which names the origin of the
 * tiles as it is set now; that of the page stays as it was when the page was opened (CSL-22).
 */
export type TileQuestion = { id: number; url: string };
export type TileAnswer = { id: number; bytes?: ArrayBuffer };

addEventListener('message', ({ data: { id, url } }: MessageEvent<TileQuestion>) => {
  const answer = (bytes?: ArrayBuffer) =>
    postMessage({ id, bytes } satisfies { id: number; bytes: ArrayBuffer | undefined }, {
      transfer: bytes === undefined ? [] : [bytes],
    });

  // A tile that cannot be read is reported without bytes.
  read(url).then(answer, () => answer());
});

async function read(url: string): Promise<ArrayBuffer | undefined> {
  const response = await fetch(url);
  return response.ok ? response.arrayBuffer() : undefined;
}
