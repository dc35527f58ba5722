import type { Organization, TerminalGroup } from '../model.ts';
import type { Dice } from './dice.ts';

type Place = {
  name: string;
  code: string;
  address: string;
  at: readonly [latitude: number, longitude: number];
  zone: string;
  level: number;
  /** Terminal groups; `~` means asleep. */
  tills: readonly string[];
};

const PLACES: readonly Place[] = [
  {
    name: 'Печь и базилик на Тверской',
    code: 'MSK-01',
    address: 'Москва, улица Тверская, 18к1',
    at: [55.764837, 37.605742],
    zone: 'Europe/Moscow',
    level: 1.12,
    tills: ['Касса зала', 'Касса доставки'],
  },
  {
    name: 'Печь и базилик на Ленинском',
    code: 'MSK-02',
    address: 'Москва, Ленинский проспект, 37А',
    at: [55.708412, 37.585117],
    zone: 'Europe/Moscow',
    level: 1.12,
    tills: ['Касса 1'],
  },
  {
    name: 'Печь и базилик на Профсоюзной',
    code: 'MSK-03',
    address: 'Москва, Профсоюзная улица, 56',
    at: [55.670221, 37.552903],
    zone: '03:00:00',
    level: 1.12,
    tills: ['Касса 1', '~Летняя веранда'],
  },
  {
    name: 'Печь и базилик на Невском',
    code: 'SPB-01',
    address: 'Санкт-Петербург, Невский проспект, 71',
    at: [59.932094, 30.349715],
    zone: 'Europe/Moscow',
    level: 1.06,
    tills: ['Касса зала', 'Касса доставки', 'Окно навынос'],
  },
  {
    name: 'Печь и базилик на Петроградской',
    code: 'SPB-02',
    address: 'Санкт-Петербург, Большой проспект П. С., 45',
    at: [59.961537, 30.302148],
    zone: 'Europe/Moscow',
    level: 1.06,
    tills: ['Касса 1'],
  },
  {
    name: 'Печь и базилик на Баумана',
    code: 'KZN-01',
    address: 'Казань, улица Баумана, 36',
    at: [55.790214, 49.114398],
    zone: 'Europe/Moscow',
    level: 1,
    tills: ['Касса 1'],
  },
  {
    name: 'Печь и базилик на Вайнера',
    code: 'EKB-01',
    address: 'Екатеринбург, улица Вайнера, 10',
    at: [56.836112, 60.595473],
    zone: 'Asia/Yekaterinburg',
    level: 1,
    tills: ['Касса зала', '~Фудтрак'],
  },
  {
    name: 'Печь и базилик на Красном проспекте',
    code: 'NSK-01',
    address: 'Новосибирск, Красный проспект, 65',
    at: [55.041836, 82.913904],
    zone: 'Asia/Novosibirsk',
    level: 1,
    tills: ['Касса 1', 'Касса доставки'],
  },
  {
    name: 'Печь и базилик у Рыбной деревни',
    code: 'KGD-01',
    address: 'Калининград, Октябрьская улица, 4А',
    at: [54.706118, 20.515937],
    zone: 'Europe/Kaliningrad',
    level: 1,
    tills: ['Касса 1'],
  },
  {
    name: 'Печь и базилик на Навагинской',
    code: 'SOC-01',
    address: 'Сочи, Навагинская улица, 9',
    at: [43.586427, 39.721856],
    zone: 'Europe/Moscow',
    level: 1.06,
    tills: ['Касса 1'],
  },
  {
    name: 'Рис и лапша на Ленинградской',
    code: 'SAM-01',
    address: 'Самара, Ленинградская улица, 48',
    at: [53.187304, 50.092716],
    zone: 'Europe/Samara',
    level: 0.95,
    tills: ['Касса 1'],
  },
  {
    name: 'Рис и лапша на Светланской',
    code: 'VVO-01',
    address: 'Владивосток, Светланская улица, 33',
    at: [43.115941, 131.885218],
    zone: 'Asia/Vladivostok',
    level: 1.18,
    tills: ['Касса зала', 'Касса доставки'],
  },
];

/** Returns the location of an organization, numbered from 1. A larger chain repeats locations. */
function choosePlace(number: number): Place {
  const place = PLACES[(number - 1) % PLACES.length] as Place;
  const round = Math.ceil(number / PLACES.length);
  return round === 1
    ? place
    : { ...place, name: `${place.name}, ${round}`, code: `${place.code}-${round}` };
}

export function organizations(dice: Dice, count: number): Organization[] {
  return Array.from({ length: count }, (_, index) => {
    const number = index + 1;
    const place = choosePlace(number);
    const terminalGroups = place.tills.map((till): TerminalGroup => {
      const asleep = till.startsWith('~');
      const name = asleep ? till.slice(1) : till;
      return { id: dice.uuid(`terminal/${number}/${name}`), name, timeZone: place.zone, asleep };
    });

    return {
      number,
      id: dice.uuid(`organization/${number}`),
      name: place.name,
      code: place.code,
      address: place.address,
      latitude: place.at[0],
      longitude: place.at[1],
      priceLevel: place.level,
      terminalGroups,
      removed: false,
    };
  });
}
