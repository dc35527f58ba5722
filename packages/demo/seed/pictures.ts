import sharp from 'sharp';
import type { Theme } from './catalogue.ts';
import { DRAWINGS, lookOf } from './drawings.ts';

/** Sides of a picture in pixels: twice those of a card. */
const SIDE = 800;
/**
 * Looks of a theme. A category shows up to nine dishes; more looks would make the first start
 * longer, by 0.2 s each.
 */
export const LOOKS = 6;

/** Every theme that has pictures. */
export const THEMES = Object.keys(DRAWINGS) as Theme[];

/**
 * The picture of a theme in one of its looks, as a jpeg; the same bytes each time on one version of
 * the encoder.
 */
export async function drawPicture(theme: Theme, number = 0, side = SIDE): Promise<Buffer> {
  const { sky, dish } = DRAWINGS[theme];
  const look = lookOf(number);
  const [top, bottom] = [look.of(sky), look.of(sky, 1)];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 1200 1200">
    <defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient></defs>
    <rect width="1200" height="1200" fill="url(#sky)"/><ellipse cx="600" cy="960" rx="430" ry="60" fill="#000000" fill-opacity="0.15"/>${dish(look)}</svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 86 }).toBuffer();
}
