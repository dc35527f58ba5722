import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findImageReference, imageReference } from '../../../modules/media/rules/image-reference.ts';
import { planRenditions } from '../../../modules/media/rules/rendition-plan.ts';

const CENTRE = { x: 0.5, y: 0.5 };
const sizes = (width: number, height: number) =>
  planRenditions({ width, height }, CENTRE).map((each) => `${each.name}@${each.density} ${each.width}x${each.height}`);

describe('the renditions of a picture', () => {
  test('a large one has every density', () => {
    expect(sizes(6000, 4000)).toEqual([
      'card@1 400x400',
      'card@2 800x800',
      'card@3 1200x1200',
      'thumb@1 96x96',
      'thumb@2 192x192',
      'full@1 1600x1067',
    ]);
  });

  test('a small one is never enlarged', () => {
    expect(sizes(900, 500)).toEqual(['card@1 400x400', 'thumb@1 96x96', 'thumb@2 192x192', 'full@1 900x500']);
    expect(sizes(50, 20)).toEqual(['card@1 20x20', 'thumb@1 20x20', 'full@1 50x20']);
  });

  test('one that fills a density exactly has it', () => {
    expect(sizes(800, 800)).toContain('card@2 800x800');
  });

  test('the crop follows the focal point as far as the edges allow', () => {
    const card = (focal: { x: number; y: number }) => planRenditions({ width: 1000, height: 400 }, focal)[0]?.area;
    expect(card(CENTRE)).toEqual({ left: 300, top: 0, width: 400, height: 400 });
    expect(card({ x: 0, y: 0.5 })).toEqual({ left: 0, top: 0, width: 400, height: 400 });
    expect(card({ x: 1, y: 0.5 })).toEqual({ left: 600, top: 0, width: 400, height: 400 });
    expect(card({ x: 0.4, y: 0.5 })).toEqual({ left: 200, top: 0, width: 400, height: 400 });
  });

  test('every crop lies inside the picture and is scaled down or kept', () => {
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

test('[MED-4] a picture is referred to by its card, with all densities of one format', () => {
  const file = (density: number, format: string) => ({ name: 'card', density, format, url: `/${density}.${format}` });
  const others = ['banner', 'thumb'].map((name) => ({ ...file(1, 'webp'), name }));
  const renditions = [file(2, 'webp'), file(1, 'jpeg'), file(1, 'webp'), ...others];
  expect(imageReference({ id: 9, renditions })).toEqual({ id: 9, url: '/1.webp', srcset: '/1.webp 1x, /2.webp 2x' });
});

test('a picture is shown for a use by that rendition, else by the first one that there is, else not at all', () => {
  const file = (name: string, more: object = {}) => ({ name, density: 1, format: 'webp', url: `/${name}`, ...more });
  const urlOf = (use: 'card' | 'thumb', ...renditions: ReturnType<typeof file>[]) =>
    findImageReference({ id: 9, renditions }, use)?.srcset;

  expect(urlOf('thumb', file('card'), file('thumb'))).toBe('/thumb 1x');
  expect(urlOf('card', file('card'), file('thumb'))).toBe('/card 1x');
  expect(urlOf('card', file('full'), file('thumb'))).toBe('/full 1x');
  expect(urlOf('card', file('card', { format: 'jpeg' }))).toBe('/card 1x');
  // Nobody sees more than twice the density, and a format that is not known is not shown.
  expect(
    urlOf('card', file('card'), file('card', { density: 2, url: '/2' }), file('card', { density: 3, url: '/3' })),
  ).toBe('/card 1x, /2 2x');
  expect([urlOf('card', file('card', { format: 'gif' })), urlOf('card')]).toEqual([undefined, undefined]);
  expect(() => imageReference({ id: 9, renditions: [] })).toThrow('Media 9');
});
