import { connect } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { authRoutes } from '../../../api/admin/access/auth.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { sampleRoutes } from '../../support/sample-routes.ts';

let api: TestApi;
let admin: AdminClient;
beforeAll(async () => {
  api = await startTestApi({ routes: [...sampleRoutes, ...authRoutes] });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
});
afterAll(() => api.stop());

type ProblemBody = { type: string; requestId: string; errors?: { field: string; code: string }[] };
const codes = async (response: Response) =>
  ((await response.json()) as ProblemBody).errors?.map((error) => `${error.field} ${error.code}`);

describe('the validation of requests', () => {
  test('[HTTP-11] reports every invalid field of a body with its path and code', async () => {
    const response = await admin.raw('POST', '/notes', {
      name: '',
      note: 'too long',
      lines: [{ amount: 1 }, { amount: '1', more: true }],
      other: 1,
    });

    expect(response.status).toBe(422);
    expect(response.headers.get('content-type')).toMatch('application/problem+json');
    expect((await codes(response))?.toSorted()).toEqual([
      'lines.1.amount type',
      'lines.1.more unknown_field',
      'name min_length',
      'note max_length',
      'other unknown_field',
    ]);
  });

  test('reports the missing fields of an empty body, and rejects a body that is no object', async () => {
    expect(await codes(await admin.raw('POST', '/notes'))).toEqual(['name required']);
    expect(await codes(await admin.raw('POST', '/notes', []))).toEqual(['body type']);
  });

  test('reports U+0000 as an error of its field, in bodies and queries', async () => {
    expect(await codes(await admin.raw('POST', '/notes', { name: 'a\u0000b' }))).toEqual([
      'name format',
    ]);
    expect(await codes(await fetch(`${api.url}/api/v1/words?q=%00`))).toEqual(['q format']);
  });

  test('coerces query parameters, and rejects unknown ones and invalid pages', async () => {
    const good = await fetch(
      `${api.url}/api/v1/words?page=3&size=20&flag=true&sort=name,desc&sort=id,asc`,
    );
    const bad = await fetch(
      `${api.url}/api/v1/words?page=0&size=201&flag=perhaps&sort=price,asc&organizationId=1`,
    );

    const body = (await good.json()) as { items: { text: string }[]; page: number; size: number };
    expect({ page: body.page, size: body.size }).toEqual({ page: 3, size: 20 });
    expect(body.items[0]?.text).toBe('{"offset":40,"order":["name desc","id asc"],"flag":true}');
    expect(bad.status).toBe(422);
    expect((await codes(bad))?.toSorted()).toEqual([
      'flag type',
      'organizationId unknown_field',
      'page min',
      'size max',
      'sort.0 enum',
    ]);
  });

  test('[HTTP-2, HTTP-3] treats one sort parameter as a list, and a missing page as page 1 of 50', async () => {
    const response = await fetch(`${api.url}/api/v1/words?sort=id,asc`);

    expect(await response.json()).toMatchObject({
      page: 1,
      size: 50,
      items: [{ text: expect.stringMatching('id asc') }, {}],
    });
  });

  test('[HTTP-8] answers 422 to a path parameter that is no id', async () => {
    expect(await codes(await fetch(`${api.url}/api/v1/prices/first`))).toEqual(['id type']);
  });

  test.each(['0x1', '1e3', '+1', '%201', '01', '1.0', 'true', '-0x1', '٣'])(
    'rejects the number %s, in a path and in a query',
    async (text) => {
      expect(await codes(await fetch(`${api.url}/api/v1/prices/${text}`))).toEqual(['id type']);
      expect(await codes(await fetch(`${api.url}/api/v1/words?page=${text}`))).toEqual([
        'page type',
      ]);
    },
  );

  test('rejects a negative number and one beyond 2^53 as out of range', async () => {
    expect(await codes(await fetch(`${api.url}/api/v1/prices/-1`))).toEqual(['id min']);
    expect(await codes(await fetch(`${api.url}/api/v1/prices/9007199254740993`))).toEqual([
      'id max',
    ]);
  });
});

describe('large requests', () => {
  const problem = async (response: Response) => ((await response.json()) as ProblemBody).type;

  test.each(['/api/v1/words', '/api/admin/v1/me', '/api/v1/nothing', '/docs'])(
    'answer 414 to a URL of more than 8,000 characters or 100 parameters: %s',
    async (path) => {
      const [long, many] = [`${path}?q=${'x'.repeat(8_000)}`, `${path}?${'q=&'.repeat(100)}q=`];
      const answers = await Promise.all([long, many].map((text) => fetch(api.url + text)));

      expect(answers.map((answer) => answer.status)).toEqual([414, 414]);
      expect(await Promise.all(answers.map(problem))).toEqual([
        '/problems/uri-too-long',
        '/problems/uri-too-long',
      ]);
    },
  );

  test('accept and validate 100 parameters', async () => {
    const response = await fetch(`${api.url}/api/v1/words?${'sort=id,asc&'.repeat(99)}sort=id,asc`);

    expect(await codes(response)).toEqual(['sort max_items']);
  });

  test('answer 431 to headers of more than 16 KiB, as a problem', async () => {
    const response = await fetch(`${api.url}/api/v1/words`, {
      headers: { 'x-large': 'x'.repeat(17_000) },
    });

    expect(response.status).toBe(431);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
    expect(await problem(response)).toBe('/problems/headers-too-large');
  });

  async function answerTo(bytes: string): Promise<string> {
    const { port, hostname } = new URL(api.url);
    const socket = connect(Number(port), hostname);
    socket.end(bytes);
    return Buffer.concat(await Array.fromAsync(socket as AsyncIterable<Buffer>)).toString();
  }

  test.each([
    ['what is no HTTP', 'NONSENSE\r\n\r\n'],
    ['an address whose host is none', 'GET http://[::1/api/v1/words HTTP/1.1\r\nHost: x\r\n\r\n'],
    [
      'an address with characters beyond ASCII',
      'GET /api/v1/words?q=кофе HTTP/1.1\r\nHost: x\r\n\r\n',
    ],
  ])('answer 400 to %s and end the connection', async (_, bytes) => {
    const answer = await answerTo(bytes);

    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n[^]*Connection: close/);
    expect(answer).toContain('"type":"/problems/malformed-request"');
  });

  test('accept a URL with scheme and host by its path, as proxies send it', async () => {
    const answer = await answerTo(
      'GET http://shop.example/api/v1/prices/7 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );

    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*"price":250.00/);
  });
});

describe('the body of a request', () => {
  const post = (body: string | Uint8Array<ArrayBuffer>, type: string, packing = 'identity') =>
    fetch(`${api.url}/api/admin/v1/notes`, {
      method: 'POST',
      body,
      headers: {
        'content-type': type,
        'content-encoding': packing,
        authorization: `Bearer ${admin.accessToken}`,
      },
    });

  test.each([
    ['broken JSON', '{"name":', 'application/json', 400, '/problems/malformed-body'],
    ['a word instead of an object', '"name"', 'application/json', 422, '/problems/validation'],
    ['a list instead of an object', '[]', 'application/json', 422, '/problems/validation'],
    ['null instead of an object', 'null', 'application/json', 422, '/problems/validation'],
    [
      'another type',
      'name=1',
      'application/x-www-form-urlencoded',
      415,
      '/problems/unsupported-media-type',
    ],
    [
      'more than 64 KB',
      `{"name":"${'x'.repeat(66_000)}"}`,
      'application/json',
      413,
      '/problems/payload-too-large',
    ],
  ])('fails as %s', async (_, body, type, status, problem) => {
    const response = await post(body, type);

    expect(response.status).toBe(status);
    expect(((await response.json()) as ProblemBody).type).toBe(problem);
  });

  test.each<[string, string | Uint8Array<ArrayBuffer>, string, number]>([
    [
      'bytes that are not UTF-8',
      Buffer.from('{"name":"\xff\xfe"}', 'latin1'),
      'application/json',
      400,
    ],
    ['half of a character', Buffer.from('{"name":"\xd0"}', 'latin1'), 'application/json', 400],
    ['an unknown charset', '{"name":"a"}', 'application/json; charset=nonsense', 415],
    ['UTF-16', Buffer.from('{"name":"a"}', 'utf16le'), 'application/json; charset=utf-16', 415],
    ['UTF-8 that is called Latin 1', '{"name":"a"}', 'application/json; charset=iso-8859-1', 415],
    ['UTF-8 by its name', '{"name":"ж by name"}', 'application/json; charset="UTF-8"', 201],
    ['a mark of its order of bytes', '\ufeff{"name":"ж by mark"}', 'application/json', 201],
  ])('%s: must be JSON in UTF-8', async (_, body, type, status) => {
    const response = await post(body, type);

    const { type: problem = null } = (await response.json()) as { type?: string };
    const kinds: Record<number, string> = {
      400: '/problems/malformed-body',
      415: '/problems/unsupported-media-type',
    };
    expect({ status: response.status, problem }).toEqual({
      status,
      problem: kinds[status] ?? null,
    });
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('can be compressed with %s, up to its limit', async (packing, pack) => {
    const send = async (body: Buffer) =>
      (await post(new Uint8Array(body), 'application/json', packing)).status;

    expect(await send(pack(`{"name":"by ${packing}"}`))).toBe(201);
    expect(await send(pack(`{"name":"${'x'.repeat(10_000_000)}"}`))).toBe(413);
    expect(await send(Buffer.from('{"name":"a"}'))).toBe(400);
  });

  test('fails with another compression', async () => {
    expect((await post('{"name":"a"}', 'application/json', 'zstd')).status).toBe(415);
    expect((await post('{"name":"a"}', 'application/json', 'constructor')).status).toBe(415);
  });

  test('ends at a limit that a route can lower or raise', async () => {
    const send = async (path: string, bytes: number) => {
      const answer = await admin.raw('POST', path, { name: 'x'.repeat(bytes) });
      return {
        status: answer.status,
        detail: ((await answer.json()) as { detail: string }).detail,
      };
    };

    expect(await send('/auth/login', 4_100)).toEqual({
      status: 413,
      detail: 'This operation reads at most 4096 bytes.',
    });
    expect((await send('/auth/login', 3_900)).status).toBe(422);
    expect((await send('/notes/long', 100_000)).status).toBe(422);
    expect((await send('/notes/long', 101_000)).status).toBe(413);
  });

  test('fails if the route reads none, unless it is empty', async () => {
    const send = (method: string, path: string, body: RequestInit['body'] = null) =>
      fetch(api.url + path, {
        method,
        body,
        duplex: 'half',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${admin.accessToken}`,
        },
      } as RequestInit);
    const streamed = (text: string) => new Blob([text]).stream();
    const path = '/api/admin/v1/broken/all';

    for (const body of ['{"version":99}', '[1]', 'version=99', streamed('{"version":99}')]) {
      const refused = await send('POST', path, body);
      expect(refused.status).toBe(422);
      expect(await codes(refused)).toEqual(['body unknown_field']);
    }
    for (const body of [null, '', '{}', ' { }\n', streamed('')])
      expect((await send('POST', path, body)).status).toBe(204);
    expect((await send('GET', '/api/v1/prices/7')).status).toBe(200);
  });

  test('contains, as a form, a file with its original name, and validated fields', async () => {
    const send = (form: FormData) =>
      fetch(`${api.url}/api/admin/v1/files`, {
        method: 'POST',
        body: form,
        headers: { authorization: `Bearer ${admin.accessToken}` },
      });
    const form = (bytes: number, field = 'file', folder = 'a') => {
      const data = new FormData();
      data.append('folder', folder);
      data.append(field, new Blob([Buffer.alloc(bytes)]), 'пицца.jpg');
      return data;
    };

    const good = await send(form(10));
    const tooLarge = await send(form(1001));
    const otherField = await send(form(10, 'picture'));
    const longFolder = await send(form(10, 'file', 'too long'));
    const noFile = new FormData();
    noFile.append('folder', 'a');

    expect(await good.json()).toEqual({ name: 'пицца.jpg', bytes: 10, folder: 'a' });
    expect(tooLarge.status).toBe(413);
    expect(await codes(otherField)).toEqual(['picture unknown_field']);
    expect(await codes(longFolder)).toEqual(['folder max_length']);
    expect(await codes(await send(noFile))).toEqual(['file required']);
    expect((await admin.raw('POST', '/files', {})).status).toBe(415);
  });
});

describe('the format of answers', () => {
  test('[HTTP-7] includes money with two decimals and times with a zone', async () => {
    const response = await fetch(`${api.url}/api/v1/prices/7`);

    expect(await response.text()).toBe(
      '{"id":7,"price":250.00,"old":null,"at":"1970-01-01T00:00:00.000Z"}',
    );
  });

  test('[HTTP-16] includes an ETag in the storefront API, and 304 for it', async () => {
    const first = await fetch(`${api.url}/api/v1/prices/7`);
    const etag = first.headers.get('etag') ?? '';
    const again = await fetch(`${api.url}/api/v1/prices/7`, {
      headers: { 'if-none-match': `"other", ${etag}` },
    });

    expect(etag).toMatch(/^W\/"[0-9a-f]{64}"$/);
    expect(first.headers.get('cache-control')).toBe('public, max-age=60');
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
    expect(again.headers.get('etag')).toBe(etag);
  });

  test('includes the headers of GET without a body for HEAD', async () => {
    const response = await fetch(`${api.url}/api/v1/prices/7`, { method: 'HEAD' });

    expect(response.status).toBe(200);
    expect(response.headers.get('etag')).not.toBeNull();
    expect(await response.text()).toBe('');
  });

  test.each(['throw', 'sql', 'leak', 'missing', 'status'])(
    '[HTTP-12] hides the cause of a fault (%s) behind a 500 with a request id',
    async (way) => {
      const response = await admin.raw('GET', `/broken/${way}`);

      const body = (await response.json()) as ProblemBody;
      expect(response.status).toBe(500);
      expect(body.type).toBe('/problems/internal');
      expect(body.requestId).toBe(response.headers.get('x-request-id'));
      expect(JSON.stringify(body)).not.toMatch(/secret|not a number/);
      expect(
        api.logged.find((line) => line['requestId'] === body.requestId && line['level'] === 50),
      ).toBeDefined();
      expect(JSON.stringify(api.logged)).not.toContain('not a number');
    },
  );
});

describe('the URLs of the API', () => {
  test('answer 404 if they are unknown, and 405 with Allow for another method', async () => {
    const unknown = await fetch(`${api.url}/api/v1/nothing`);
    const wrong = await fetch(`${api.url}/api/v1/prices/7`, { method: 'POST' });
    const deleted = await fetch(`${api.url}/api/admin/v1/notes`, { method: 'DELETE' });
    const options = await fetch(`${api.url}/api/v1/prices/7`, { method: 'OPTIONS' });

    expect([unknown.status, ((await unknown.json()) as ProblemBody).type]).toEqual([
      404,
      '/problems/not-found',
    ]);
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'HEAD, GET, OPTIONS']);
    expect([deleted.status, deleted.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'HEAD, GET, OPTIONS']);
  });

  test('match fixed paths before parameters, and answer 405 to their other methods', async () => {
    const wrong = await admin.raw('GET', '/broken/all');
    const options = await admin.raw('OPTIONS', '/broken/all');

    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'POST, OPTIONS']);
    expect((await admin.raw('POST', '/broken/all')).status).toBe(204);
  });

  test('cause no fault with an invalid escape', async () => {
    const response = await fetch(`${api.url}/api/v1/prices/%E0%A4%A`);

    expect([404, 422]).toContain(response.status);
  });
});
