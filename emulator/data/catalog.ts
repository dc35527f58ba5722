import type { GroupKey } from './modifiers.ts';
import * as names from './names.ts';

type ScaleStep = readonly [name: string, code: string, factor: number];

/** Size scales. A size id belongs to the scale, so all pizzas share the id of "25 см". */
export const SCALES = {
  none: [],
  pizza: [
    ['25 см', 'S', 1],
    ['30 см', 'M', 1.35],
    ['35 см', 'L', 1.7],
  ],
  burger: [
    ['Стандарт', 'ST', 1],
    ['Двойной', 'X2', 1.45],
    ['Тройной', 'X3', 1.85],
  ],
  wok: [
    ['300 г', '300', 1],
    ['450 г', '450', 1.35],
    ['600 г', '600', 1.65],
  ],
  wrap: [
    ['Мини', 'MINI', 1],
    ['Стандарт', 'ST', 1.3],
    ['XL', 'XL', 1.65],
  ],
  grill: [
    ['200 г', '200', 1],
    ['300 г', '300', 1.42],
    ['500 г', '500', 2.2],
  ],
  pieces: [
    ['6 шт', '6', 1],
    ['9 шт', '9', 1.4],
    ['12 шт', '12', 1.75],
  ],
  rolls: [
    ['4 шт', '4', 1],
    ['6 шт', '6', 1.4],
    ['8 шт', '8', 1.75],
  ],
  half: [
    ['Половина порции', 'HALF', 1],
    ['Порция', 'FULL', 1.7],
  ],
  coffee: [
    ['0,2 л', '02', 1],
    ['0,3 л', '03', 1.25],
    ['0,4 л', '04', 1.5],
  ],
  tea: [
    ['0,3 л', '03', 1],
    ['0,5 л', '05', 1.4],
    ['0,8 л', '08', 1.9],
  ],
  drink: [
    ['0,3 л', '03', 1],
    ['0,5 л', '05', 1.35],
    ['1 л', '1', 2.1],
  ],
} as const satisfies Record<string, readonly ScaleStep[]>;

export type CategoryPlan = {
  readonly key: string;
  readonly name: string;
  readonly dishes: readonly string[];
  readonly scale: keyof typeof SCALES;
  /** Roubles of the smallest size. */
  readonly price: readonly [min: number, max: number];
  /** Grams or millilitres of the smallest size. */
  readonly weight: readonly [min: number, max: number];
  readonly liquid?: boolean;
  readonly type?: 'GOODS' | 'PREPARED';
  readonly composition: readonly string[];
  /** Modifier groups; the dishes of a category take the sets in turn. */
  readonly groups: readonly (readonly GroupKey[])[];
  readonly allergens: readonly string[];
  readonly breakfast?: boolean;
};

const PIZZA = names.PIZZA_COMPOSITION;
const MILKY = ['MILK'];
const BREADY = ['GLUTEN', 'MILK'];

/** The kitchen of the demo chain. */
export const CATALOG: readonly CategoryPlan[] = [
  {
    key: 'pizza',
    name: 'Пицца',
    dishes: names.PIZZAS,
    scale: 'pizza',
    price: [389, 649],
    weight: [380, 460],
    composition: PIZZA,
    groups: [
      ['crust', 'toppingAll', 'withoutAll', 'saucePizza'],
      ['crust', 'toppingVegetable', 'withoutMost', 'saucePizza'],
    ],
    allergens: BREADY,
  },
  {
    key: 'pizza-thin',
    name: 'Пицца на тонком тесте',
    dishes: names.THIN_PIZZAS,
    scale: 'pizza',
    price: [399, 669],
    weight: [330, 400],
    composition: PIZZA,
    groups: [
      ['crust', 'toppingAll', 'withoutMost', 'saucePizza'],
      ['crust', 'toppingVegetable', 'withoutAll', 'saucePizza'],
    ],
    allergens: BREADY,
  },
  {
    key: 'rolls',
    name: 'Роллы',
    dishes: names.ROLLS,
    scale: 'rolls',
    price: [219, 489],
    weight: [120, 180],
    composition: names.ROLL_COMPOSITION,
    groups: [['rolls']],
    allergens: ['FISH', 'SOY', 'SESAME'],
  },
  {
    key: 'sushi',
    name: 'Суши и гунканы',
    dishes: names.SUSHI,
    scale: 'none',
    price: [89, 219],
    weight: [28, 45],
    composition: names.ROLL_COMPOSITION,
    groups: [['rolls']],
    allergens: ['FISH', 'SOY'],
  },
  {
    key: 'sets',
    name: 'Сеты',
    dishes: names.SETS,
    scale: 'none',
    price: [990, 3290],
    weight: [700, 1900],
    composition: names.ROLL_COMPOSITION,
    groups: [['rolls']],
    allergens: ['FISH', 'SOY', 'SESAME'],
  },
  {
    key: 'burgers',
    name: 'Бургеры',
    dishes: names.BURGERS,
    scale: 'burger',
    price: [299, 479],
    weight: [240, 320],
    composition: names.BURGER_COMPOSITION,
    groups: [
      ['done', 'toppingBurger', 'withoutMost', 'sauceBurger'],
      ['toppingBurger', 'withoutMost', 'sauceBurger'],
    ],
    allergens: ['GLUTEN', 'EGG', 'MUSTARD'],
  },
  {
    key: 'wraps',
    name: 'Шаурма и донеры',
    dishes: names.WRAPS,
    scale: 'wrap',
    price: [219, 349],
    weight: [230, 290],
    composition: names.WRAP_COMPOSITION,
    groups: [['wrap', 'toppingWrap', 'sauceWrap', 'withoutMost']],
    allergens: ['GLUTEN', 'EGG'],
  },
  {
    key: 'wok',
    name: 'Вок',
    dishes: names.WOKS,
    scale: 'wok',
    price: [319, 529],
    weight: [300, 300],
    composition: names.WOK_COMPOSITION,
    groups: [['noodles', 'wok', 'sauceWok', 'heat']],
    allergens: ['GLUTEN', 'SOY', 'SESAME'],
  },
  {
    key: 'salads',
    name: 'Салаты',
    dishes: names.SALADS,
    scale: 'half',
    price: [229, 359],
    weight: [120, 160],
    composition: names.SALAD_COMPOSITION,
    groups: [['dressing', 'toppingSalad']],
    allergens: ['EGG', 'MUSTARD'],
  },
  {
    key: 'soups',
    name: 'Супы',
    dishes: names.SOUPS,
    scale: 'half',
    price: [199, 329],
    weight: [180, 220],
    composition: names.SOUP_COMPOSITION,
    groups: [['bread', 'heat']],
    allergens: ['CELERY'],
  },
  {
    key: 'pasta',
    name: 'Паста и ризотто',
    dishes: names.PASTA,
    scale: 'half',
    price: [289, 449],
    weight: [180, 220],
    composition: names.PASTA_COMPOSITION,
    groups: [['pasta', 'toppingPasta']],
    allergens: BREADY,
  },
  {
    key: 'hot',
    name: 'Горячие блюда',
    dishes: names.HOT,
    scale: 'half',
    price: [349, 590],
    weight: [170, 240],
    composition: names.HOT_COMPOSITION,
    groups: [['side', 'sauceGrill'], ['sideLight']],
    allergens: MILKY,
  },
  {
    key: 'grill',
    name: 'Шашлык и гриль',
    dishes: names.GRILL,
    scale: 'grill',
    price: [329, 690],
    weight: [200, 200],
    composition: names.HOT_COMPOSITION,
    groups: [
      ['done', 'side', 'sauceGrill'],
      ['sideLight', 'sauceAll'],
    ],
    allergens: ['MUSTARD'],
  },
  {
    key: 'snacks',
    name: 'Закуски',
    dishes: names.SNACKS,
    scale: 'pieces',
    price: [189, 349],
    weight: [110, 160],
    composition: names.SNACK_COMPOSITION,
    groups: [['sauceAll']],
    allergens: ['GLUTEN', 'EGG'],
  },
  {
    key: 'breakfast',
    name: 'Завтраки',
    dishes: names.BREAKFAST,
    scale: 'none',
    price: [179, 390],
    weight: [180, 320],
    composition: names.BREAKFAST_COMPOSITION,
    groups: [[], ['bread']],
    allergens: ['EGG', 'MILK', 'GLUTEN'],
    breakfast: true,
  },
  {
    key: 'kids',
    name: 'Детское меню',
    dishes: names.KIDS,
    scale: 'none',
    price: [149, 289],
    weight: [120, 220],
    composition: names.BREAKFAST_COMPOSITION,
    groups: [[]],
    allergens: MILKY,
  },
  {
    key: 'desserts',
    name: 'Десерты',
    dishes: names.DESSERTS,
    scale: 'none',
    price: [159, 359],
    weight: [90, 160],
    composition: names.DESSERT_COMPOSITION,
    groups: [[]],
    allergens: ['GLUTEN', 'MILK', 'EGG', 'NUTS'],
  },
  {
    key: 'bakery',
    name: 'Выпечка',
    dishes: names.BAKERY,
    scale: 'none',
    price: [79, 219],
    weight: [70, 130],
    type: 'PREPARED',
    composition: names.DESSERT_COMPOSITION,
    groups: [[]],
    allergens: BREADY,
  },
  {
    key: 'coffee',
    name: 'Кофе',
    dishes: names.COFFEE,
    scale: 'coffee',
    price: [149, 279],
    weight: [200, 200],
    liquid: true,
    composition: names.COFFEE_COMPOSITION,
    groups: [
      ['milk', 'syrup', 'sugar'],
      ['syrup', 'sugar', 'drink'],
    ],
    allergens: MILKY,
  },
  {
    key: 'tea',
    name: 'Чай',
    dishes: names.TEA,
    scale: 'tea',
    price: [119, 249],
    weight: [300, 300],
    liquid: true,
    composition: names.TEA_COMPOSITION,
    groups: [['drink', 'sugar']],
    allergens: [],
  },
  {
    key: 'lemonades',
    name: 'Лимонады',
    dishes: names.LEMONADES,
    scale: 'drink',
    price: [179, 259],
    weight: [300, 300],
    liquid: true,
    composition: names.TEA_COMPOSITION,
    groups: [['ice', 'drinkCold']],
    allergens: [],
  },
  {
    key: 'juices',
    name: 'Морсы, соки и вода',
    dishes: names.JUICES,
    scale: 'drink',
    price: [99, 219],
    weight: [300, 300],
    liquid: true,
    type: 'GOODS',
    composition: names.TEA_COMPOSITION,
    groups: [['ice']],
    allergens: [],
  },
  {
    key: 'shakes',
    name: 'Молочные коктейли',
    dishes: names.SHAKES,
    scale: 'coffee',
    price: [199, 289],
    weight: [200, 200],
    liquid: true,
    composition: names.COFFEE_COMPOSITION,
    groups: [['syrupShort']],
    allergens: MILKY,
  },
  {
    key: 'staff',
    name: 'Служебное',
    dishes: names.STAFF,
    scale: 'none',
    price: [0, 120],
    weight: [0, 250],
    composition: names.BREAKFAST_COMPOSITION,
    groups: [[]],
    allergens: [],
  },
];

export const ALLERGENS = [
  ['GLUTEN', 'Глютен'],
  ['MILK', 'Молоко и лактоза'],
  ['EGG', 'Яйца'],
  ['FISH', 'Рыба и морепродукты'],
  ['NUTS', 'Орехи'],
  ['SOY', 'Соя'],
  ['SESAME', 'Кунжут'],
  ['MUSTARD', 'Горчица'],
  ['CELERY', 'Сельдерей'],
] as const;
