import { describe, expect, test } from '@jest/globals';
import {
  matchAddress,
  matchStreet,
} from '../../../modules/delivery/rules/addresses/match-address.ts';

const WANTED = { city: 'Москва', street: 'улица Тверская', house: '18к1' };
const place = (city: string | null, street: string | null, house: string | null) => ({
  city,
  street,
  house,
});

test.each([
  ['the same house', place('Москва', 'улица Тверская', '18к1'), 'HOUSE'],
  ['words in another order and case', place('МОСКВА', 'Тверская улица', '18 К1'), 'HOUSE'],
  [
    'a short word for the kind of street',
    place('г. Москва', 'Тверская ул.', '18 корпус 1'),
    'HOUSE',
  ],
  ['another house', place('Москва', 'Тверская улица', '18'), 'STREET'],
  ['the street', place('Москва', 'Тверская улица', null), 'STREET'],
  ['the city', place('Москва', null, null), 'CITY'],
])('%s: %j is %s', (_, found, precision) => {
  expect(matchAddress(WANTED, [found])).toEqual({ places: [found], precision });
});

test.each([
  ['another street', place('Москва', 'Тверской бульвар', '18к1')],
  ['another street, of which neither names a kind', place('Москва', 'Арбат', '18к1')],
  ['another kind of street', place('Москва', 'Тверская площадь', '18к1')],
  ['the street of another city', place('Тверь', 'улица Тверская', '18к1')],
  ['a house without a street', place('Москва', null, '18к1')],
  ['a place without a city', place(null, 'улица Тверская', '18к1')],
])('the result %s is another address', (_, found) => {
  expect(matchAddress(WANTED, [found])).toBeNull();
});

test('[FUL-33] a shortened kind of street that may mean two kinds matches both', () => {
  const wanted = { city: 'Москва', street: 'пр. Мира', house: '1' };
  const isHouse = (street: string) =>
    matchAddress(wanted, [place('Москва', street, '1')])?.precision === 'HOUSE';

  expect(['проспект Мира', 'проезд Мира', 'Мира', 'улица Мира'].map(isHouse)).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

test.each([
  ['without a kind is the street of any kind', 'Тверская', 'Тверская площадь', true],
  ['of a kind is one that is shortened to one of two', 'проспект Мира', 'пр. Мира', true],
  ['of one word is one of two', 'Верх Исетская', 'Верхисетская', true],
])('a street %s', (_, street, found, isIt) => {
  const match = matchAddress({ ...WANTED, street }, [place('Москва', found, '18к1')]);

  expect(match?.precision).toBe(isIt ? 'HOUSE' : undefined);
});

test('a city name that consists of a kind of city is its name', () => {
  const match = (city: string) =>
    matchAddress({ ...WANTED, city: 'Город' }, [place(city, null, null)]);

  expect([match('город')?.precision, match('г.')]).toEqual(['CITY', null]);
});

test('[FUL-33] the most exact result counts, and the first of equal ones', () => {
  const [street, house, twin] = [
    place('Москва', 'Тверская', '20'),
    { ...place('Москва', 'Тверская', '18к1'), id: 1 },
    { ...place('Москва', 'Тверская', '18 к 1'), id: 2 },
  ];

  expect(matchAddress(WANTED, [street, house, twin])).toEqual({
    places: [house],
    precision: 'HOUSE',
  });
  expect(matchAddress(WANTED, [])).toBeNull();
});

describe('[FUL-74] a house number in an address', () => {
  const findPrecision = (house: string, ...onMap: string[]) => {
    const places = onMap.map((number) => place('Москва', 'Тверская улица', number));
    const match = matchAddress({ ...WANTED, house }, places);
    return match === null ? null : [match.precision, match.places[0].house];
  };

  test.each([
    ['14, 3', '14'],
    ['14 - 3', '14'],
    ['14 3', '14'],
    ['14, 3 подъезд', '14'],
    ['9Б, 14', '9Б'],
  ])('keeps, with another number behind it (%s), its number %s', (written, house) => {
    const joined = written.replaceAll(/[^0-9А-Я]/g, '');
    expect(findPrecision(written, joined, house)).toEqual(['HOUSE', house]);
    expect(findPrecision(written, joined)?.[0]).toBe('STREET');
  });

  test.each([
    ['14', '14;16'],
    ['16', '14;16'],
    ['16', '14, 16'],
    ['16', '14,16'],
    ['14А', '14;14А'],
    ['7', '5+7'],
    ['18к2', '18 к1;18 к2'],
    ['14;16', '14;16'],
  ])('matches, as %s, one of the numbers of the map: %s', (written, onMap) => {
    expect(findPrecision(written, onMap)?.[0]).toBe('HOUSE');
  });

  test.each([
    ['18', '14;16'],
    ['1', '14;16'],
    ['4', '14;16'],
    ['1416', '14;16'],
    ['14А', '14;16'],
    ['14', '14, корп. 2'],
  ])('matches, as %s, none of the numbers of the map: %s', (written, onMap) => {
    expect(findPrecision(written, onMap)?.[0]).toBe('STREET');
  });
});

test('the letter ё equals е, and a street named only Street is a street', () => {
  const wanted = { city: 'Королёв', street: 'Озёрный переулок', house: 'дом 5/2' };

  expect(matchAddress(wanted, [place('Королев', 'пер. Озерный', '5/2')])).toMatchObject({
    precision: 'HOUSE',
  });
  expect(
    matchAddress({ ...wanted, street: 'улица' }, [place('Королев', 'улица', '5/2')]),
  ).toMatchObject({
    precision: 'HOUSE',
  });
});

describe('results on streets of different kinds', () => {
  const wanted = { city: 'Уфа', street: 'Мира', house: '3' };
  const at = (street: string, longitude: number, house = '3') => ({
    ...place('Уфа', street, house),
    coords: [longitude, 54.7] as const,
  });
  const findStreets = (street: string, ...places: ReturnType<typeof at>[]) =>
    matchAddress({ ...wanted, street }, places)?.places.map((found) => found.street);
  const [STREET, AVENUE] = [at('улица Мира', 56), at('проспект Мира', 56.1)];

  test('[FUL-56] remain ambiguous if they are far apart and the address contains no kind', () => {
    expect(findStreets('Мира', STREET, AVENUE)).toEqual(['улица Мира', 'проспект Мира']);
    expect(findStreets('пр. Мира', AVENUE, at('проезд Мира', 56.2))).toEqual([
      'проспект Мира',
      'проезд Мира',
    ]);
  });

  test('[FUL-56] count as one within 300 meters', () => {
    expect(findStreets('Мира', STREET, at('проспект Мира', 56.004))).toEqual(['улица Мира']);
  });

  test('[FUL-56] yield to the kind in the address, and to a result without a kind', () => {
    expect(findStreets('пр-кт Мира', STREET, AVENUE)).toEqual(['проспект Мира']);
    expect(findStreets('Мира', AVENUE, at('Мира', 56.3))).toEqual(['Мира']);
  });

  test('[FUL-56] cause no ambiguity if only one of them has the house', () => {
    expect(findStreets('Мира', at('улица Мира', 56, '5'), AVENUE)).toEqual(['проспект Мира']);
  });
});

test('[FUL-55] a house without a road is found by any of its districts, and by the town inside its city', () => {
  const block = {
    ...place('Тольятти', '7-й квартал', '12'),
    otherStreets: ['Автозаводский район'],
  };
  const town = { ...place('Пермь', 'улица Гагарина', '9'), otherCities: ['Новые Ляды'] };
  const findPrecision = (wanted: { city: string; street: string; house: string }, found: object) =>
    matchAddress(wanted, [found as ReturnType<typeof place>])?.precision;

  expect(findPrecision({ city: 'Тольятти', street: 'кв-л 7', house: '12' }, block)).toBe('HOUSE');
  expect(findPrecision({ city: 'Тольятти', street: 'Автозаводский р-н', house: '12' }, block)).toBe(
    'HOUSE',
  );
  expect(findPrecision({ city: 'п. Новые Ляды', street: 'Гагарина ул', house: '9' }, town)).toBe(
    'HOUSE',
  );
  expect(findPrecision({ city: 'Тольятти', street: 'кв-л 8', house: '12' }, block)).toBeUndefined();
});

test('[ORD-68, FUL-55] a dictionary street is found by its kind and its name', () => {
  const names = ['Мира пр-кт', 'Мира ул', 'Заречная М. ул', 'Сибирский тр-т', 'Юность мкр'];
  const streets = names.map((street) => ({ city: 'Омск', street }));
  const found = (street: string) =>
    matchStreet({ city: 'г. Омск', street, house: '1' }, streets)?.street ?? null;

  expect(['проспект Мира', 'ул. Мира', 'Мира', 'Малая Заречная улица'].map(found)).toEqual([
    'Мира пр-кт',
    'Мира ул',
    null,
    'Заречная М. ул',
  ]);
  expect(['Сибирский тракт', 'микрорайон Юность', 'Большая Заречная улица'].map(found)).toEqual([
    'Сибирский тр-т',
    'Юность мкр',
    null,
  ]);
});

describe('[FUL-75] a street with additions to its name', () => {
  const findPrecision = (street: string, house = '18к1') =>
    matchAddress({ ...WANTED, street, house }, [place('Москва', 'Тверская улица', '18к1')])
      ?.precision ?? null;

  test.each([
    'Тверская (во дворе)',
    'ул. Тверская, 18к1',
    'Тверская, д. 18 корп. 1, кв. 5',
    'Тверская 18к1',
  ])('matches the street and its house: %s', (street) => {
    expect(findPrecision(street)).toBe('HOUSE');
  });

  test('matches no house if two differ, and no street of another kind', () => {
    expect(findPrecision('Тверская, 18к1', '20')).toBe('STREET');
    expect(findPrecision('Тверская, 20')).toBe('STREET');
    expect(findPrecision('Тверская 20')).toBeNull();
    expect(findPrecision('Тверская (площадь)')).toBeNull();
    expect(findPrecision('Тверская, 2-й микрорайон')).toBeNull();
  });

  test('matches the dictionary entry with its brackets, or the one without brackets', () => {
    const streets = ['Лесная ул', 'Лесная (Заречье мкр) ул'].map((street) => ({
      city: 'Омск',
      street,
    }));
    const found = (street: string) =>
      matchStreet({ city: 'Омск', street, house: '1' }, streets)?.street;

    expect(['Лесная', 'Лесная (за школой)', 'Лесная, 1', 'Лесная (Заречье)'].map(found)).toEqual([
      'Лесная ул',
      'Лесная ул',
      'Лесная ул',
      'Лесная (Заречье мкр) ул',
    ]);
  });
});

test('[ORD-68] a dictionary street is recognized in other words, unless it is ambiguous', () => {
  const street = (id: string, name: string, city = 'Казань') => ({ id, city, street: name });
  const wanted = { city: 'г. Казань', street: 'Баумана ул.', house: '36' };

  expect(
    matchStreet(wanted, [street('a', 'улица Баумана'), street('b', 'улица Баумана', 'Омск')])?.id,
  ).toBe('a');
  expect(matchStreet(wanted, [street('a', 'улица Баумана'), street('b', 'Баумана')])).toBeNull();
  expect(matchStreet(wanted, [])).toBeNull();
});
