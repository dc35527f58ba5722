import type { Theme } from './catalogue.ts';

// Dishes as SVG on a field of 1,200 × 1,200. A look varies colors, garnish, number and position of
// the parts.

/** A look of a theme: chooses from lists so that looks in a row differ. */
export type Look = {
  /** An entry of the list. Lists whose lengths have no common divisor combine. */
  of: <T>(list: readonly [T, ...T[]], shift?: number) => T;
  /** Radians by which rings are turned. */
  turn: number;
};

export const lookOf = (number: number): Look => ({
  of: (list, shift = 0) => list[(number + shift) % list.length]!,
  turn: number * 0.7,
});

type Drawing = { sky: readonly [string, string, ...string[]]; dish: (look: Look) => string };

const GREENS = ['#3d7a3a', '#6fa35a', '#4f8a4b', '#86a83b'] as const;

const circle = (x: number, y: number, r: number, fill: string, more = '') =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}" ${more}/>`;
const oval = (x: number, y: number, rx: number, ry: number, fill: string) =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}"/>`;
const box = (x: number, y: number, width: number, height: number, radius: number, fill: string) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}"/>`;
const shape = (d: string, fill: string) => `<path d="${d}" fill="${fill}"/>`;
const line = (d: string, stroke: string, width: number) =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round"/>`;
const turned = (degrees: number, content: string) => `<g transform="rotate(${degrees} 600 600)">${content}</g>`;
const plate = circle(600, 600, 430, '#ffffff') + circle(600, 600, 350, '#f1ede6');
const bowl = (content: string) => circle(600, 600, 430, '#ffffff') + circle(600, 600, 350, content);

const ring = (count: number, radius: number, turn: number, draw: (x: number, y: number, index: number) => string) =>
  Array.from({ length: count }, (_, index) => {
    const angle = turn + (index / count) * 2 * Math.PI;
    return draw(Math.round(600 + radius * Math.cos(angle)), Math.round(600 + radius * Math.sin(angle)), index);
  }).join('');

const cup = (drink: string, body: string) =>
  box(390, 380, 420, 470, 60, body) +
  oval(600, 400, 190, 46, drink) +
  line('M810 480 q150 20 110 160 q-30 110 -130 90', body, 44);

const glass = (drink: string) =>
  '<path d="M420 300 L780 300 L730 900 L470 900 z" fill="#ffffff" fill-opacity="0.9"/>' +
  shape('M436 430 L764 430 L728 880 L472 880 z', drink);

export const DRAWINGS: Readonly<Record<Theme, Drawing>> = {
  pizza: {
    sky: ['#f6b352', '#d9482b', '#8aa17c', '#c9603d'],
    dish: ({ of, turn }) =>
      circle(600, 600, 420, of(['#c9822f', '#b8702a', '#d79a4b'])) +
      circle(600, 600, 370, of(['#f7d070', '#f2b84b', '#fbe9c0', '#d9532f'])) +
      ring(of([5, 7, 6, 8, 9]), 230, turn, (x, y) =>
        circle(x, y, 58, of(['#b83227', '#e5c9a0', '#e58a8a', '#c2412d', '#f3e9d2'])),
      ) +
      ring(of([8, 6, 5]), 130, turn, (x, y) => circle(x, y, 24, of(['#3d7a3a', '#2b2b2b', '#f6c90e', '#8a4b8f']))) +
      circle(600, 600, 50, of(GREENS)),
  },
  rolls: {
    sky: ['#7fc8a9', '#1f5f5b', '#e7c9a9', '#456990'],
    dish: ({ of, turn }) =>
      plate +
      ring(of([6, 5, 7, 8]), 225, turn, (x, y) =>
        [
          circle(x, y, 92, of(['#20302b', '#e8632c', '#f3dfb0', '#6fa35a', '#e9a06b'])),
          circle(x, y, 74, '#ffffff'),
          circle(x, y, 36, of(['#f08a5d', '#c8324a', '#9bb954'])),
        ].join(''),
      ) +
      circle(600, 600, 70, of(['#f4a6b7', '#9bc46a'])),
  },
  sushi: {
    sky: ['#a8c5da', '#2f4b66', '#f0d9b5', '#7a4b4b'],
    dish: ({ of, turn }) =>
      plate +
      turned(
        turn * 20,
        of<readonly number[]>([
          [400, 520, 640],
          [430, 590],
          [390, 490, 590, 690],
        ])
          .map(
            (y) =>
              box(370, y, 460, 78, 38, '#ffffff') +
              box(350, y - 34, 500, 70, 35, of(['#f08a5d', '#c8324a', '#f7c9b0', '#e8a33d', '#b4543a'], y)) +
              box(570, y - 36, 60, 118, 8, of(['#20302b', '#6fa35a', '#20302b'])),
          )
          .join(''),
      ) +
      circle(600, 880, 46, of(['#9bc46a', '#f4a6b7'])),
  },
  burger: {
    sky: ['#ffd37e', '#c86b2a', '#9cc0a4', '#7b3f2a'],
    dish: ({ of }) =>
      shape('M270 500 q330 -330 660 0 z', of(['#c9822f', '#8d5524', '#dba657', '#3b2f2f'])) +
      [420, 540, 660, 770].map((x, at) => oval(x, 410 - (at % 2) * 40, 16, 9, '#fbe9c0')).join('') +
      box(260, 510, 680, 55, 28, of(GREENS)) +
      box(250, 575, 700, 85, 40, of(['#6b3a22', '#c98a3b', '#5a2f1c', '#e0b46a', '#7a4428'])) +
      box(260, 668, 680, 40, 20, of(['#f7c948', '#d7263d', '#fbe9c0'])) +
      (of([true, false]) ? box(250, 714, 700, 75, 38, of(['#6b3a22', '#c98a3b', '#5a2f1c'])) : '') +
      box(270, of([797, 716]), 660, 120, 60, of(['#c9822f', '#8d5524', '#dba657', '#3b2f2f'])),
  },
  wrap: {
    sky: ['#e9d8a6', '#94a14e', '#f2b5a0', '#5f4b32'],
    dish: ({ of, turn }) =>
      plate +
      turned(
        20 + turn * 12,
        box(260, 480, 640, 240, 110, of(['#e8c98f', '#d9b06a', '#c7d08a'])) +
          [340, 450, 560].map((x) => line(`M${x} 490 q40 110 0 220`, '#c79a58', 12)).join('') +
          oval(860, 600, 70, 116, of(['#7a4428', '#e0b46a', '#b4543a', '#6fa35a'])) +
          circle(860, 550, 34, of(GREENS)) +
          circle(850, 620, 32, of(['#d7263d', '#f6c90e', '#fbe9c0', '#8a4b8f', '#d7263d'])) +
          circle(874, 672, 24, '#fdf6e3'),
      ),
  },
  wok: {
    sky: ['#f2a365', '#8c2f39', '#87a878', '#3a3335'],
    dish: ({ of, turn }) =>
      bowl('#f1ede6') +
      ring(of([9, 8, 10]), 170, turn, (x, y) =>
        circle(
          x,
          y,
          110,
          'none',
          `stroke="${of(['#e8b04b', '#f3dfb0', '#b98a4a', '#d9c7a0'])}" stroke-width="${of([26, 20, 30])}"`,
        ),
      ) +
      ring(of([5, 6, 4]), 150, turn, (x, y) => circle(x, y, 40, of(GREENS))) +
      ring(of([4, 3, 5]), 230, -turn, (x, y) =>
        circle(x, y, 44, of(['#e58a5d', '#7a4428', '#d7263d', '#e9c9a0', '#f6c90e'])),
      ),
  },
  pasta: {
    sky: ['#f3d9b1', '#a44a3f', '#b7c9a8', '#6b705c'],
    dish: ({ of, turn }) =>
      plate +
      [260, 215, 170, 125, 80]
        .map((r, at) =>
          circle(600, 600, r, 'none', `stroke="${at % 2 === 0 ? '#f0d078' : '#e3b94f'}" stroke-width="40"`),
        )
        .join('') +
      oval(600, 580, of([170, 140, 190]), of([120, 150]), of(['#c2412d', '#f6ead0', '#5d8a45', '#d98a3d'])) +
      ring(of([6, 5, 8]), 110, turn, (x, y) =>
        circle(x, y, 30, of(['#7a3b2a', '#f08a5d', '#e9d2a8', '#d7263d', '#9c6b3f'])),
      ) +
      ring(3, 40, turn, (x, y) => circle(x, y, 26, of(GREENS))),
  },
  salad: {
    sky: ['#cfe8a9', '#4c8c4a', '#f4e3b2', '#7a9e9f'],
    dish: ({ of, turn }) =>
      bowl('#f1ede6') +
      ring(9, 200, turn, (x, y, index) => circle(x, y, 90, of(GREENS, index))) +
      ring(of([5, 6, 7]), 150, -turn, (x, y) =>
        circle(x, y, 48, of(['#d7263d', '#f08a5d', '#f6c90e', '#e9d2a8', '#8a2f4b'])),
      ) +
      ring(of([4, 5, 3, 6]), 80, turn, (x, y) =>
        box(x - 32, y - 32, 64, 64, 12, of(['#fdf6e3', '#d9a54a', '#2b2b2b'])),
      ),
  },
  snack: {
    sky: ['#ffe0a3', '#d1603d', '#a9bcd0', '#5b4a3f'],
    dish: ({ of, turn }) =>
      plate +
      (of([true, false, false])
        ? [340, 420, 500, 580, 660, 740]
            .map((x, at) =>
              turned(
                (at - 2.5) * 7,
                box(x + 20, 330 + (at % 2) * 40, 60, 420, 14, of(['#f2c14e', '#e8a33d', '#d98a4b'])),
              ),
            )
            .join('') + box(380, 640, 440, 220, 40, of(['#c2412d', '#34506b', '#ffffff', '#3d7a3a']))
        : ring(of([6, 7, 5, 8]), 200, turn, (x, y) =>
            circle(x, y, 84, of(['#d08c34', '#b86b2a', '#e0a95a', '#c4763a', '#e8c07a'])),
          ) +
          circle(600, 600, 110, '#ffffff') +
          circle(600, 600, 88, of(['#c2412d', '#f6ead0', '#f6c90e', '#7a9e5a']))),
  },
  soup: {
    sky: ['#f7c59f', '#a63d40', '#b5c99a', '#5c6b73'],
    dish: ({ of, turn }) =>
      bowl(of(['#b3312c', '#e8c07a', '#d9873d', '#7f9c4f', '#f3e3c3'])) +
      ring(of([6, 5, 8]), 190, turn, (x, y) => circle(x, y, 34, of(GREENS))) +
      ring(of([4, 3, 5, 6]), 240, -turn, (x, y) => circle(x, y, 40, of(['#7a4428', '#f08a5d', '#e9d2a8']))) +
      circle(620, 580, 90, of(['#fdf6e3', '#fdf6e3', '#f6c90e'])),
  },
  grill: {
    sky: ['#b08968', '#3e2723', '#9aa88c', '#7f4f24'],
    dish: ({ of, turn }) =>
      plate +
      turned(
        turn * 15,
        of([true, false])
          ? [430, 560, 690]
              .map(
                (y, row) =>
                  box(330, y, 540, 26, 12, '#8d6e63') +
                  [400, 540, 680]
                    .map((x, at) =>
                      box(
                        x,
                        y - 42,
                        110,
                        110,
                        30,
                        (at + row) % 3 === 0
                          ? of(['#d7263d', '#f6c90e', '#4f8a4b'])
                          : of(['#7a3b1d', '#b5713a', '#8c4a2f', '#d98a4b', '#5f2f1c']),
                      ),
                    )
                    .join(''),
              )
              .join('')
          : shape(
              'M380 560 q20 -180 240 -170 q240 20 210 200 q-20 180 -230 190 q-230 0 -220 -220 z',
              of(['#7a3b1d', '#b5713a', '#e9b48a', '#8c4a2f', '#f08a5d']),
            ) + [480, 570, 660, 750].map((x) => line(`M${x - 60} 690 L${x} 460`, '#4e2a17', 20)).join(''),
      ) +
      ring(of([3, 4, 5]), 290, turn, (x, y) => circle(x, y, 44, of(GREENS))) +
      circle(600, 880, 60, of(['#c2412d', '#fdf6e3', '#e8a33d'])),
  },
  breakfast: {
    sky: ['#ffe9a8', '#e08e45', '#b8d8d8', '#7a6c5d'],
    dish: ({ of, turn }) =>
      plate +
      of([
        circle(560, 570, 210, '#ffffff') + circle(570, 560, 92, '#f6a821') + box(700, 690, 180, 60, 30, '#b5482f'),
        [720, 650, 580, 510]
          .map((y) => oval(600, y, 250, 66, '#d9a054') + oval(600, y - 14, 250, 60, '#f0cf95'))
          .join('') + box(560, 430, 90, 60, 14, '#f9e07f'),
        circle(600, 600, 300, '#f3e3c3') + circle(600, 600, 270, '#fbf1dc'),
      ]) +
      ring(of([5, 7, 6, 8]), of([250, 210]), turn, (x, y) =>
        circle(x, y, of([26, 34, 22]), of(['#c1121f', '#3a4f8f', '#d7263d', '#f08a5d', '#6fa35a'])),
      ),
  },
  dessert: {
    sky: ['#f8c8dc', '#8e4162', '#d8e2dc', '#9d8189'],
    dish: ({ of, turn }) =>
      plate +
      of([
        shape('M380 720 L600 360 L820 720 z', of(['#fbe3c0', '#6b3a22', '#f3c6cf', '#efe0b0'])) +
          shape('M415 660 L785 660 L750 600 L450 600 z', of(['#c2577a', '#4b2e20', '#8fb05a', '#e8a33d', '#d98fb0'])),
        shape('M430 620 L770 620 L710 850 L490 850 z', of(['#c9822f', '#7a4428', '#e6b1c0'])) +
          circle(520, 560, 110, of(['#fdf6e3', '#f3c6cf', '#4b2e20', '#cfe3b0'])) +
          circle(680, 560, 110, of(['#fdf6e3', '#f3c6cf', '#4b2e20', '#cfe3b0'])) +
          circle(600, 480, 110, of(['#fdf6e3', '#f3c6cf', '#4b2e20', '#cfe3b0'])),
        box(380, 480, 440, 110, 50, of(['#fbe3c0', '#f3c6cf', '#6b3a22', '#d9b06a'])) +
          box(380, 590, 440, 60, 10, '#fdf6e3') +
          box(380, 640, 440, 110, 50, of(['#d9a054', '#8d5524', '#f0cf95', '#7a4428', '#e6b1c0'])),
      ]) +
      circle(600, of([350, 350, 450]), 48, of(['#c1121f', '#3a4f8f', '#f08a5d', '#7b2d43'])) +
      ring(of([5, 6, 7]), 300, turn, (x, y) => circle(x, y, 20, of(['#c1121f', '#6fa35a', '#3a4f8f', '#e8a33d']))),
  },
  bakery: {
    sky: ['#f5deb3', '#9c6b30', '#cfc2b0', '#6d597a'],
    dish: ({ of, turn }) =>
      plate +
      turned(
        turn * 14,
        of([
          shape(
            'M320 700 q60 -330 280 -330 q220 0 280 330 q-110 -120 -280 -120 q-170 0 -280 120 z',
            of(['#d08c34', '#b9722a', '#e0a95a']),
          ) + line('M470 430 l40 150 M600 400 l0 160 M730 430 l-40 150', '#a8641b', 22),
          oval(600, 600, 290, 200, of(['#d08c34', '#a8641b', '#e0b46a', '#8d5524'])) +
            line('M450 520 l80 150 M560 500 l80 180 M670 510 l70 150', '#f7e1b5', 20),
          circle(600, 600, 250, of(['#d9a054', '#c07f35', '#e8c07a', '#9c5f2a', '#efd09a'])) +
            circle(600, 600, 170, 'none', 'stroke="#8d5524" stroke-width="26"') +
            circle(600, 600, 70, of(['#c1121f', '#fdf6e3', '#6fa35a', '#4b2e20'])),
        ]),
      ) +
      ring(of([7, 9, 8]), 300, turn, (x, y) =>
        circle(x, y, of([10, 14]), of(['#f7e1b5', '#ffffff', '#8d5524', '#c9b08a', '#3b2f2f'])),
      ),
  },
  coffee: {
    sky: ['#d7b899', '#4e342e', '#b9c4c9', '#8d6e63'],
    dish: ({ of, turn }) =>
      cup(of(['#4b2e20', '#b98a5e', '#e8d3b5']), of(['#ffffff', '#34506b', '#c2412d', '#3d5a45', '#f0d9b5'])) +
      oval(600, 400, of([110, 60, 140]), of([24, 14, 30]), of(['#c9a27a', '#f3e3c3', '#6b4630', '#fdf6e3'])) +
      line(`M${520 + turn * 8} 320 q30 -60 0 -120 M${600 + turn * 6} 320 q30 -60 0 -120`, '#ffffff', of([14, 10, 18])),
  },
  tea: {
    sky: ['#dfe7c8', '#6a7f4f', '#f1d4b8', '#5a6f7a'],
    dish: ({ of, turn }) =>
      '<path d="M380 380 L820 380 L770 850 L430 850 z" fill="#ffffff" fill-opacity="0.85"/>' +
      shape('M398 450 L802 450 L760 832 L440 832 z', of(['#b5651d', '#d9a441', '#7f9c3f', '#8c2f39', '#5a3a22'])) +
      turned(
        turn * 8,
        circle(700, 500, of([70, 54, 84]), of(['#f6d743', '#f08a5d', '#cfe3a0', '#c1121f'])) +
          circle(700, 500, 40, '#fdf3b0'),
      ) +
      ring(of([3, 4, 2]), 90, turn, (x, y) => oval(x, y + 60, 46, 22, of(GREENS))),
  },
  lemonade: {
    sky: ['#fff3a3', '#4aa3a2', '#f7c4c4', '#5d7fb0'],
    dish: ({ of, turn }) =>
      glass(of(['#f9d648', '#d7263d', '#7fb069', '#8a2f4b', '#f08a3d'])) +
      ring(
        of([4, 3, 5]),
        100,
        turn,
        (x, y) =>
          `<rect x="${x - 40}" y="${y + 20}" width="80" height="80" rx="16" fill="#ffffff" fill-opacity="0.45"/>`,
      ) +
      circle(740, 330, 110, of(['#f6c90e', '#8dbf4a', '#f08a3d', '#c1121f'])) +
      circle(740, 330, 82, of(['#fdf3b0', '#e3f0c0', '#fbd3a8', '#f6c0c0'])) +
      box(560, 170, 28, 500, 14, of(['#d7263d', '#34506b', '#3d7a3a'])),
  },
  shake: {
    sky: ['#fbd3e0', '#b0677f', '#d5e3e8', '#8a7a66'],
    dish: ({ of }) =>
      glass(of(['#f3b6c4', '#8d5b3f', '#f6e3b0', '#b79bd0', '#cfe3b0'])) +
      circle(520, 330, 90, '#fffaf0') +
      circle(680, 330, 90, '#fffaf0') +
      circle(600, 270, 100, '#fffaf0') +
      line('M440 400 q60 60 120 10 q60 -50 120 10 q50 40 90 -20', of(['#4b2e20', '#c1121f', '#e8a33d']), 22) +
      circle(600, 180, 42, of(['#c1121f', '#6b3a22', '#f6c90e', '#3a4f8f'])) +
      box(700, 120, 26, 300, 13, of(['#34506b', '#d7263d', '#3d7a3a'])),
  },
};
