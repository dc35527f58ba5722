import sharp from 'sharp';
import type { Portrait } from './portraits.ts';
import { SHAPES } from './drawings.ts';

/** Side in pixels. */
const SIDE = 640;

/** Colors of backgrounds at the top and at the bottom. */
const SKIES = [
  ['#f7e3c4', '#d9a066'],
  ['#dfe9d2', '#86a17c'],
  ['#f3d8d0', '#b9776a'],
  ['#dbe6ee', '#7f9bb3'],
  ['#efe2f0', '#a58bb0'],
  ['#f4ecd0', '#bfae72'],
  ['#d8ece8', '#6fa39b'],
] as const;

/** Returns a JPEG with the same bytes each time, as long as the encoder's version stays. */
export async function drawPicture({ shape, colors, look }: Portrait, side = SIDE): Promise<Buffer> {
  const [top, bottom] = SKIES[look % SKIES.length]!;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 1200 1200">
    <defs><linearGradient id="sky" x1="0" y1="0" x2="${(look % 11) / 10}" y2="1"><stop offset="0" stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient></defs>
    <rect width="1200" height="1200" fill="url(#sky)"/><ellipse cx="600" cy="985" rx="430" ry="60" fill="#000000" fill-opacity="0.15"/>${SHAPES[shape]({ colors, turn: (look % 29) * 0.22 })}</svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 86 }).toBuffer();
}
