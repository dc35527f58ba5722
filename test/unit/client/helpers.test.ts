import { describe, expect, test } from '@jest/globals';
import { staffSession } from '../../../packages/client/src/admin.ts';
import {
  imageAttributes,
  pictureAttributes,
  itemsOf,
  PublicApi,
  watchMenu,
  watchOrder,
  withAvailability,
  withLine,
  withQuantity,
  type Cart,
  type Menu,
  type PageStart,
} from '../../../packages/client/src/storefront.ts';

const api = (answer: (url: URL, init: RequestInit) => Response | Promise<Response>) =>
  new PublicApi({
    baseUrl: 'http://shop.test',
    retries: 0,
    fetch: ((url: string, init: RequestInit) =>
      Promise.resolve(answer(new URL(url), init))) as typeof fetch,
  });

const modifier = (id: string, quantity: number) => ({ groupId: 'g', modifierId: id, quantity });
const line = (
  lineId: string,
  variantId: number,
  quantity: number,
  modifiers = [modifier('m1', 1)],
) => ({
  lineId,
  variantId,
  quantity,
  modifiers: modifiers.map((entry) => ({ ...entry, name: 'Sauce', freeQuantity: 0, unitPrice: 0 })),
  comment: null,
  unitPrice: 10,
});
const cart = {
  cartId: 'c',
  version: 4,
  organizationId: 'o',
  lines: [line('l1', 1, 2), line('l2', 2, 98)],
} as unknown as Cart;

describe('[HTTP-52] a cart with an added dish', () => {
  test('contains the version and all former content of the cart', () => {
    const posted = withLine(cart, { variantId: 3, modifiers: [modifier('m1', 1)] });

    expect(posted).toMatchObject({ cartId: 'c', version: 4, organizationId: 'o' });
    expect(
      posted.lines.map(({ lineId, variantId, quantity }) => [lineId, variantId, quantity]),
    ).toEqual([
      ['l1', 1, 2],
      ['l2', 2, 98],
      [undefined, 3, 1],
    ]);
    expect(posted.lines[0]!.modifiers).toEqual([modifier('m1', 1)]);
  });

  test.each([
    ['the same modifiers get more units', 1, [modifier('m1', 1)], [3, 98]],
    ['at most 99 units', 2, [modifier('m1', 1)], [2, 99]],
    ['other modifiers get a line of their own', 1, [modifier('m2', 1)], [2, 98, 1]],
    ['another number of a modifier too', 1, [modifier('m1', 2)], [2, 98, 1]],
  ])('%s', (_, variantId, modifiers, quantities) => {
    const quantity = variantId === 2 ? 5 : 1;
    expect(
      withLine(cart, { variantId, quantity, modifiers }).lines.map((entry) => entry.quantity),
    ).toEqual(quantities);
  });

  test('ignores the order of modifiers, but not a comment', () => {
    const two = [modifier('m1', 1), modifier('m2', 1)];
    const with2 = { ...cart, lines: [line('l1', 1, 1, two)] } as unknown as Cart;

    expect(withLine(with2, { variantId: 1, modifiers: two.toReversed() }).lines).toHaveLength(1);
    expect(
      withLine(with2, { variantId: 1, modifiers: two, comment: 'No onion' }).lines,
    ).toHaveLength(2);
  });

  test('begins for a guest without a cart', () => {
    expect(withLine({ organizationId: 'o' }, { variantId: 1 })).toEqual({
      organizationId: 'o',
      lines: [{ variantId: 1, quantity: 1, modifiers: [], comment: null }],
    });
  });

  test('loses a line without units', () => {
    expect(withQuantity(cart, 'l1', 0).lines.map((entry) => entry.lineId)).toEqual(['l2']);
    expect(withQuantity(cart, 'l1', 120).lines[0]!.quantity).toBe(99);
  });
});

describe('[HTTP-50] a watched menu', () => {
  const buildMenu = (revision: number, available = true) => ({
    revision,
    organizationId: 'o',
    products: [{ id: 1, variants: [{ id: 10, available }] }],
    modifierGroups: [{ id: 'g', modifiers: [{ id: 'i', available: true }] }],
  });
  /** A server that answers availability requests with `states` in turn, then with 304. */
  function server(states: { revision: number; stopped: number[]; status?: number }[]) {
    const asked: string[] = [];
    let at = -1;
    const answer = (url: URL, init: RequestInit) => {
      asked.push(url.pathname);
      const headers = init.headers as Record<string, string>;
      if (url.pathname.endsWith('/availability')) at += 1;
      const { revision, stopped, status = 200 } = states[Math.min(at, states.length - 1)]!;
      if (status !== 200) return new Response('', { status, headers: { 'Retry-After': '0' } });
      const etag = `"${url.pathname}-${revision}-${stopped.length}"`;
      if (headers['If-None-Match'] === etag)
        return new Response(null, { status: 304, headers: { ETag: etag } });
      const body = url.pathname.endsWith('/menu')
        ? buildMenu(revision, stopped.length === 0)
        : {
            revision,
            unavailableVariantIds: stopped,
            unavailableItemIds: stopped.length > 0 ? ['i'] : [],
          };
      return Response.json(body, { headers: { ETag: etag } });
    };
    return { asked, answer };
  }
  const summary = (menu: Menu) => [
    menu.revision,
    menu.products[0]!.variants[0]!.available,
    menu.modifierGroups[0]!.modifiers[0]!.available,
  ];

  test('arrives immediately and after each change, but not without a change', async () => {
    const { asked, answer } = server([
      { revision: 1, stopped: [] },
      { revision: 1, stopped: [] },
      { revision: 1, stopped: [10] },
      { revision: 1, stopped: [] },
      { revision: 2, stopped: [10] },
    ]);
    const seen: unknown[] = [];
    for await (const menu of watchMenu(api(answer), 'o', { intervalMs: 1 })) {
      seen.push(summary(menu));
      if (seen.length === 4) break;
    }

    expect(seen).toEqual([
      [1, true, true],
      [1, false, false],
      [1, true, true],
      [2, false, false],
    ]);
    expect(asked.filter((path) => path.endsWith('/menu'))).toHaveLength(2);
  });

  test('arrives again after failures, which are reported', async () => {
    const { answer } = server([
      { revision: 1, stopped: [], status: 503 },
      { revision: 1, stopped: [], status: 429 },
      { revision: 1, stopped: [] },
    ]);
    const failures: unknown[] = [];
    for await (const menu of watchMenu(api(answer), 'o', {
      intervalMs: 1,
      onFailure: (e) => failures.push(e),
    })) {
      expect(menu.revision).toBe(1);
      break;
    }

    expect(failures).toHaveLength(2);
  });

  test('reads again if the menu could not be read after its availability', async () => {
    let menus = 0;
    const { answer } = server([{ revision: 1, stopped: [10] }]);
    const flaky = (url: URL, init: RequestInit) =>
      url.pathname.endsWith('/menu') && (menus += 1) === 1
        ? new Response('', { status: 500, headers: { 'Retry-After': '0' } })
        : answer(url, init);
    for await (const menu of watchMenu(api(flaky), 'o', { intervalMs: 1 })) {
      expect(summary(menu)).toEqual([1, false, false]);
      break;
    }

    expect(menus).toBe(2);
  });

  test('fails for an unknown restaurant', async () => {
    const unknown = watchMenu(
      api(() => new Response('', { status: 404 })),
      'o',
    );

    await expect(unknown.next()).rejects.toMatchObject({ status: 404 });
  });

  test('ends without an error when it is aborted, even while it waits', async () => {
    const { answer } = server([{ revision: 1, stopped: [] }]);
    const abort = new AbortController();
    let count = 0;
    for await (const _ of watchMenu(api(answer), 'o', {
      intervalMs: 60_000,
      signal: abort.signal,
    })) {
      count += 1;
      setTimeout(() => abort.abort(), 5);
    }

    expect(count).toBe(1);
  });

  test('ignores lists of sold-out dishes that are older than the menu', () => {
    const menu = buildMenu(5) as unknown as Menu;
    const lists = { unavailableVariantIds: [10], unavailableItemIds: [] };

    expect(withAvailability(menu, { revision: 4, ...lists })).toBe(menu);
    expect(
      withAvailability(menu, { revision: 5, ...lists }).products[0]!.variants[0]!.available,
    ).toBe(false);
  });

  test('sells a dish again, which was stopped when it was read, when the lists omit it', () => {
    const menu = buildMenu(5, false) as unknown as Menu;
    const lists = { unavailableVariantIds: [], unavailableItemIds: [] };
    const summaryAt = (revision: number) => summary(withAvailability(menu, { revision, ...lists }));

    expect(summaryAt(5)).toEqual([5, true, true]);
    expect(summaryAt(6)).toEqual([5, false, true]);
  });

  test('reads again until a cache no longer answers with the former menu', async () => {
    let menus = 0;
    const { answer } = server([{ revision: 7, stopped: [10] }]);
    const cached = (url: URL, init: RequestInit) =>
      url.pathname.endsWith('/menu') && (menus += 1) < 3
        ? Response.json(buildMenu(6), { headers: { ETag: '"6"' } })
        : answer(url, init);
    const seen: number[] = [];
    for await (const menu of watchMenu(api(cached), 'o', { intervalMs: 1 })) {
      seen.push(menu.revision);
      if (menu.revision === 7) break;
    }

    expect(seen).toEqual([6, 6, 7]);
  });
});

test('[HTTP-50] a watched order is returned once for each change, until it ends', async () => {
  const statuses = ['ACCEPTED', 'ACCEPTED', 'CONFIRMED', 'CLOSED', 'CLOSED'];
  let at = 0;
  const seen: string[] = [];
  const orders = api(() => Response.json({ orderId: 'o', status: statuses[at++] }));
  for await (const order of watchOrder(orders, 'o', { intervalMs: 1 })) seen.push(order.status);

  expect(seen).toEqual(['ACCEPTED', 'CONFIRMED', 'CLOSED']);
});

describe('[HTTP-51] a session of staff', () => {
  test('replaces an expired token once for all calls that fail together', async () => {
    let [valid, refreshes] = ['t0', 0];
    const session = staffSession({
      baseUrl: 'http://shop.test',
      fetch: (async (url: string, { headers }: RequestInit) => {
        await Promise.resolve();
        if (url.endsWith('/auth/login'))
          return Response.json({ accessToken: valid, expiresIn: 900 });
        if (url.endsWith('/auth/refresh')) {
          valid = `t${(refreshes += 1)}`;
          return Response.json({ accessToken: valid, expiresIn: 900 });
        }
        const sent = (headers as Record<string, string>)['Authorization'];
        return sent === `Bearer ${valid}`
          ? Response.json({ email: 'a@b.c' })
          : new Response('', { status: 401 });
      }) as typeof fetch,
    });
    await session.signIn({ email: 'a@b.c', password: 'x' });
    valid = 'another';
    const answers = await Promise.all(Array.from({ length: 5 }, () => session.api.me()));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(refreshes).toBe(1);
  });

  test('begins with the cookie of the browser after a reload', async () => {
    const paths: string[] = [];
    const session = staffSession({
      baseUrl: 'http://shop.test',
      fetch: ((url: string) => {
        paths.push(new URL(url).pathname.replace('/api/admin/v1', ''));
        return Promise.resolve(Response.json({ accessToken: 't', expiresIn: 900 }));
      }) as typeof fetch,
    });
    await session.api.me();

    expect(paths).toEqual(['/auth/refresh', '/me']);
  });
});

describe('[HTTP-53] the iteration over a list', () => {
  const readAll = async (answer: (start: PageStart) => object) => {
    const starts: PageStart[] = [];
    const items: number[] = [];
    const read = (start: PageStart) => {
      starts.push(start);
      return Promise.resolve({ status: 200, data: answer(start), etag: null } as never);
    };
    for await (const item of itemsOf<number>(read, 2)) items.push(item);
    return { starts, items };
  };

  test('reads page by page', async () => {
    const { starts, items } = await readAll(({ page = 1 }) => ({
      items: [1, 2, 3, 4, 5].slice((page - 1) * 2, page * 2),
      total: 5,
    }));

    expect(items).toEqual([1, 2, 3, 4, 5]);
    expect(starts).toEqual([{ size: 2 }, { size: 2, page: 2 }, { size: 2, page: 3 }]);
  });

  test('continues after the cursor of the previous page if the list has one, for any total', async () => {
    const pages = new Map<string | undefined, object>([
      [undefined, { items: [1, 2], next: 'b', total: 2 }],
      ['b', { items: [3], next: null, total: 1_000 }],
    ]);
    const { starts, items } = await readAll(({ after }) => pages.get(after)!);

    expect(items).toEqual([1, 2, 3]);
    expect(starts).toEqual([{ size: 2 }, { size: 2, after: 'b' }]);
  });
});

test.each([
  ['/media/a.webp', '/media/a.webp 1x, /media/b.webp 2x', 'https://api.test/media/a.webp'],
  [
    'https://cdn.test/media/a.webp',
    'https://cdn.test/media/a.webp 1x',
    'https://cdn.test/media/a.webp',
  ],
])('[HTTP-54] the picture %s has absolute URLs for its element', (url, srcset, src) => {
  const attributes = imageAttributes({ id: 1, url, srcset }, 'https://api.test');

  expect(attributes.src).toBe(src);
  expect(attributes.srcSet.split(', ').every((entry) => /^https:\/\/\S+ \dx$/.test(entry))).toBe(
    true,
  );
});

describe('the attributes of a picture', () => {
  const image = {
    id: 1,
    url: '/media/a/c.webp',
    srcset: '/media/a/c.webp 1x, /media/a/c2.webp 2x',
    width: 400,
    height: 300,
  };
  const options = { alt: 'Borscht' };

  test('[HTTP-39] contain absolute URLs with widths, and the size of the picture', () => {
    expect(pictureAttributes(image, 'https://api.test', options)).toEqual({
      sources: [],
      img: {
        src: 'https://api.test/media/a/c.webp',
        srcSet: 'https://api.test/media/a/c.webp 400w, https://api.test/media/a/c2.webp 800w',
        sizes: '400px',
        width: 400,
        height: 300,
        alt: 'Borscht',
      },
    });
  });

  test('[HTTP-39] contain AVIF as a separate source, at the base of a CDN', () => {
    const srcset = image.srcset.replaceAll('/media', 'https://cdn.test/x/media');
    const { sources } = pictureAttributes(
      { ...image, srcset, avif: true },
      'https://api.test',
      options,
    );

    expect(sources).toEqual([
      {
        type: 'image/avif',
        srcSet: 'https://cdn.test/x/media/a/c.avif 400w, https://cdn.test/x/media/a/c2.avif 800w',
        sizes: '400px',
      },
    ]);
  });

  test('[HTTP-39] follow the layout: width, proportional height and sizes', () => {
    const of = (more: object) =>
      pictureAttributes(image, 'https://api.test', { ...options, ...more }).img;

    expect(of({ width: 160 })).toMatchObject({ width: 160, height: 120, sizes: '160px' });
    expect(of({ sizes: '50vw' })).toMatchObject({ width: 400, height: 300, sizes: '50vw' });
  });

  test('[HTTP-39] prefer the text of staff, and a decorative picture has an empty one', () => {
    const buildAlt = (more: object, alt: string) =>
      pictureAttributes({ ...image, ...more }, 'https://api.test', { alt }).img.alt;

    expect([
      buildAlt({ alt: 'In a clay bowl' }, 'Borscht'),
      buildAlt({}, 'Borscht'),
      buildAlt({}, ''),
    ]).toEqual(['In a clay bowl', 'Borscht', '']);
  });

  test('[HTTP-39] contain density descriptors and no sizes without the size of the image', () => {
    const { id, url, srcset } = image;

    expect(
      pictureAttributes({ id, url, srcset }, 'https://api.test', { alt: '', width: 160 }).img,
    ).toEqual({
      src: 'https://api.test/media/a/c.webp',
      srcSet: 'https://api.test/media/a/c.webp 1x, https://api.test/media/a/c2.webp 2x',
      alt: '',
    });
  });
});
