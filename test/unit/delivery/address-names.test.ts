import { describe, expect, test } from '@jest/globals';
import {
  geocodedCity,
  geocodedStreet,
  sameCityAs,
  sameStreetAs,
} from '../../../modules/delivery/rules/addresses/address-names.ts';
import {
  houseNumber,
  houseWithBuilding,
  parseHouse,
} from '../../../modules/delivery/rules/addresses/house-number.ts';

describe('[FUL-55] two texts of a street', () => {
  test.each([
    ['with a short form of КЛАДР', 'пр-кт Победы', 'проспект Победы'],
    ['with another short form', 'п-кт Победы', 'Победы просп.'],
    ['of a rare kind', 'Рабочий туп', 'Рабочий тупик'],
    ['with a kind behind the name', 'Казанский тр-т', 'Казанский тракт'],
    ['with an initial for an adjective', 'М. Грузинская ул.', 'Малая Грузинская улица'],
    ['with an abbreviation that ends with a dot', 'Бол. Грузинская', 'Большая Грузинская улица'],
    ['with an initial for a first name', 'ул. Р. Люксембург', 'улица Розы Люксембург'],
    ['with an initial that may be a kind', 'ул. Ш. Руставели', 'улица Шота Руставели'],
    ['with a kind that may be an initial', 'Волоколамское ш.', 'Волоколамское шоссе'],
    ['without the initials of a person', 'ул. А. С. Пушкина', 'улица Пушкина'],
    ['with «им.»', 'ул. им. Чехова', 'улица Чехова'],
    ['with an abbreviated title', 'ул. Ак. Королёва', 'улица Академика Королева'],
    ['with «№»', 'Проектируемый пр. № 17', 'Проектируемый проезд 17'],
    ['of a river', 'наб. р. Мойки', 'набережная Мойки'],
    ['with an ordinal number', 'ул. 9-го Мая', 'улица 9 Мая'],
    ['with a number before its kind', '3-й мкр.', '3-й микрорайон'],
    ['without a blank behind a dot', 'ул.Чехова', 'улица Чехова'],
    ['of nothing but kinds', 'ул. Набережная', 'Набережная улица'],
    ['with a Latin letter that looks Cyrillic', 'ул. Ceвернaя', 'Северная улица'],
    ['with invisible characters and another dash', 'ул.\u200b 9\u2011го Мая', 'улица 9 Мая'],
    ['without a kind', 'Чехова', 'Чехова переулок'],
    ['with a kind that may be one of two', 'пр. Чехова', 'проезд Чехова'],
  ])('match as texts %s: %s and %s', (_, one, other) => {
    expect([sameStreetAs(one)(other), sameStreetAs(other)(one)]).toEqual([true, true]);
  });

  test.each([
    ['of different kinds', 'пл-дь Чехова', 'проспект Чехова'],
    ['of short forms of different kinds', 'пр-д Чехова', 'пр-кт Чехова'],
    ['of which one is the large one', 'Грузинская', 'Большая Грузинская улица'],
    ['of which one is large and one small', 'Б. Грузинская', 'Малая Грузинская'],
    ['with different initials', 'ул. К. Маркса', 'улица Фридриха Маркса'],
    ['with different numbers', '2-й Лесной пер.', '1-й Лесной переулок'],
    ['with another first name', 'улица Карла Маркса', 'улица Маркса'],
  ])('never match as texts %s: %s and %s', (_, one, other) => {
    expect([sameStreetAs(one)(other), sameStreetAs(other)(one)]).toEqual([false, false]);
  });
});

describe('[FUL-75] two texts of one street in other words', () => {
  test.each([
    ['with an ordinal in words', 'Вторая Песчаная', '2-я Песчаная улица'],
    ['with another ending', 'Третий Лесной пер.', '3-й Лесной переулок'],
    ['with a day in words', 'девятого Мая', 'улица 9 Мая'],
    ['with a number of two words', 'Двадцать шестого Июля', 'улица 26-го Июля'],
    ['with years', '30 лет Победы', 'улица 30-летия Победы'],
    ['with years in words', 'сорок лет Победы', 'улица 40-летия Победы'],
    ['with years in one word', 'Пятидесятилетия Победы', 'улица 50 лет Победы'],
    ['with a Roman number', 'XXII Съезда', 'улица 22-го Съезда'],
    ['with a number before a letter', '9Мая', 'улица 9 Мая'],
    ['with a hyphen', 'Новопесчаная', 'Ново-Песчаная улица'],
    ['with a blank', 'Старо Невский', 'Староневский проспект'],
    ['with a short form of two letters', 'Московский тр.', 'Московский тракт'],
    ['with an ending of a number', '26-ти Бакинских Комиссаров', 'улица 26 Бакинских Комиссаров'],
  ])('match as texts %s: %s and %s', (_, one, other) => {
    expect([sameStreetAs(one)(other), sameStreetAs(other)(one)]).toEqual([true, true]);
  });

  test.each([
    ['with another number in words', 'Вторая Песчаная', '1-я Песчаная улица'],
    ['of other years', '30 лет Победы', '40 лет Победы'],
    ['of which one is the new one', 'Песчаная', 'Новопесчаная улица'],
    ['with joined digits', '1 2 Песчаная', '12-я Песчаная'],
    ['with a numeral inside a word', 'Первомайская', '1-я Майская'],
  ])('never match as texts %s: %s and %s', (_, one, other) => {
    expect([sameStreetAs(one)(other), sameStreetAs(other)(one)]).toEqual([false, false]);
  });

  test('match despite a remark or a house behind a comma', () => {
    expect(
      ['Чехова (за рынком)', 'ул. Чехова, 7', 'Чехова, д. 7, кв. 3'].map((one) =>
        sameStreetAs(one)('Чехова'),
      ),
    ).toEqual([true, true, true]);
  });
});

describe('[FUL-55] an address in a settlement', () => {
  test.each([
    ['г. Казань', 'Казань'],
    ['пгт Осельки', 'Осельки'],
    ['рабочий посёлок Кольцово', 'Кольцово'],
    ['р.п. Кольцово', 'Кольцово'],
    ['дер. Кузьмолово', 'Кузьмолово'],
    ['ст-ца Динская', 'Динская'],
    ['ст. Динская', 'станица Динская'],
    ['Ст. Русса', 'Старая Русса'],
    ['Мирный', 'посёлок Мирный'],
    ['Самара, Самарская область', 'Самара'],
    ['Московская обл., г. Химки', 'Химки'],
    ['респ. Татарстан, Казань', 'Казань'],
    ['Казань, Татарстан', 'Казань'],
    ['Комсомольск на Амуре', 'Комсомольск-на-Амуре'],
    ['Ростов н/Д', 'Ростов-на-Дону'],
    ['СПб', 'Санкт-Петербург'],
    ['Н. Тагил', 'Нижний Тагил'],
    ['С. Посад', 'Сергиев Посад'],
  ])('matches, written as %s: %s', (written, city) => {
    expect(sameCityAs(written)(city)).toBe(true);
  });

  test.each([
    ['Ростов', 'Ростов-на-Дону'],
    ['с. Ивановка', 'деревня Ивановка'],
    ['Новгород', 'Нижний Новгород'],
    ['Мурино, Казань', 'Казань'],
  ])('never matches, written as %s: %s', (written, city) => {
    expect(sameCityAs(written)(city)).toBe(false);
  });
});

test('[FUL-55] a query to the geocoder contains full street kinds, unless they are ambiguous', () => {
  expect(
    ['пр-кт Победы', 'мкр.Юность', 'Б. Садовая ул.', 'пр. Мира', 'Киевское ш.', 'Мира ул'].map(
      geocodedStreet,
    ),
  ).toEqual([
    'проспект Победы',
    'микрорайон Юность',
    'Б. Садовая улица',
    'пр. Мира',
    'Киевское ш.',
    'Мира улица',
  ]);
});

describe('[FUL-55] a house number', () => {
  test.each([
    ['д. 14', '14'],
    ['д14', '14'],
    ['№ 14', '14'],
    ['14 кор. 3', '14к3'],
    ['14k3', '14 к3'],
    ['14B', '14В'],
    ['14-Б', '14Б'],
    ['5 литера А', '5 литА'],
    ['владение 3', 'вл3'],
    ['8 сооружение 2', '8 соор2'],
    ['корпус 1144', 'к1144'],
    ['14, кв. 20', '14'],
    ['14 подъезд 2 этаж 3', '14'],
    ['дом 5 корпус 1 строение 2', '5к1с2'],
  ])('equals, as %s, the number %s', (written, onMap) => {
    expect(houseNumber(written)).toBe(houseNumber(onMap));
  });

  test.each([
    ['14к3', '14с3'],
    ['14А', '14Б'],
    ['14-16', '1416'],
    ['владение 14', '14'],
    ['14д', '14'],
  ])('differs, as %s, from %s', (written, onMap) => {
    expect(houseNumber(written)).not.toBe(houseNumber(onMap));
  });
});

describe('[FUL-74] a house number with additions', () => {
  test.each([
    ['14, 3', '14'],
    ['14,3', '14'],
    ['14 - 3', '14'],
    ['14 3', '14'],
    ['14 3А', '14'],
    ['14 (3)', '14'],
    ['14_3', '14'],
    ['14.3', '14'],
    ['14;16', '14'],
    ['14, №3', '14'],
    ['9Б, 14', '9Б'],
    ['14К, 3', '14К'],
    ['14 Б 3', '14Б'],
    ['14к2, 31', '14к2'],
    ['14, 2 подъезд', '14'],
    ['14, 2-й подъезд, 31', '14'],
    ['6, 3 этаж', '6'],
    ['14кв3', '14'],
    ['14-кв.3', '14'],
    ['14/кв.3', '14'],
    ['14 домофон 45К', '14'],
    ['14 кв 31 корпус 2', '14к2'],
    ['14, 2 корпус', '14к2'],
    ['14 (корпус 2)', '14к2'],
    ['14 (вход со двора)', '14'],
    ['2 подъезд, дом 14', '14'],
    ['кв. 31, д. 14', '14'],
    ['14\\1', '14/1'],
    ['14 / 1', '14/1'],
    ['14-1', '14-1'],
    ['14/1', '14/1'],
    ['14 к 1', '14к1'],
    ['д-14', '14'],
    ['14, 12/1', '14'],
    ['14 1-31', '14'],
    ['9Б, 12в3', '9Б'],
    ['14\u00b2', '14'],
    ['14\u2460', '14'],
    ['кв. 31/2, д. 14', '14'],
    ['кв 31-2, 14', '14'],
    ['кв. 31а, 14', '14'],
    ['14/2 подъезд 3', '14/2'],
  ])('equals, as %s, the number %s', (written, onMap) => {
    expect(houseNumber(written)).toBe(houseNumber(onMap));
  });

  test.each([
    '14 2 корпус 5',
    '14 и 16',
    '14 или 16',
    '14 дом 3',
    '14 д 3',
    '14 д. 3',
    '14, д.3',
    'напротив 14',
    'между 14 и 16',
    'вл. 7 дом 5',
    '14/2 подъезд',
    '14-3 кв.',
    '14 к 2 кв',
    '3 подъезд, 14',
  ])('refers to no single house: %s', (written) => {
    const digits = houseNumber(written).match(/\d+/g) ?? [];

    expect(digits).toEqual(written.match(/\d+/g));
    expect(digits.map(String)).not.toContain(houseNumber(written));
    expect(parseHouse(written)).toBeNull();
  });

  test('differs from the number of its digits if it has a fraction', () => {
    expect(houseNumber('14\u00bd')).toBe('14 1 2');
  });

  test.each([
    ['14, 3', '2', '14к2'],
    ['14 кв 3', 'к2', '14к2'],
    ['14', '2, кв 3', '14к2'],
    ['14', '2 корпус', '14к2'],
  ])('equals, as %s with the building %s, the number %s', (house, building, onMap) => {
    expect(houseNumber(houseWithBuilding(house, building))).toBe(houseNumber(onMap));
  });
});

test('[FUL-54] a building is a part of the house number, unless it is empty or already contained', () => {
  const buildNumber = (building: string | null, house = '10') =>
    houseNumber(houseWithBuilding(house, building));

  expect(
    [null, '-', '2', 'стр. 2', 'корпус 2', 'Б'].map((building) => buildNumber(building)),
  ).toEqual(['10', '10', '10к2', '10с2', '10к2', '10б']);
  expect(buildNumber('2', '10к2')).toBe('10к2');
});

describe('[FUL-62] a house number with a letter', () => {
  test.each([
    ['4 литера А', '4А'],
    ['4 лит. А', '4а'],
    ['4литА', '4 А'],
    ['4 литера A', '4А'],
    ['4 литера А корпус 2', '4А к2'],
    ['дом 4, литера А', '4 лит А'],
  ])('equals, as %s, the number %s', (written, onMap) => {
    expect(houseNumber(written)).toBe(houseNumber(onMap));
  });

  test.each([
    ['4 литера А', '4'],
    ['4 литера А', '4Б'],
    ['4 литера 2', '42'],
  ])('differs, as %s, from %s', (written, onMap) => {
    expect(houseNumber(written)).not.toBe(houseNumber(onMap));
  });

  test('includes a letter that is written as the building', () => {
    expect(houseNumber(houseWithBuilding('4', 'литера А'))).toBe('4а');
    expect(houseNumber(houseWithBuilding('4А', 'литера А'))).toBe('4а');
  });
});

describe('[FUL-62] the query to a geocoder', () => {
  test.each([
    ['Бaумана', 'баумана'],
    ['ул. Бaумана', 'улица баумана'],
    ['ул. им. Баумана', 'улица Баумана'],
    ['Баумана Н.Э.', 'Баумана'],
    ['ул. Н. Баумана', 'улица Баумана'],
    ['ул. Р. Люксембург', 'улица Люксембург'],
    ['пр-кт имени газеты Труд', 'проспект газеты Труд'],
    ['ш. Энтузиастов', 'ш. Энтузиастов'],
    ['им.', 'им.'],
    ['Н. Э.', 'Н. Э.'],
    ['М. Грузинская ул.', 'М. Грузинская улица'],
    ['1-я Тверская-Ямская ул', '1-я Тверская-Ямская улица'],
    ['Вторая Песчаная', '2-я Песчаная'],
    ['ул. Восьмого Марта', 'улица 8 Марта'],
    ['Двадцать шестого Июля', '26 Июля'],
    ['сорок лет Победы', '40 лет Победы'],
    ['XXII Съезда', 'XXII Съезда'],
  ])('contains for the street %s: %s', (written, sent) => {
    expect(geocodedStreet(written)).toBe(sent);
  });

  test.each([
    ['Kазань', 'казань'],
    ['г. Казань', 'Казань'],
    ['город Казань, Россия', 'Казань'],
    ['Республика Татарстан, г. Казань', 'Казань'],
    ['Россия, Татарстан респ, Казань г', 'Казань'],
    ['Московская обл., городской округ Химки, Химки', 'Химки'],
    ['посёлок Южный', 'посёлок Южный'],
    ['London', 'London'],
    ['Республика Татарстан', 'Республика Татарстан'],
  ])('contains for the city %s: %s', (written, sent) => {
    expect(geocodedCity(written)).toBe(sent);
  });
});
