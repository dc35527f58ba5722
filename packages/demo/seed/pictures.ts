import sharp from 'sharp';
import type { Theme } from './catalogue.ts';

const SIDE = 1200;

/**
 * Background from top to bottom, plate or table color, and the dish itself, drawn on a field of
 * 1200 × 1200.
 */
type Drawing = { sky: readonly [string, string]; dish: string };

const circle = (x: number, y: number, r: number, fill: string, more = '') =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}" ${more}/>`;
const box = (x: number, y: number, width: number, height: number, radius: number, fill: string) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}"/>`;
const plate = circle(600, 600, 430, '#ffffff') + circle(600, 600, 350, '#f1ede6');
const ring = (count: number, radius: number, draw: (x: number, y: number, index: number) => string) =>
  Array.from({ length: count }, (_, index) => {
    const angle = (index / count) * 2 * Math.PI;
    return draw(Math.round(600 + radius * Math.cos(angle)), Math.round(600 + radius * Math.sin(angle)), index);
  }).join('');

const cup = (drink: string) =>
  box(390, 380, 420, 470, 60, '#ffffff') +
  `<ellipse cx="600" cy="400" rx="190" ry="46" fill="${drink}"/>` +
  '<path d="M810 480 q150 20 110 160 q-30 110 -130 90" fill="none" stroke="#ffffff" stroke-width="44"/>';

const DRAWINGS: Readonly<Record<Theme, Drawing>> = {
  pizza: {
    sky: ['#f6b352', '#d9482b'],
    dish:
      circle(600, 600, 420, '#c9822f') +
      circle(600, 600, 370, '#f7d070') +
      ring(7, 230, (x, y) => circle(x, y, 58, '#b83227')) +
      ring(8, 130, (x, y) => circle(x, y, 22, '#3d7a3a')) +
      circle(600, 600, 58, '#b83227'),
  },
  rolls: {
    sky: ['#7fc8a9', '#1f5f5b'],
    dish:
      plate +
      ring(6, 220, (x, y) => circle(x, y, 98, '#20302b') + circle(x, y, 80, '#ffffff') + circle(x, y, 38, '#f08a5d')) +
      circle(600, 600, 70, '#f4a6b7'),
  },
  burger: {
    sky: ['#ffd37e', '#c86b2a'],
    dish:
      '<path d="M270 520 q330 -330 660 0 z" fill="#c9822f"/>' +
      box(260, 530, 680, 60, 30, '#5fa052') +
      box(250, 600, 700, 90, 40, '#6b3a22') +
      box(260, 700, 680, 45, 20, '#f7c948') +
      box(270, 755, 660, 130, 60, '#c9822f'),
  },
  wok: {
    sky: ['#f2a365', '#8c2f39'],
    dish:
      plate +
      ring(9, 170, (x, y) => circle(x, y, 110, 'none', 'stroke="#e8b04b" stroke-width="26"')) +
      ring(5, 150, (x, y) => circle(x, y, 40, '#4f8a4b')),
  },
  salad: {
    sky: ['#cfe8a9', '#4c8c4a'],
    dish:
      plate +
      ring(9, 200, (x, y, index) => circle(x, y, 90, index % 2 === 0 ? '#7fb069' : '#4f8a4b')) +
      ring(5, 140, (x, y) => circle(x, y, 48, '#d7263d')) +
      circle(600, 600, 70, '#f3e9c9'),
  },
  soup: {
    sky: ['#f7c59f', '#a63d40'],
    dish:
      circle(600, 600, 430, '#ffffff') +
      circle(600, 600, 350, '#b3312c') +
      ring(6, 190, (x, y) => circle(x, y, 34, '#5fa052')) +
      circle(620, 580, 90, '#fdf6e3'),
  },
  grill: {
    sky: ['#b08968', '#3e2723'],
    dish:
      plate +
      [430, 560, 690]
        .map(
          (y) =>
            box(330, y, 540, 26, 12, '#8d6e63') +
            [400, 540, 680].map((x) => box(x, y - 42, 110, 110, 30, '#7a3b1d')).join(''),
        )
        .join(''),
  },
  breakfast: {
    sky: ['#ffe9a8', '#e08e45'],
    dish:
      plate +
      circle(560, 570, 210, '#ffffff') +
      circle(570, 560, 92, '#f6a821') +
      box(700, 690, 180, 60, 30, '#b5482f'),
  },
  dessert: {
    sky: ['#f8c8dc', '#8e4162'],
    dish:
      plate +
      '<path d="M380 720 L600 360 L820 720 z" fill="#fbe3c0"/><path d="M415 660 L785 660 L750 600 L450 600 z" fill="#c2577a"/>' +
      circle(600, 350, 48, '#c1121f'),
  },
  bakery: {
    sky: ['#f5deb3', '#9c6b30'],
    dish:
      plate +
      '<path d="M320 700 q60 -330 280 -330 q220 0 280 330 q-110 -120 -280 -120 q-170 0 -280 120 z" fill="#d08c34"/>' +
      '<path d="M470 430 l40 150 M600 400 l0 160 M730 430 l-40 150" stroke="#a8641b" stroke-width="22"/>',
  },
  coffee: { sky: ['#d7b899', '#4e342e'], dish: cup('#4b2e20') },
  lemonade: {
    sky: ['#fff3a3', '#4aa3a2'],
    dish:
      '<path d="M420 300 L780 300 L730 900 L470 900 z" fill="#ffffff" fill-opacity="0.9"/>' +
      '<path d="M436 430 L764 430 L728 880 L472 880 z" fill="#f9d648"/>' +
      circle(740, 330, 110, '#f6c90e') +
      circle(740, 330, 82, '#fdf3b0') +
      box(560, 170, 28, 500, 14, '#d7263d'),
  },
};

/** Every theme that has a picture. */
export const THEMES = Object.keys(DRAWINGS) as Theme[];

/**
 * The picture of a theme as a jpeg with sides of so many pixels; the same bytes each time on one
 * version of the encoder.
 */
export async function drawPicture(theme: Theme, side = SIDE): Promise<Buffer> {
  const { sky, dish } = DRAWINGS[theme];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 1200 1200">
    <defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${sky[0]}"/><stop offset="1" stop-color="${sky[1]}"/></linearGradient></defs>
    <rect width="1200" height="1200" fill="url(#sky)"/><ellipse cx="600" cy="960" rx="430" ry="60" fill="#000000" fill-opacity="0.15"/>${dish}</svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 86 }).toBuffer();
}
