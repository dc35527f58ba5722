import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { drawPicture, LOOKS, THEMES } from '../../../packages/demo/seed/pictures.ts';

const SIDE = 60;
const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe('pictures of the demo', () => {
  test('differ between all kinds of dishes and all their looks', async () => {
    const looks = THEMES.flatMap((theme) => Array.from({ length: LOOKS }, (_, look) => ({ theme, look })));
    const pictures = await Promise.all(looks.map(({ theme, look }) => drawPicture(theme, look, SIDE)));

    expect(new Set(pictures.map(digest)).size).toBe(THEMES.length * LOOKS);
  });

  test('are the same bytes each time', async () => {
    const [first, second] = [await drawPicture('pizza', 3, SIDE), await drawPicture('pizza', 3, SIDE)];

    expect(digest(first)).toBe(digest(second));
  });
});
