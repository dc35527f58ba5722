import { GIFT_CATEGORY } from '../../erp-emulator/data/dictionaries.ts';
import { GIFT_DISHES } from '../../erp-emulator/data/gifts.ts';
import { PROMISED_PHONES } from '../../erp-emulator/data/guests.ts';

/**
 * The demo storefront as data: categories, which dishes of the ERP they show, and the picture of
 * their products.
 */

export type Theme =
  | 'pizza'
  | 'rolls'
  | 'sushi'
  | 'burger'
  | 'wrap'
  | 'wok'
  | 'pasta'
  | 'salad'
  | 'snack'
  | 'soup'
  | 'grill'
  | 'breakfast'
  | 'dessert'
  | 'bakery'
  | 'coffee'
  | 'tea'
  | 'lemonade'
  | 'shake';

/**
 * A category with products: `dishesOf` names a product category of the ERP, `theme` the picture.
 */
export type Shelf = { name: string; dishesOf: string; theme: Theme };
export type Section = { name: string; shelves: readonly Shelf[] } | Shelf;

const shelf = (name: string, theme: Theme, dishesOf = name): Shelf => ({ name, theme, dishesOf });

/**
 * Top level of the menu, in its order; a section without shelves is itself a category with
 * products.
 */
export const SECTIONS: readonly Section[] = [
  {
    name: 'Пицца',
    shelves: [
      shelf('Классическая пицца', 'pizza', 'Пицца'),
      shelf('На тонком тесте', 'pizza', 'Пицца на тонком тесте'),
    ],
  },
  {
    name: 'Японская кухня',
    shelves: [shelf('Роллы', 'rolls'), shelf('Суши и гунканы', 'sushi'), shelf('Сеты', 'sushi')],
  },
  {
    name: 'Стритфуд',
    shelves: [shelf('Бургеры', 'burger'), shelf('Шаурма и донеры', 'wrap'), shelf('Вок', 'wok')],
  },
  { name: 'Салаты и закуски', shelves: [shelf('Салаты', 'salad'), shelf('Закуски', 'snack')] },
  shelf('Супы', 'soup'),
  {
    name: 'Горячее',
    shelves: [shelf('Паста и ризотто', 'pasta'), shelf('Горячие блюда', 'grill'), shelf('Шашлык и гриль', 'grill')],
  },
  shelf('Завтраки', 'breakfast'),
  shelf('Детское меню', 'breakfast'),
  { name: 'Десерты и выпечка', shelves: [shelf('Десерты', 'dessert'), shelf('Выпечка', 'bakery')] },
  {
    name: 'Напитки',
    shelves: [
      shelf('Кофе', 'coffee'),
      shelf('Чай', 'tea'),
      shelf('Лимонады', 'lemonade'),
      shelf('Морсы, соки и вода', 'lemonade'),
      shelf('Молочные коктейли', 'shake'),
    ],
  },
];

/**
 * Products of one product category of the ERP: the menus of all organizations stay well below 1 MB.
 */
export const PRODUCTS_PER_SHELF = 9;

/** The first product of every shelf is shown here as well. */
export const HITS = 'Хиты';

/** The axis of all sized dishes. */
export const SIZE_AXIS = { code: 'SIZE', name: 'Размер', uiType: 'SEGMENTED' } as const;

/**
 * A gift of the demo: the dish of the ERP that is given, its picture, and the category of guests at
 * the ERP that promises it.
 */
export type DemoGift = { code: string; name: string; dish: string; theme: Theme; categoryId?: string };

/**
 * The promises to the guest of the demo: the first gift comes with the next order, the second with
 * a later one.
 */
export const GIFTS: readonly DemoGift[] = [
  { code: 'TART', name: 'Шоколадный тарт', dish: GIFT_DISHES.tart, theme: 'dessert', categoryId: GIFT_CATEGORY.id },
  { code: 'JUICE', name: 'Вишнёвый морс', dish: GIFT_DISHES.juice, theme: 'lemonade' },
];

/** A customer with this phone has gifts that staff have granted. */
export const GUEST_PHONE = '+79990001122';

/**
 * Guests whom operators have promised a gift on their cards at the ERP, in the order in which the
 * cards are read.
 */
export const MARKED_GUESTS = [
  { phone: PROMISED_PHONES.comment, variant: 'COMMENT', source: 'ERP_COMMENT' },
  { phone: PROMISED_PHONES.category, variant: 'CATEGORY', source: 'ERP_CATEGORY' },
] as const;

/** The owner of the demo's connection. */
export const OWNER = {
  franchisee: 'Демо-сеть «Картошка и Ко»',
  legalEntity: { name: 'ООО «Картошка и Ко»', taxId: '7700000016' },
  connection: 'Демо-подключение',
};
