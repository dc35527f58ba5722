import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  findImageReference,
  imageReference,
} from '../../../modules/media/rules/image-reference.ts';
import { planRenditions } from '../../../modules/media/rules/rendition-plan.ts';

const CENTRE = { x: 0.5, y: 0.5 };
const toSize = (density: number) => ({ width: 400 * density, height: 400 * density });
const sizes = (width: number, height: number) =>
  planRenditions({ width, height }, CENTRE).map(
    (rendition) => `${rendition.name}@${rendition.density} ${rendition.width}x${rendition.height}`,
  );

describe('the renditions of a picture', () => {
  test('include every density for a large one', () => {
    expect(sizes(6000, 4000)).toEqual([
      'card@1 400x400',
      'card@2 800x800',
      'card@3 1200x1200',
      'thumb@1 96x96',
      'thumb@2 192x192',
      'full@1 1600x1067',
    ]);
  });

  test('never enlarge a small one', () => {
    expect(sizes(900, 500)).toEqual([
      'card@1 400x400',
      'thumb@1 96x96',
      'thumb@2 192x192',
      'full@1 900x500',
    ]);
    expect(sizes(50, 20)).toEqual(['card@1 20x20', 'thumb@1 20x20', 'full@1 50x20']);
  });

  test('include a density that the picture has exactly', () => {
    expect(sizes(800, 800)).toContain('card@2 800x800');
  });

  test('follow the focal point with the crop as far as the edges allow', () => {
    const card = (focal: { x: number; y: number }) =>
      planRenditions({ width: 1000, height: 400 }, focal)[0]?.area;
    expect(card(CENTRE)).toEqual({ left: 300, top: 0, width: 400, height: 400 });
    expect(card({ x: 0, y: 0.5 })).toEqual({ left: 0, top: 0, width: 400, height: 400 });
    expect(card({ x: 1, y: 0.5 })).toEqual({ left: 600, top: 0, width: 400, height: 400 });
    expect(card({ x: 0.4, y: 0.5 })).toEqual({ left: 200, top: 0, width: 400, height: 400 });
  });

  test('lie inside the picture and are scaled down or kept', () => {
    const side = fc.integer({ min: 1, max: 20_000 });
    const part = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(side, side, part, part, (width, height, x, y) => {
        for (const { area, ...picture } of planRenditions({ width, height }, { x, y })) {
          expect(area.left).toBeGreaterThanOrEqual(0);
          expect(area.top).toBeGreaterThanOrEqual(0);
          expect(area.left + area.width).toBeLessThanOrEqual(width);
          expect(area.top + area.height).toBeLessThanOrEqual(height);
          expect(picture.width).toBeLessThanOrEqual(area.width);
          expect(picture.height).toBeLessThanOrEqual(area.height);
        }
      }),
      { seed: 11, numRuns: 300 },
    );
  });
});

test('[MED-4] a reference contains the card of a picture, with all densities of one format', () => {
  const file = (density: number, format: string) => ({
    ...toSize(density),
    name: 'card',
    density,
    format,
    url: `/${density}.${format}`,
  });
  const others = ['banner', 'thumb'].map((name) => ({ ...file(1, 'webp'), name }));
  const renditions = [file(2, 'webp'), file(1, 'jpeg'), file(1, 'webp'), ...others];
  expect(imageReference({ id: 9, renditions })).toEqual({
    id: 9,
    url: '/1.webp',
    srcset: '/1.webp 1x, /2.webp 2x',
    ...toSize(1),
  });
});

test('a reference contains the requested rendition, or the first existing one', () => {
  const file = (name: string, more: object = {}) => ({
    ...toSize(1),
    name,
    density: 1,
    format: 'webp',
    url: `/${name}`,
    ...more,
  });
  const findUrl = (use: 'card' | 'thumb', ...renditions: ReturnType<typeof file>[]) =>
    findImageReference({ id: 9, renditions }, use)?.srcset;

  expect(findUrl('thumb', file('card'), file('thumb'))).toBe('/thumb 1x');
  expect(findUrl('card', file('card'), file('thumb'))).toBe('/card 1x');
  expect(findUrl('card', file('full'), file('thumb'))).toBe('/full 1x');
  expect(findUrl('card', file('card', { format: 'jpeg' }))).toBe('/card 1x');
  // More than twice the density is invisible, and an unknown format is not shown.
  expect(
    findUrl(
      'card',
      file('card'),
      file('card', { density: 2, url: '/2' }),
      file('card', { density: 3, url: '/3' }),
    ),
  ).toBe('/card 1x, /2 2x');
  expect([findUrl('card', file('card', { format: 'gif' })), findUrl('card')]).toEqual([
    undefined,
    undefined,
  ]);
  expect(() => imageReference({ id: 9, renditions: [] })).toThrow('Media 9');
});

describe('an image reference for clients', () => {
  const centered = (width: number, height: number) =>
    planRenditions({ width, height }, CENTRE).flatMap(({ formats, ...image }) =>
      formats.map((format) => ({
        ...image,
        format,
        url: `/${image.name}${image.density}.${format}`,
      })),
    );

  test('[MED-12] needs the size of `url` times the density', () => {
    const side = fc.integer({ min: 1, max: 5_000 });
    fc.assert(
      fc.property(
        side,
        side,
        fc.constantFrom('card' as const, 'thumb' as const),
        (width, height, use) => {
          const renditions = centered(width, height);
          const reference = findImageReference({ id: 9, renditions }, use)!;
          for (const [url, density] of reference.srcset
            .split(', ')
            .map((entry) => entry.split(' '))) {
            const { width: fileWidth, height: fileHeight } = renditions.find(
              (file) => file.url === url,
            )!;
            const factor = Number.parseInt(density!, 10);
            expect([fileWidth, fileHeight]).toEqual([
              reference.width! * factor,
              reference.height! * factor,
            ]);
          }
        },
      ),
      { seed: 12, numRuns: 300 },
    );
  });

  test('[MED-13] contains `avif` if every URL exists as AVIF, which only files in references have', () => {
    const renditions = centered(6000, 4000);
    const reference = imageReference({ id: 9, renditions });
    const urls = reference.srcset.split(', ').map((entry) => entry.split(' ')[0]!);

    expect(reference.avif).toBe(true);
    expect(urls.map((url) => url.replace(/webp$/, 'avif'))).toEqual(['/card1.avif', '/card2.avif']);
    expect(renditions.filter(({ format }) => format === 'avif').map(({ url }) => url)).toEqual([
      '/card1.avif',
      '/card2.avif',
      '/thumb1.avif',
      '/thumb2.avif',
    ]);
  });

  test('[MED-15] contains no `avif` for an image with a missing AVIF file', () => {
    const some = centered(6000, 4000).filter(({ url }) => url !== '/card2.avif');
    const none = some.filter(({ format }) => format !== 'avif');

    for (const renditions of [some, none])
      expect(imageReference({ id: 9, renditions })).not.toHaveProperty('avif');
    expect(imageReference({ id: 9, renditions: none }).url).toBe('/card1.webp');
  });

  test('[MED-14] contains `alt` only if staff have set a text', () => {
    const renditions = centered(800, 800);

    expect(imageReference({ id: 9, renditions, alt: 'Borscht in a clay bowl' }).alt).toBe(
      'Borscht in a clay bowl',
    );
    for (const alt of [null, ''])
      expect(imageReference({ id: 9, renditions, alt })).not.toHaveProperty('alt');
  });
});

test('[MED-11] every URL of a reference begins with the base, even one with a path', () => {
  const url = '/media/11bfc848d50bc665da0d7ae9/card.webp';
  const renditions = [{ ...toSize(1), name: 'card', density: 1, format: 'webp', url }];
  const baseUrl = 'https://cdn.example/shop';

  expect(imageReference({ id: 9, renditions, baseUrl })).toMatchObject({
    url: 'https://cdn.example/shop/media/Eb_ISNULxmXaDXrp/c.webp',
    srcset: 'https://cdn.example/shop/media/Eb_ISNULxmXaDXrp/c.webp 1x',
  });
  expect(imageReference({ id: 9, renditions, baseUrl: null }).url).toBe(
    '/media/Eb_ISNULxmXaDXrp/c.webp',
  );
});
