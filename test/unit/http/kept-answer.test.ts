import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import type { HttpContext } from '../../../api/http/context.ts';
import { keptAnswer, type KeptAnswer } from '../../../api/http/hot/kept-answer.ts';

const app = new Koa();
const content = 'a script of many lines;\n'.repeat(10_000);

/** Returns the stored body itself, not a copy. */
async function bodyFor(answer: KeptAnswer, encoding: string): Promise<Buffer> {
  const message = new IncomingMessage(new Socket());
  message.headers['accept-encoding'] = encoding;
  const ctx = app.createContext(message, new ServerResponse(message)) as unknown as HttpContext;
  await answer.send(ctx);
  return ctx.body as Buffer;
}

describe('a stored answer', () => {
  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('uses one compression by %s for every request', async (encoding, unpack) => {
    const answer = keptAnswer('text/javascript', content, 'no-cache');

    const first = await bodyFor(answer, encoding);

    expect(await bodyFor(answer, encoding)).toBe(first);
    expect(unpack(first).toString()).toBe(content);
  });

  test('uses one compression even for concurrent requests', async () => {
    const answer = keptAnswer('text/javascript', content, 'no-cache');

    const [first, second] = await Promise.all([bodyFor(answer, 'br'), bodyFor(answer, 'br')]);

    expect(second).toBe(first);
  });
});
