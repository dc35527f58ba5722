import { describe, expect, test } from '@jest/globals';
import { nominatim } from '../../../modules/delivery/rules/geocoder/nominatim.ts';
import { photon } from '../../../modules/delivery/rules/geocoder/photon.ts';

const fromNominatim = (address: object) =>
  nominatim.places([{ lon: '49.1', lat: '55.8', address }])[0];
const fromPhoton = (properties: object) =>
  photon.places({ features: [{ geometry: { coordinates: [49.1, 55.8] }, properties }] })[0];

describe('a result of Nominatim', () => {
  test.each([
    [
      'a neighbourhood',
      { neighbourhood: '47-й комплекс', city: 'Набережные Челны' },
      'Набережные Челны',
      '47-й комплекс',
    ],
    ['a quarter', { quarter: 'квартал 12', city: 'Ангарск' }, 'Ангарск', 'квартал 12'],
    ['a suburb', { suburb: '8-й микрорайон', town: 'Зеленоград' }, 'Зеленоград', '8-й микрорайон'],
    ['a residential area', { residential: 'Аксай-4', city: 'Алматы' }, 'Алматы', 'Аксай-4'],
    ['a block', { city_block: 'блок 3', city: 'Тольятти' }, 'Тольятти', 'блок 3'],
    ['nothing but its hamlet', { hamlet: 'Горки' }, 'Горки', 'Горки'],
  ])('[FUL-55] uses %s without a road', (_, address, city, street) => {
    expect(fromNominatim({ ...address, house_number: '5' })).toMatchObject({
      city,
      street,
      house: '5',
    });
  });

  test.each(['road', 'pedestrian', 'footway', 'path', 'square', 'living_street'])(
    '[FUL-55] may contain a %s as street',
    (kind) => {
      expect(
        fromNominatim({ [kind]: 'Театральная', hamlet: 'Юкки', house_number: '2' }),
      ).toMatchObject({
        city: 'Юкки',
        street: 'Театральная',
      });
    },
  );

  test('[FUL-55] contains the town inside its city as another name, and the district of a road as none', () => {
    const address = {
      road: 'Садовая улица',
      suburb: 'Петергоф',
      city: 'Санкт-Петербург',
      house_number: '1',
    };

    expect(fromNominatim(address)).toMatchObject({
      otherCities: ['Петергоф'],
      street: 'Садовая улица',
      otherStreets: [],
    });
  });
});

describe('a result of Photon', () => {
  test.each([
    [
      'a locality',
      { locality: '47-й комплекс', city: 'Набережные Челны' },
      'Набережные Челны',
      '47-й комплекс',
    ],
    [
      'a district',
      { district: '8-й микрорайон', city: 'Зеленоград' },
      'Зеленоград',
      '8-й микрорайон',
    ],
    ['nothing but its hamlet', { locality: 'Горки' }, 'Горки', 'Горки'],
  ])('[FUL-55] uses %s without a road', (_, properties, city, street) => {
    expect(fromPhoton({ type: 'house', housenumber: '5', ...properties })).toMatchObject({
      city,
      street,
      house: '5',
    });
  });

  test('[FUL-55] contains the town inside its city as another name', () => {
    const properties = {
      type: 'house',
      street: 'Садовая улица',
      housenumber: '1',
      district: 'Петергоф',
      city: 'Санкт-Петербург',
    };

    expect(fromPhoton(properties)).toMatchObject({ otherCities: ['Петергоф'], otherStreets: [] });
  });

  test('[FUL-55] contains the district if it is of one', () => {
    expect(fromPhoton({ type: 'district', name: 'Аксай-4', city: 'Алматы' })).toMatchObject({
      city: 'Алматы',
      street: 'Аксай-4',
      house: null,
    });
  });
});
