import { expect, test } from '@jest/globals';
import { AdminApi } from '../../../packages/client/src/admin.ts';
import { watchEvents, type EventOf } from '../../../packages/client/src/events.ts';

test('[EVT-16] events are returned from the last page on, also after failures', async () => {
  const asked: string[] = [];
  const event = (id: number) => ({ id, type: 'product.published', data: { productId: id } });
  const whole = Array.from({ length: 1_000 }, (_, at) => event(at + 1));
  const answers = [
    () => Response.json({ items: whole, after: 1_000, oldestId: 1 }),
    () => new Response('', { status: 503, headers: { 'Retry-After': '0' } }),
    () => Response.json({ items: [], after: 1_004, oldestId: 1 }),
    () => Response.json({ items: [event(1_005)], after: 1_005, oldestId: 1 }),
  ];
  const api = new AdminApi({
    baseUrl: 'http://shop.test',
    retries: 0,
    fetch: ((url: string) => {
      asked.push(new URL(url).search);
      return Promise.resolve(answers[asked.length - 1]!());
    }) as typeof fetch,
  });
  const [ids, failures]: [number[], unknown[]] = [[], []];
  const options = { after: 0, types: ['product.published' as const], intervalMs: 1 };
  for await (const { items, after } of watchEvents(api, {
    ...options,
    onFailure: (error) => failures.push(error),
  })) {
    ids.push(...(items as EventOf<'product.published'>[]).map(({ data }) => data.productId));
    if (after === 1_005) break;
  }

  expect(ids).toEqual(Array.from({ length: 1_001 }, (_, at) => (at === 1_000 ? 1_005 : at + 1)));
  expect(asked).toEqual(
    [0, 1_000, 1_000, 1_004].map((after) => `?types=product.published&after=${after}&limit=1000`),
  );
  expect(failures).toHaveLength(1);
});
