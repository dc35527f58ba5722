import { describe, expect, test } from '@jest/globals';
import { AdminApi } from '../../../packages/client/src/admin.ts';
import {
  isProblem,
  jsonLd,
  ProblemError,
  PublicApi,
} from '../../../packages/client/src/storefront.ts';

const problem = (status: number, more: object = {}) => ({
  type: `/problems/${status === 429 ? 'rate-limited' : 'unavailable'}`,
  title: 'Later',
  status,
  detail: 'Send it again later.',
  instance: '/api/v1/menu',
  requestId: 'r-1',
  ...more,
});

function answering(...answers: (() => Response | Promise<Response>)[]) {
  const sent: { url: string; init: RequestInit }[] = [];
  const send = ((url: string, init: RequestInit) => {
    sent.push({ url, init });
    return Promise.resolve(answers[Math.min(sent.length, answers.length) - 1]!());
  }) as typeof fetch;
  return { sent, options: { baseUrl: 'http://shop.test', fetch: send } };
}

const later = (status: number, seconds: string | null) => () =>
  Response.json(problem(status), {
    status,
    headers: {
      'Content-Type': 'application/problem+json',
      ...(seconds === null ? {} : { 'Retry-After': seconds }),
    },
  });
const fine = () => Response.json({ items: [], total: 0 });

describe('a call that the server postpones', () => {
  test.each([429, 503])(
    '[HTTP-47] repeats after %s and returns the answer of the repetition',
    async (status) => {
      const { sent, options } = answering(later(status, '0'), fine);
      const { data } = await new PublicApi(options).listOrganizations();

      expect(data.total).toBe(0);
      expect(sent).toHaveLength(2);
    },
  );

  test('[HTTP-47] repeats at most twice, and then throws its rejection with the wait', async () => {
    const { sent, options } = answering(later(429, '0'));

    await expect(new PublicApi(options).listOrganizations()).rejects.toMatchObject({
      kind: 'rate-limited',
      retryAfter: 0,
    });
    expect(sent).toHaveLength(3);
  });

  test.each([
    ['a wait of more than ten seconds', '11', {}],
    ['no wait', null, {}],
    ['a client without repetitions', '0', { retries: 0 }],
  ])('[HTTP-47] returns to the caller with %s', async (_, seconds, more) => {
    const { sent, options } = answering(later(429, seconds), fine);

    await expect(new PublicApi({ ...options, ...more }).listOrganizations()).rejects.toThrow(
      ProblemError,
    );
    expect(sent).toHaveLength(1);
  });

  test.each([
    ['without a key is not repeated after 503', {}, 1],
    ['with a key is repeated after 503 with the same key', { idempotencyKey: 'k-1' }, 2],
  ])('[HTTP-47] a create %s', async (_, options, calls) => {
    const { sent, options: transport } = answering(later(503, '0'), fine);
    await new AdminApi(transport)
      .createBadge({ code: 'HOT', name: 'Hot' }, options)
      .catch(() => undefined);

    expect(sent).toHaveLength(calls);
    expect(new Set(sent.map(({ init }) => JSON.stringify(init.headers)))).toHaveProperty('size', 1);
  });

  test('[HTTP-47] stops waiting when it is aborted', async () => {
    const { options } = answering(later(429, '9'));
    const abort = new AbortController();
    const call = new PublicApi(options).listOrganizations({}, { signal: abort.signal });
    setTimeout(() => abort.abort(), 10);

    await expect(call).rejects.toThrow('aborted');
  });
});

test('[HTTP-48] a call ends after its time-out without an answer', async () => {
  const { options } = answering(fine);
  const silent = ((_: string, { signal }: RequestInit) =>
    new Promise((__, reject) =>
      signal!.addEventListener('abort', () => reject(signal!.reason)),
    )) as typeof fetch;

  await expect(
    new PublicApi({ ...options, fetch: silent, timeoutMs: 20 }).listOrganizations(),
  ).rejects.toMatchObject({
    name: 'TimeoutError',
  });
});

test.each([
  [1, 'Later: Send it again later. (a0 is too long) (/api/v1/menu, request r-1)'],
  [
    3,
    'Later: Send it again later. (a0 is too long; a1 is too long; a2 is too long) (/api/v1/menu, request r-1)',
  ],
  [
    5,
    'Later: Send it again later. (a0 is too long; a1 is too long; a2 is too long; 2 more) (/api/v1/menu, request r-1)',
  ],
])(
  '[HTTP-49] the message of a rejection of %s fields contains the first three',
  async (count, message) => {
    const errors = Array.from({ length: count }, (_, at) => ({
      field: `a${at}`,
      code: 'maxLength',
      message: 'is too long',
    }));
    const { options } = answering(() =>
      Response.json(problem(422, { errors }), {
        status: 422,
        headers: { 'Content-Type': 'application/problem+json' },
      }),
    );

    await expect(new PublicApi(options).listOrganizations()).rejects.toThrow(message);
  },
);

describe('the function isProblem', () => {
  test('rejects other errors and other kinds', async () => {
    const { options } = answering(later(429, null));
    const error: unknown = await new PublicApi(options)
      .listOrganizations()
      .catch((thrown: unknown) => thrown);

    expect([
      isProblem(error),
      isProblem(error, 'rate-limited'),
      isProblem(error, 'not-found'),
    ]).toEqual([true, true, false]);
    expect(isProblem(new Error('x'))).toBe(false);
  });
});

describe('[HTTP-105] an answer from between the client and the API', () => {
  const page = (status: number) => () =>
    new Response('<html>Sign in to the network</html>', {
      status,
      headers: { 'Content-Type': 'text/html' },
    });

  test.each([200, 502])('becomes a problem `unavailable` with status %i', async (status) => {
    const { options } = answering(page(status));
    const error: unknown = await new PublicApi(options)
      .listOrganizations()
      .catch((thrown: unknown) => thrown);

    expect(isProblem(error, 'unavailable')).toBe(true);
    expect(error).toMatchObject({
      status: 502,
      message: expect.stringContaining('Sign in to the network'),
    });
  });

  test('shows the path that does not exist', async () => {
    const { options } = answering(() =>
      Response.json(
        { ...problem(404), type: '/problems/not-found', instance: '/api/v1/api/v1/menu' },
        { status: 404, headers: { 'Content-Type': 'application/problem+json' } },
      ),
    );

    await expect(new PublicApi(options).getMenu()).rejects.toThrow(
      '(/api/v1/api/v1/menu, request r-1)',
    );
  });
});

describe('[HTTP-103] the language of the texts for guests', () => {
  test.each([
    ['a text', 'en', ['en']],
    ['a function, for each call', (() => ['ru', 'en'][asked++]!) as () => string, ['ru', 'en']],
    ['absent', undefined, [undefined]],
  ])('appears in requests if it is %s', async (_, language, sentLanguages) => {
    asked = 0;
    const { sent, options } = answering(fine);
    const api = new PublicApi({ ...options, language });
    for (const __ of sentLanguages) await api.listOrganizations();

    expect(
      sent.map(({ init }) => (init.headers as Record<string, string>)['Accept-Language']),
    ).toEqual(sentLanguages);
  });
});
let asked = 0;

test('[HTTP-104] undefined parameters and options are omitted', async () => {
  const { sent, options } = answering(fine);
  const api = new PublicApi({
    ...options,
    timeoutMs: undefined,
    retries: undefined,
    accessToken: undefined,
  });
  await api.getDeliverySlots(
    { organization_id: 'o', type: 'DELIVERY', address_id: undefined },
    { signal: undefined, headers: undefined },
  );

  expect(new URL(sent[0]!.url).search).toBe('?organization_id=o&type=DELIVERY');
});

test('[HTTP-104] markup for search engines cannot end its script element', () => {
  expect(jsonLd({ name: 'Soup</script><b>' })).toBe('{"name":"Soup\\u003c/script>\\u003cb>"}');
});
