import { GIFT_CATEGORY } from '../../erp-emulator/data/dictionaries.ts';
import { GIFT_DISHES } from '../../erp-emulator/data/gifts.ts';
import { PROMISED_PHONES } from '../../erp-emulator/data/guests.ts';

/** Categories, their ERP dishes, and the pictures of their products. */

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
 * A category with products. `dishesOf` names a product category of the ERP, `dishes` the most
 * popular dishes; the first is a hit.
 */
export type Shelf = { name: string; dishesOf: string; theme: Theme; dishes: readonly string[] };
export type Section = { name: string; shelves: readonly Shelf[] } | Shelf;

const shelf = (name: string, theme: Theme, dishes: string, dishesOf = name): Shelf => ({
  name,
  theme,
  dishesOf,
  dishes: dishes.split(/[;\n]/).map((dish) => dish.trim()),
});

const PIZZAS =
  'Маргарита;Пепперони;Четыре сыра;Гавайская;Мясная;Карбонара;Вегетарианская;Барбекю;Дары моря';
const pizzas = (kind: string): string => PIZZAS.replace(/[^;]+/g, (name) => `${kind} «${name}»`);
const rolls = (names: string): string => names.replace(/[^;]+/g, (name) => `Ролл «${name}»`);
const sets = (names: string): string => names.replace(/[^;]+/g, (name) => `Сет «${name}»`);

/** In menu order. A section without shelves is itself a category with products. */
export const SECTIONS: readonly Section[] = [
  {
    name: 'Пицца',
    shelves: [
      shelf('Классическая пицца', 'pizza', pizzas('Пицца'), 'Пицца'),
      shelf('На тонком тесте', 'pizza', pizzas('Римская пицца'), 'Пицца на тонком тесте'),
    ],
  },
  {
    name: 'Японская кухня',
    shelves: [
      shelf(
        'Роллы',
        'rolls',
        rolls(
          'Филадельфия;Калифорния;Дракон;Канада;Спайси лосось;Запечённый лосось;Цезарь ролл;Лосось темпура;Аляска',
        ),
      ),
      shelf(
        'Суши и гунканы',
        'sushi',
        `Суши с лососем;Суши с угрём;Суши с креветкой;Суши с тунцом;Гункан с лососем;Гункан с крабом;Гункан с угрём
        Гункан с тунцом;Запечённый гункан с лососем`,
      ),
      shelf(
        'Сеты',
        'sushi',
        sets(
          'Филадельфия;На двоих;Большая компания;Запечённый;Лосось и угорь;Калифорния;Темпура;Лёгкий;Маки',
        ),
      ),
    ],
  },
  {
    name: 'Стритфуд',
    shelves: [
      shelf(
        'Бургеры',
        'burger',
        `Бургер с говядиной «Чеддер и бекон»;Бургер с говядиной «Классика»;Бургер с курицей «Классика»
        Бургер с говядиной «Барбекю»;Бургер с курицей «Чеддер и бекон»;Бургер с говядиной «Халапеньо»
        Бургер с индейкой «Блю чиз»;Бургер с котлетой из нута «Классика»;Бургер с говядиной «Грибной»`,
      ),
      shelf(
        'Шаурма и донеры',
        'wrap',
        `Шаурма с курицей;Шаурма с говядиной;Донер с курицей;Донер с бараниной;Шаурма с фалафелем;Донер с говядиной
        Шаурма с креветками;Ролл в лаваше с индейкой;Ролл в лаваше с халуми`,
      ),
      shelf(
        'Вок',
        'wok',
        `Удон с курицей;Удон с говядиной;Рисовая лапша с креветками;Соба с уткой;Тяхан с курицей;Удон с морепродуктами
        Рисовая лапша с тофу;Фунчоза с овощами;Соба со свининой`,
      ),
    ],
  },
  {
    name: 'Салаты и закуски',
    shelves: [
      shelf(
        'Салаты',
        'salad',
        `Цезарь с курицей;Греческий;Цезарь с креветками;Капрезе;Боул с лососем;Оливье с телятиной;Тёплый с говядиной
        Винегрет;Руккола с креветками`,
      ),
      shelf(
        'Закуски',
        'snack',
        `Крылья с соусом барбекю;Наггетсы классические;Сырные палочки классические;Луковые кольца классические
        Стрипсы острые;Картофельные шарики классические;Брускетты классические;Гёдза с соусом терияки;Крылья острые`,
      ),
    ],
  },
  shelf(
    'Супы',
    'soup',
    `Борщ с говядиной;Том ям с креветками;Куриный с лапшой;Грибной крем-суп;Солянка мясная;Рамен со свининой;Фо бо
    Сырный крем-суп;Уха по-фински`,
  ),
  {
    name: 'Горячее',
    shelves: [
      shelf(
        'Паста и ризотто',
        'pasta',
        `Паста карбонара;Паста болоньезе;Паста с морепродуктами;Паста альфредо с курицей;Ризотто с белыми грибами
        Паста четыре сыра;Паста песто с креветками;Паста арабьята;Ризотто с лососем`,
      ),
      shelf(
        'Горячие блюда',
        'grill',
        `Пельмени домашние;Бефстроганов;Котлета по-киевски;Хинкали с говядиной;Плов с бараниной;Лосось на пару
        Манты;Цыплёнок табака;Вареники с вишней`,
      ),
      shelf(
        'Шашлык и гриль',
        'grill',
        `Шашлык из свинины;Шашлык из курицы;Люля-кебаб из баранины;Стейк из говядины;Шашлык из баранины
        Люля-кебаб из курицы;Колбаски из говядины;Стейк из лосося;Шашлык из овощей`,
      ),
    ],
  },
  shelf(
    'Завтраки',
    'breakfast',
    `Сырники со сметаной;Глазунья с беконом;Омлет с ветчиной;Блины с маслом;Яйца бенедикт с лососем
    Овсяная каша на молоке;Шакшука;Гранола с йогуртом;Драники со сметаной`,
  ),
  shelf(
    'Детское меню',
    'breakfast',
    `Мини-пицца с сыром;Макароны с сыром;Наггетсы с картофелем;Куриный суп с буквами;Котлетки с пюре;Рыбные палочки
    Блинчики с вареньем;Фруктовая тарелка;Компот из ягод`,
  ),
  {
    name: 'Десерты и выпечка',
    shelves: [
      shelf(
        'Десерты',
        'dessert',
        `Чизкейк Нью-Йорк;Тирамису;Медовик;Наполеон;Шоколадный фондан;Эклер ванильный;Мороженое пломбир
        Моти манго;Красный бархат`,
      ),
      shelf(
        'Выпечка',
        'bakery',
        `Круассан классический;Круассан с шоколадом;Хачапури по-аджарски;Улитка с корицей;Пирожок с мясом
        Пирожок с капустой;Ватрушка с творогом;Фокачча с розмарином;Круассан миндальный`,
      ),
    ],
  },
  {
    name: 'Напитки',
    shelves: [
      shelf(
        'Кофе',
        'coffee',
        `Капучино классический;Латте классический;Американо классический;Раф классический;Флэт уайт классический
        Айс-латте классический;Моккачино классический;Капучино с корицей;Фильтр-кофе классический`,
      ),
      shelf(
        'Чай',
        'tea',
        `Чёрный чай;Зелёный с жасмином;Облепиховый чай;Чай с чабрецом;Эрл Грей;Молочный улун;Имбирный чай
        Малина и мята;Каркаде`,
      ),
      shelf(
        'Лимонады',
        'lemonade',
        `Лимонад классический;Лимонад мята и лайм;Лимонад клубника и базилик;Лимонад манго и маракуйя
        Лимонад огурец и тархун;Холодный чай цитрусовый;Лимонад малина и личи;Тоник имбирный;Лимонад цитрусовый`,
      ),
      shelf(
        'Морсы, соки и вода',
        'lemonade',
        `Морс клюквенный;Апельсиновый фреш;Кола;Вода без газа;Морс облепиховый;Сок яблочный;Квас;Айран;Сок томатный`,
      ),
      shelf(
        'Молочные коктейли',
        'shake',
        `Коктейль шоколадный;Коктейль клубничный;Коктейль ванильный;Какао;Коктейль карамельный;Бабл-ти манго
        Смузи манго;Горячий шоколад;Коктейль банановый`,
      ),
    ],
  },
];

/** In menu order. */
export const SHELVES: readonly Shelf[] = SECTIONS.flatMap((section) =>
  'shelves' in section ? section.shelves : [section],
);

/** Per product category of the ERP: the menus of all organizations stay well below 1 MB. */
export const PRODUCTS_PER_SHELF = 9;

/** Also shows the most popular product of every shelf. */
export const HITS = 'Хиты';

export const SIZE_AXIS = { code: 'SIZE', name: 'Размер', uiType: 'SEGMENTED' } as const;

/** `categoryId`: the guest category at the ERP that promises it. */
export type DemoGift = {
  code: string;
  name: string;
  dish: string;
  theme: Theme;
  categoryId?: string;
};

/** The first gift comes with the next order, the second with a later one. */
export const GIFTS: readonly DemoGift[] = [
  {
    code: 'TART',
    name: 'Шоколадный тарт',
    dish: GIFT_DISHES.tart,
    theme: 'dessert',
    categoryId: GIFT_CATEGORY.id,
  },
  { code: 'JUICE', name: 'Вишнёвый морс', dish: GIFT_DISHES.juice, theme: 'lemonade' },
];

/** A customer with gifts that staff have granted. */
export const GUEST_PHONE = '+79990001122';

/** Guests with a promised gift on their ERP cards, in the order in which the cards are read. */
export const MARKED_GUESTS = [
  { phone: PROMISED_PHONES.comment, variant: 'COMMENT', source: 'ERP_COMMENT' },
  { phone: PROMISED_PHONES.category, variant: 'CATEGORY', source: 'ERP_CATEGORY' },
] as const;

export const OWNER = {
  franchisee: 'Демо-сеть «Картошка и Ко»',
  legalEntity: { name: 'ООО «Картошка и Ко»', taxId: '7700000016' },
  connection: 'Демо-подключение',
};
