// Draws dishes as SVG of 1,200 × 1,200 in the colors of their ingredients. `turn` makes dishes of
// the same shape and colors look different.

/**
 * `colors` starts with the main color. `turn` is the angle in radians by which parts are rotated.
 */
export type Look = { colors: readonly [string, string, string]; turn: number };
type Draw = (look: Look) => string;

const [WHITE, CREAM, LEAF, LEMON, DARK, CRUST] = [
  '#ffffff',
  '#fdf6e3',
  '#4f8a4b',
  '#f6d743',
  '#3b2a20',
  '#cf9238',
];

const circle = (x: number, y: number, r: number, fill: string, more = '') =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}" ${more}/>`;
const oval = (x: number, y: number, rx: number, ry: number, fill: string, more = '') =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}" ${more}/>`;

const box = (
  x: number,
  y: number,
  width: number,
  height: number,
  radius: number,
  fill: string,
  more = '',
) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}" ${more}/>`;

const shape = (d: string, fill: string) => `<path d="${d}" fill="${fill}"/>`;
const line = (d: string, stroke: string, width: number) =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round"/>`;
const turned = (radians: number, content: string, x = 600, y = 600) =>
  `<g transform="rotate(${Math.round((radians * 180) / Math.PI)} ${x} ${y})">${content}</g>`;
const shade = 'fill-opacity="0.18"';

const plate = circle(600, 600, 440, WHITE) + circle(600, 600, 365, '#f1ede6');
const bowl = (content: string) => circle(600, 600, 440, WHITE) + circle(600, 600, 375, content);
const sprig = (x: number, y: number) =>
  oval(x - 22, y, 34, 15, LEAF) + oval(x + 20, y - 14, 32, 14, '#6fa35a');

const ring = (
  count: number,
  radius: number,
  turn: number,
  draw: (x: number, y: number, index: number) => string,
) =>
  Array.from({ length: count }, (_, index) => {
    const angle = turn + (index / count) * 2 * Math.PI;
    return draw(
      Math.round(600 + radius * Math.cos(angle)),
      Math.round(600 + radius * Math.sin(angle)),
      index,
    );
  }).join('');

const row = (places: readonly number[], draw: (at: number, index: number) => string) =>
  places.map(draw).join('');

const lump = (x: number, y: number, fill: string) =>
  oval(x, y, 92, 66, fill) + oval(x - 20, y - 18, 46, 22, WHITE, 'fill-opacity="0.22"');
const sauceBoat = (fill: string) => circle(600, 600, 112, WHITE) + circle(600, 600, 90, fill);

const toppings = ({ colors: [, second, third], turn }: Look) =>
  ring(
    7,
    245,
    turn,
    (x, y) => circle(x, y, 52, second) + circle(x + 12, y - 12, 16, WHITE, shade),
  ) +
  ring(4, 120, turn + 0.5, (x, y) => circle(x, y, 42, second)) +
  ring(6, 185, turn + 0.4, (x, y) => circle(x, y, 24, third));

const slices = (cheese: string, sauce: string) =>
  circle(600, 600, 372, sauce) + circle(600, 600, 345, cheese);

const tumbler = (drink: string) =>
  shape('M400 300 L800 300 L750 920 L450 920 z', '#fffffff0') +
  shape('M418 410 L782 410 L744 898 L456 898 z', drink);
const ice = row([490, 600, 690], (x, index) =>
  box(x - 40, 450 + index * 70, 84, 84, 16, WHITE, 'fill-opacity="0.45"'),
);
const straw = (color: string) => turned(0.12, box(640, 150, 30, 480, 15, color));
const slice = (fill: string) =>
  circle(770, 320, 100, fill) + circle(770, 320, 74, CREAM, 'fill-opacity="0.55"');
const steam = line('M540 300 q30 -60 0 -120 M650 300 q30 -60 0 -120', WHITE, 16);

const mug = (drink: string) =>
  box(370, 390, 430, 470, 70, WHITE) +
  line('M800 490 q160 20 115 165 q-30 110 -135 90', WHITE, 46) +
  oval(585, 410, 200, 54, '#e7e1d6') +
  oval(585, 414, 184, 45, drink);

export const SHAPES = {
  pizza: (look) =>
    circle(600, 600, 430, CRUST) +
    slices(look.colors[0], '#c8452c') +
    toppings(look) +
    sprig(600, 600),
  thinPizza: (look) =>
    `<g transform="translate(600 600) scale(1 0.72) translate(-600 -600)">${circle(600, 600, 450, '#b98245')}${circle(600, 600, 410, look.colors[0])}${toppings(look)}</g>` +
    sprig(560, 560),
  rolls: ({ colors: [wrap, filling, garnish], turn }) =>
    plate +
    ring(
      8,
      255,
      turn,
      (x, y) => circle(x, y, 92, wrap) + circle(x, y, 72, WHITE) + circle(x, y, 36, filling),
    ) +
    circle(560, 600, 56, '#9bc46a') +
    oval(660, 610, 62, 40, '#f4a6b7') +
    sprig(600, 680) +
    circle(600, 545, 18, garnish),
  hotRolls: ({ colors: [top, filling], turn }) =>
    plate +
    ring(
      6,
      235,
      turn,
      (x, y) => circle(x, y, 104, '#d98f3c') + circle(x, y, 78, top) + circle(x, y, 30, filling),
    ) +
    sauceBoat('#e8a35a'),
  nigiri: ({ colors: [top], turn }) =>
    plate +
    turned(
      -0.35 + turn * 0.05,
      row(
        [400, 560, 720],
        (y) =>
          box(370, y, 460, 88, 44, WHITE) +
          box(345, y - 44, 510, 86, 42, top) +
          line(`M420 ${y - 4} h360`, '#ffffff55', 10),
      ),
    ) +
    circle(850, 820, 44, '#9bc46a'),
  gunkan: ({ colors: [top], turn }) =>
    plate +
    ring(
      4,
      190,
      0.785 + turn * 0.1,
      (x, y) =>
        oval(x, y + 30, 118, 84, '#20302b') +
        oval(x, y - 4, 112, 66, WHITE) +
        oval(x, y - 14, 98, 52, top),
    ) +
    circle(600, 600, 40, '#9bc46a'),
  set: ({ colors: [first, second, third], turn }) =>
    box(190, 330, 820, 560, 40, DARK) +
    row([280, 420, 560, 700, 840], (x, at) =>
      row([430, 580, 730, 830].slice(0, 3), (y, line) => {
        const fill = [first, second, third][(at + line + Math.round(turn)) % 3]!;
        return (
          circle(x + 40, y + 20, 58, fill) +
          circle(x + 40, y + 20, 42, WHITE) +
          circle(x + 40, y + 20, 20, fill)
        );
      }),
    ),
  burger: ({ colors: [patty, extra, third] }) =>
    shape('M250 510 q350 -380 700 0 z', CRUST) +
    row([420, 530, 640, 760], (x, at) => oval(x, 400 - (at % 2) * 45, 18, 10, CREAM)) +
    box(235, 515, 730, 52, 26, LEAF) +
    box(255, 566, 690, 42, 20, extra) +
    box(240, 606, 720, 104, 50, patty) +
    shape('M260 710 L940 710 L860 760 L800 716 L640 770 L560 714 L380 764 z', third) +
    box(255, 758, 690, 130, 62, CRUST),
  wrap: ({ colors: [filling, second], turn }) =>
    plate +
    turned(
      -0.5 + turn * 0.06,
      box(230, 470, 640, 250, 110, '#e8cf9a') +
        row([320, 440, 560, 680], (x) => line(`M${x} 482 q36 112 0 224`, '#c79a58', 12)) +
        oval(860, 595, 84, 124, '#d9b06a') +
        circle(850, 545, 44, filling) +
        circle(872, 610, 40, second) +
        circle(846, 668, 38, LEAF) +
        circle(880, 560, 20, '#d7263d'),
    ),
  noodles: ({ colors: [noodle, topping, third], turn }) =>
    bowl('#5a3a2a') +
    ring(10, 175, turn, (x, y) =>
      circle(x, y, 112, 'none', `stroke="${noodle}" stroke-width="26"`),
    ) +
    ring(6, 150, turn, (x, y) => lump(x, y, topping)) +
    ring(5, 250, -turn, (x, y) => circle(x, y, 34, third)) +
    ring(5, 80, turn, (x, y) => oval(x, y, 30, 14, LEAF)),
  grains: ({ colors: [grain, topping, third], turn }) =>
    bowl(grain) +
    ring(16, 290, turn, (x, y) => oval(x, y, 22, 12, WHITE, 'fill-opacity="0.5"')) +
    ring(12, 200, -turn, (x, y) => oval(x, y, 22, 12, WHITE, 'fill-opacity="0.5"')) +
    ring(6, 150, turn, (x, y) => lump(x, y, topping)) +
    circle(600, 600, 64, third) +
    sprig(600, 600),
  salad: ({ colors: [first, second, third], turn }) =>
    bowl('#dfe8c4') +
    ring(10, 230, turn, (x, y, index) => oval(x, y, 118, 84, index % 2 === 0 ? LEAF : '#86a83b')) +
    ring(6, 205, -turn, (x, y) => lump(x, y, first)) +
    ring(6, 120, turn + 0.4, (x, y) => circle(x, y, 48, second)) +
    ring(5, 60, turn, (x, y) => box(x - 28, y - 28, 56, 56, 12, third)),
  layered: ({ colors: [first, second, third] }) =>
    plate +
    oval(600, 780, 300, 70, '#00000022') +
    box(310, 640, 580, 130, 24, third) +
    box(310, 530, 580, 120, 24, second) +
    box(310, 430, 580, 110, 24, first) +
    sprig(600, 430),
  soup: ({ colors: [broth, second, third], turn }) =>
    bowl(broth) +
    circle(600, 600, 375, '#000000', 'fill-opacity="0.05"') +
    ring(5, 220, turn, (x, y) => lump(x, y, second)) +
    ring(6, 130, -turn, (x, y) => circle(x, y, 30, third)) +
    ring(5, 275, turn + 0.6, (x, y) => oval(x, y, 26, 11, LEAF)),
  cream: ({ colors: [broth, second], turn }) =>
    bowl(broth) +
    line(`M430 ${600 + turn * 10} q90 -120 170 0 q80 120 170 0`, CREAM, 34) +
    ring(5, 250, turn, (x, y) => box(x - 30, y - 30, 60, 60, 12, '#d9a54a')) +
    circle(600, 600, 40, second) +
    sprig(600, 640),
  pasta: ({ colors: [sauce, topping, third], turn }) =>
    plate +
    row([275, 228, 180, 132], (r, at) =>
      circle(
        600,
        600,
        r,
        'none',
        `stroke="${at % 2 === 0 ? '#f0d078' : '#e3b94f'}" stroke-width="44"`,
      ),
    ) +
    oval(600, 590, 190, 150, sauce) +
    ring(6, 120, turn, (x, y) => circle(x, y, 40, topping)) +
    ring(8, 60, turn, (x, y) => circle(x, y, 16, third)) +
    sprig(600, 590),
  cutlets: ({ colors: [crumb, side], turn }) =>
    plate +
    oval(470, 690, 210, 150, side) +
    turned(
      turn * 0.08,
      oval(650, 500, 220, 120, crumb) + line('M500 470 q150 -60 300 10', '#ffffff55', 18),
    ) +
    oval(770, 700, 120, 78, crumb) +
    sprig(480, 660),
  stew: ({ colors: [meat, sauce, side], turn }) =>
    plate +
    oval(720, 650, 220, 170, side) +
    oval(500, 590, 240, 200, sauce) +
    ring(6, 110, turn, (x, y) => box(x - 150, y - 50, 110, 56, 24, meat)) +
    sprig(500, 590),
  dumplings: ({ colors: [dough, sauce], turn }) =>
    plate +
    ring(
      8,
      245,
      turn,
      (x, y) => circle(x, y, 84, dough) + line(`M${x - 44} ${y - 22} q44 -40 88 0`, '#c9b48a', 12),
    ) +
    ring(3, 80, turn, (x, y) => circle(x, y, 60, dough)) +
    circle(600, 600, 74, sauce) +
    sprig(620, 590),
  fish: ({ colors: [fillet, side, third], turn }) =>
    plate +
    turned(
      -0.25 + turn * 0.04,
      shape(
        'M300 620 q40 -210 330 -190 q260 10 300 150 q-60 190 -330 180 q-230 0 -300 -140 z',
        fillet,
      ) + row([420, 530, 640, 750], (x) => line(`M${x} 500 q46 90 10 190`, '#ffffff88', 16)),
    ) +
    ring(4, 300, 0.4, (x, y) => circle(x, y, 48, side)) +
    circle(760, 790, 78, LEMON) +
    circle(760, 790, 56, third),
  steak: ({ colors: [meat, side, sauce], turn }) =>
    plate +
    turned(
      turn * 0.06,
      shape(
        'M360 600 q-10 -190 240 -180 q260 0 250 180 q-20 190 -250 190 q-230 0 -240 -190 z',
        meat,
      ) + row([470, 570, 670, 770], (x) => line(`M${x - 70} 700 L${x + 10} 490`, '#2b1a10', 18)),
    ) +
    ring(3, 320, 2.2, (x, y) => circle(x, y, 52, side)) +
    oval(640, 810, 150, 46, sauce),
  leg: ({ colors: [meat, side], turn }) =>
    plate +
    turned(
      -0.5 + turn * 0.05,
      box(640, 560, 290, 60, 30, CREAM) +
        circle(930, 566, 44, CREAM) +
        circle(930, 614, 44, CREAM) +
        oval(520, 590, 240, 170, meat) +
        oval(460, 540, 110, 60, WHITE, shade),
    ) +
    ring(4, 300, 0.9, (x, y) => circle(x, y, 50, side)) +
    sprig(420, 780),
  skewers: ({ colors: [meat, second], turn }) =>
    plate +
    turned(
      -0.3 + turn * 0.05,
      row(
        [430, 580, 730],
        (y, line) =>
          box(250, y + 40, 720, 22, 11, '#8d6e63') +
          row([330, 460, 590, 720], (x, at) =>
            box(x, y, 108, 104, 30, (at + line) % 3 === 2 ? second : meat),
          ),
      ),
    ),
  kebab: ({ colors: [meat], turn }) =>
    plate +
    turned(
      -0.3 + turn * 0.05,
      row(
        [440, 590, 740],
        (y) =>
          box(240, y + 34, 740, 22, 11, '#8d6e63') +
          box(330, y, 520, 92, 46, meat) +
          row([410, 500, 590, 680, 770], (x) =>
            line(`M${x} ${y + 16} q20 30 0 60`, '#2b1a1066', 12),
          ),
      ),
    ) +
    ring(5, 330, 0.5, (x, y) => circle(x, y, 30, '#8a4b8f')),
  sausages: ({ colors: [meat, side], turn }) =>
    plate +
    oval(430, 720, 170, 120, side) +
    turned(
      -0.2 + turn * 0.05,
      row(
        [420, 540, 660],
        (y) => box(340, y, 540, 96, 48, meat) + line(`M420 ${y + 22} h380`, '#ffffff44', 14),
      ),
    ) +
    sprig(430, 700),
  wings: ({ colors: [crust, sauce], turn }) =>
    plate +
    ring(7, 225, turn, (x, y) =>
      turned(
        x / 300,
        oval(x, y, 108, 66, crust) +
          circle(x + 92, y + 10, 30, CREAM) +
          oval(x - 26, y - 20, 40, 16, WHITE, shade),
        x,
        y,
      ),
    ) +
    sauceBoat(sauce),
  sticks: ({ colors: [crust, sauce], turn }) =>
    plate +
    row([330, 430, 530, 630, 730], (x, at) =>
      turned(
        (at - 2) * 0.12 + turn * 0.03,
        box(x + 20, 330, 84, 400, 40, crust) + line(`M${x + 44} 370 v260`, '#ffffff44', 14),
      ),
    ) +
    `<g transform="translate(150 190)">${sauceBoat(sauce)}</g>`,
  onionRings: ({ colors: [crust, sauce], turn }) =>
    plate +
    ring(6, 235, turn, (x, y) => circle(x, y, 92, 'none', `stroke="${crust}" stroke-width="52"`)) +
    sauceBoat(sauce),
  balls: ({ colors: [crust, sauce], turn }) =>
    plate +
    ring(
      8,
      245,
      turn,
      (x, y) => circle(x, y, 86, crust) + circle(x - 22, y - 24, 26, WHITE, shade),
    ) +
    sauceBoat(sauce),
  bruschetta: ({ colors: [topping, second], turn }) =>
    plate +
    turned(
      turn * 0.05,
      row(
        [330, 520, 710],
        (x) =>
          box(x, 380, 160, 440, 80, CRUST) +
          box(x + 22, 410, 116, 380, 58, CREAM) +
          row(
            [470, 570, 670],
            (y) => circle(x + 60, y, 42, topping) + circle(x + 100, y + 40, 30, second),
          ) +
          oval(x + 80, 620, 44, 18, LEAF),
      ),
    ),
  syrniki: ({ colors: [cake, sauce, berry], turn }) =>
    plate +
    ring(5, 190, turn, (x, y) => circle(x, y, 112, '#c07f35') + circle(x, y - 12, 98, cake)) +
    oval(600, 600, 120, 90, sauce) +
    ring(5, 70, turn, (x, y) => circle(x, y, 26, berry)),
  pancakes: ({ colors: [cake, topping, third], turn }) =>
    plate +
    row(
      [740, 680, 620, 560, 500],
      (y) => oval(600, y, 290, 82, '#c98f3c') + oval(600, y - 16, 286, 74, cake),
    ) +
    oval(600, 470, 150, 46, topping) +
    ring(4, 60, turn, (x, y) => circle(x, y - 140, 24, third)),
  eggs: ({ colors: [side, second], turn }) =>
    plate +
    oval(520, 540, 220, 180, WHITE) +
    oval(700, 660, 180, 150, WHITE) +
    circle(500, 530, 82, '#f6a821') +
    circle(710, 655, 76, '#f6a821') +
    turned(turn * 0.05, box(640, 380, 270, 66, 30, side) + box(660, 460, 250, 60, 30, side)) +
    circle(430, 780, 56, second) +
    circle(540, 800, 46, second),
  omelet: ({ colors: [filling, second], turn }) =>
    plate +
    turned(
      turn * 0.05,
      shape('M270 620 q330 -340 660 0 q-60 160 -330 160 q-270 0 -330 -160 z', '#f4c542') +
        line('M330 620 q270 -190 540 0', '#ffffff66', 22) +
        row([400, 500, 600, 700, 800], (x, at) =>
          circle(x, 690 - (at % 2) * 30, 38, at % 2 === 0 ? filling : second),
        ),
    ) +
    sprig(600, 480),
  bowlYogurt: ({ colors: [base, crumble, berry], turn }) =>
    bowl(base) +
    ring(10, 240, turn, (x, y) => box(x - 34, y - 26, 68, 52, 16, crumble)) +
    ring(7, 130, -turn, (x, y) => circle(x, y, 40, berry)),
  fruit: ({ turn }) =>
    plate +
    ring(9, 250, turn, (x, y, index) =>
      circle(x, y, 84, ['#d7263d', '#f08a3d', '#f6d743', '#8dbf4a', '#7a4b8f'][index % 5]!),
    ) +
    ring(5, 110, turn, (x, y, index) =>
      circle(x, y, 70, ['#f6d743', '#c1121f', '#8dbf4a'][index % 3]!),
    ),
  cake: ({ colors: [body, layer, top], turn }) =>
    plate +
    turned(
      turn * 0.04,
      shape('M300 560 L600 400 L900 560 L900 760 L300 760 z', body) +
        shape('M300 560 L600 400 L900 560 z', top) +
        box(300, 610, 600, 34, 8, layer) +
        box(300, 690, 600, 34, 8, layer),
    ) +
    circle(600, 480, 44, layer),
  square: ({ colors: [body, dots, top], turn }) =>
    plate +
    turned(
      turn * 0.05,
      box(370, 420, 460, 380, 40, body) +
        box(370, 420, 460, 110, 40, top) +
        row([450, 560, 670, 770], (x, at) => circle(x, 640 + (at % 2) * 70, 30, dots)),
    ),
  eclair: ({ colors: [glaze, cream], turn }) =>
    plate +
    turned(
      -0.3 + turn * 0.05,
      box(290, 520, 620, 190, 95, CRUST) +
        box(310, 600, 580, 34, 17, cream) +
        box(300, 500, 600, 100, 50, glaze) +
        line('M380 540 q220 -40 440 0', '#ffffff66', 14),
    ),
  roulade: ({ colors: [body, filling], turn }) =>
    plate +
    turned(
      turn * 0.1,
      circle(600, 600, 260, body) +
        row([200, 130, 62], (r) =>
          circle(600, 600, r, 'none', `stroke="${filling}" stroke-width="34"`),
        ),
    ) +
    sprig(820, 800),
  cup: ({ colors: [cream, top, third], turn }) =>
    shape('M360 420 L840 420 L740 880 L460 880 z', '#fffffff0') +
    shape('M380 470 L820 470 L734 862 L466 862 z', cream) +
    oval(600, 440, 230, 70, top) +
    ring(5, 90, turn, (x, y) => circle(x, Math.round(y * 0.35 + 220), 30, third)),
  scoops: ({ colors: [scoop, second], turn }) =>
    shape('M350 620 L850 620 L720 900 L480 900 z', '#fffffff0') +
    circle(480, 540, 140, scoop) +
    circle(720, 540, 140, second) +
    circle(600, 430, 150, scoop) +
    turned(turn * 0.03, box(730, 220, 40, 230, 14, CRUST)) +
    circle(600, 290, 36, '#c1121f'),
  mounds: ({ colors: [body, dots], turn }) =>
    plate +
    ring(
      4,
      180,
      turn,
      (x, y) =>
        circle(x, y, 128, body) +
        circle(x - 34, y - 40, 34, WHITE, shade) +
        circle(x + 30, y + 20, 22, dots),
    ),
  croissant: ({ colors: [filling, dust], turn }) =>
    plate +
    turned(
      turn * 0.08,
      shape(
        'M250 730 q70 -370 350 -370 q280 0 350 370 q-130 -150 -350 -150 q-220 0 -350 150 z',
        '#d08c34',
      ) +
        line('M440 440 l50 150 M600 400 l0 175 M760 440 l-50 150', '#a8641b', 24) +
        oval(600, 610, 190, 36, filling),
    ) +
    ring(7, 310, turn, (x, y) => circle(x, y, 16, dust)),
  bun: ({ colors: [filling, second], turn }) =>
    plate +
    turned(
      turn * 0.1,
      circle(600, 600, 290, '#d9a054') +
        row([220, 150, 80], (r) =>
          circle(600, 600, r, 'none', `stroke="${filling}" stroke-width="26"`),
        ) +
        circle(600, 600, 46, second),
    ),
  pie: ({ colors: [filling], turn }) =>
    plate +
    turned(
      -0.3 + turn * 0.08,
      oval(600, 600, 320, 190, '#d9963a') +
        line('M350 590 q250 -120 500 0', '#a8641b', 16) +
        oval(600, 640, 130, 52, filling),
    ),
  openPie: ({ colors: [filling, second], turn }) =>
    plate +
    turned(
      turn * 0.08,
      circle(600, 600, 320, '#d9963a') +
        circle(600, 600, 230, filling) +
        ring(6, 120, turn, (x, y) => circle(x, y, 26, second)),
    ),
  boat: ({ colors: [filling, yolk], turn }) =>
    plate +
    turned(
      -0.35 + turn * 0.05,
      shape(
        'M190 600 q200 -240 410 -240 q210 0 410 240 q-200 240 -410 240 q-210 0 -410 -240 z',
        '#d9963a',
      ) +
        oval(600, 600, 280, 150, filling) +
        circle(600, 600, 80, yolk),
    ),
  bread: ({ colors: [crust, dots], turn }) =>
    plate +
    turned(
      turn * 0.05,
      box(300, 400, 600, 400, 90, crust) +
        row(
          [400, 500, 600, 700, 800],
          (x, at) =>
            circle(x, 480 + (at % 3) * 110, 26, dots) +
            oval(x - 40, 560 + (at % 2) * 90, 34, 12, LEAF),
        ),
    ),
  mug: ({ colors: [drink, foam, dust], turn }) =>
    steam +
    mug(drink) +
    oval(585, 414, 110, 27, foam) +
    ring(4, 60, turn, (x, y) => circle(x - 15, Math.round(y * 0.2 + 293), 9, dust)),
  espresso: ({ colors: [drink] }) => steam + mug(drink) + oval(560, 408, 70, 12, WHITE, shade),
  latteGlass: ({ colors: [drink, milk, straws] }) =>
    tumbler(milk) + shape('M434 560 L768 560 L744 898 L456 898 z', drink) + ice + straw(straws),
  tea: ({ colors: [drink, garnish, third], turn }) =>
    steam +
    shape('M350 400 L830 400 L770 880 L410 880 z', '#ffffffd8') +
    shape('M372 480 L808 480 L758 862 L422 862 z', drink) +
    line('M815 500 q150 20 110 150 q-30 100 -130 90', '#ffffffd8', 40) +
    ring(4, 100, turn, (x, y) => circle(x - 10, Math.round(y * 0.5 + 320), 34, garnish)) +
    oval(520, 520, 46, 20, third),
  iced: ({ colors: [drink, garnish, straws], turn }) =>
    tumbler(drink) +
    ice +
    slice(garnish) +
    straw(straws) +
    ring(3, 80, turn, (x, y) => circle(x, y + 120, 26, garnish)),
  juice: ({ colors: [drink, garnish] }) =>
    tumbler(drink) +
    circle(600, 420, 8, WHITE) +
    slice(garnish) +
    line('M470 520 L490 840', '#ffffff55', 22),
  milk: ({ colors: [drink, dots], turn }) =>
    tumbler(drink) +
    oval(600, 412, 180, 30, WHITE) +
    ring(4, 70, turn, (x, y) => circle(x, Math.round(y * 0.15 + 318), 8, dots)) +
    sprig(600, 400),
  bottle: ({ colors: [drink, label, cap] }) =>
    shape(
      'M500 260 h200 v90 q90 60 90 160 v390 q0 50 -50 50 h-280 q-50 0 -50 -50 v-390 q0 -100 90 -160 z',
      '#ffffffcc',
    ) +
    shape('M436 500 h328 v390 q0 36 -40 36 h-248 q-40 0 -40 -36 z', drink) +
    box(500, 190, 200, 80, 20, cap) +
    box(410, 600, 380, 170, 10, label) +
    line('M470 660 h260 M470 710 h180', '#ffffffaa', 16),
  shake: ({ colors: [drink, syrup, third] }) =>
    tumbler(drink) +
    circle(510, 320, 100, '#fffaf0') +
    circle(690, 320, 100, '#fffaf0') +
    circle(600, 250, 110, '#fffaf0') +
    line('M450 390 q60 60 120 10 q60 -50 120 10 q50 40 80 -20', syrup, 26) +
    circle(600, 150, 46, third) +
    straw('#34506b'),
  bubbleTea: ({ colors: [drink, pearls, straws] }) =>
    tumbler(drink) +
    row([500, 560, 620, 680, 530, 590, 650, 560, 620], (x, at) =>
      circle(x, 860 - Math.floor(at / 4) * 64, 28, pearls),
    ) +
    shape('M390 300 q210 -150 420 0 z', '#ffffffb0') +
    straw(straws),
  cocoa: ({ colors: [drink, foam, dust], turn }) =>
    steam +
    mug(drink) +
    ring(5, 90, turn, (x, y) => box(x - 40, Math.round(y * 0.2 + 262), 52, 42, 12, foam)) +
    circle(585, 404, 10, dust),
} as const satisfies Record<string, Draw>;

export type Shape = keyof typeof SHAPES;
