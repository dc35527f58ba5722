import { expect, test } from '@jest/globals';
import {
  restaurantHours,
  type DateException,
  type RegularWindow,
} from '../../../modules/delivery/rules/schedule.ts';
import {
  productData,
  restaurantData,
  type RestaurantFacts,
} from '../../../modules/delivery/rules/structured-data.ts';
import type { MenuContent, MenuProduct } from '../../../modules/menus/rules/snapshot/menu-parts.ts';

const window = (
  dayOfWeek: number,
  opensAt: string,
  closesAt: string,
  channel: RegularWindow['channel'] = 'DINE_IN',
) => ({
  dayOfWeek,
  channel,
  opensAt,
  closesAt,
  crossesMidnight: closesAt <= opensAt,
});
const exception = (
  date: string,
  windows: DateException['windows'],
  channel: DateException['channel'] = null,
) => ({
  kind: windows.length === 0 ? ('CLOSED' as const) : ('SPECIAL_HOURS' as const),
  channel,
  date,
  windows,
});
const facts = (windows: RegularWindow[], exceptions: DateException[] = []): RestaurantFacts => ({
  id: '0b5c1e1e-0000-4000-8000-000000000001',
  name: 'Пиццерия',
  city: 'Пермь',
  address: null,
  coordinates: { latitude: 58.01, longitude: 56.25 },
  schedule: {
    timeZone: 'Asia/Yekaterinburg',
    windows,
    exceptions,
    intakeStops: [{ channel: null, from: 0, to: null }],
  },
  today: '2026-12-30',
});
const product = {
  id: 7,
  slug: 'margarita',
  name: 'Маргарита',
  subtitle: 'С базиликом',
  categoryIds: [2, 1],
  primaryCategoryId: 2,
  images: { main: { id: 1, url: '/media/a/c.webp', srcset: '' } },
  variants: [
    {
      option: { code: 'S', name: '25 см' },
      sku: '1',
      price: 45_050,
      available: true,
      isDefault: true,
    },
    { option: null, price: 70_000, available: false, isDefault: false },
  ],
} as unknown as MenuProduct;
const menu = {
  categories: [
    { id: 1, name: 'Еда', parentId: null, productIds: [7] },
    { id: 2, name: 'Пицца', parentId: 1, productIds: [7, 99] },
  ],
  products: [product],
} as unknown as MenuContent;
const absolute = (url: string) => `https://api.test${url}`;
type Hours = { dayOfWeek?: string; validFrom?: string; opens: string; closes: string }[];
type Restaurant = { openingHoursSpecification?: Hours; specialOpeningHoursSpecification?: Hours };
const buildRestaurant = (windows: RegularWindow[], exceptions: DateException[] = []) =>
  restaurantData(facts(windows, exceptions), menu, absolute) as Restaurant;

test('[STO-13] a restaurant has its location, and its menu in sections, each product in its primary one', () => {
  expect(restaurantData(facts([]), menu, absolute)).toEqual({
    '@context': 'https://schema.org',
    '@type': 'Restaurant',
    '@id': 'urn:uuid:0b5c1e1e-0000-4000-8000-000000000001',
    name: 'Пиццерия',
    address: { '@type': 'PostalAddress', addressLocality: 'Пермь' },
    geo: { '@type': 'GeoCoordinates', latitude: 58.01, longitude: 56.25 },
    currenciesAccepted: 'RUB',
    hasMenu: {
      '@type': 'Menu',
      hasMenuSection: [
        {
          '@type': 'MenuSection',
          name: 'Еда',
          hasMenuSection: [
            {
              '@type': 'MenuSection',
              name: 'Пицца',
              hasMenuItem: [
                {
                  '@type': 'MenuItem',
                  identifier: 'margarita',
                  name: 'Маргарита',
                  description: 'С базиликом',
                  image: 'https://api.test/media/a/c.webp',
                  offers: [
                    {
                      '@type': 'Offer',
                      name: '25 см',
                      sku: '1',
                      price: '450.50',
                      priceCurrency: 'RUB',
                      availability: 'https://schema.org/InStock',
                    },
                    {
                      '@type': 'Offer',
                      price: '700.00',
                      priceCurrency: 'RUB',
                      availability: 'https://schema.org/SoldOut',
                    },
                  ],
                },
              ],
            },
          ],
        },
      ],
    },
  });
});

test('a restaurant has the stored parts of its address, and no address without them', () => {
  const of = (known: Partial<RestaurantFacts>) =>
    restaurantData({ ...facts([]), ...known }, menu, absolute);

  expect(of({ address: 'Ленина, 1', city: null })).toHaveProperty('address', {
    '@type': 'PostalAddress',
    streetAddress: 'Ленина, 1',
  });
  expect(of({ address: null, city: null })).not.toHaveProperty('address');
});

test('a restaurant without coordinates has no location on the map', () => {
  expect(restaurantData({ ...facts([]), coordinates: null }, menu, absolute)).not.toHaveProperty(
    'geo',
  );
});

test('nutrition is of the variant that guests see first, or absent', () => {
  const [first, second] = product.variants;
  const energy = (variants: object[]) =>
    productData(facts([]), { ...product, variants } as MenuProduct, absolute);
  const nutritionPer100g = { proteins: 1.5, fats: 2, carbs: 3, energy: 40 };
  const nutrition = {
    '@type': 'NutritionInformation',
    servingSize: '100 g',
    calories: '40 kcal',
    proteinContent: '1.5 g',
    fatContent: '2 g',
    carbohydrateContent: '3 g',
  };

  expect(energy([second!, { ...first!, nutritionPer100g }])).toMatchObject({ nutrition });
  expect(energy([{ ...second!, nutritionPer100g }, second!])).toMatchObject({ nutrition });
  expect(energy([first!, { ...second!, nutritionPer100g }])).not.toHaveProperty('nutrition');
});

test('[STO-13] regular hours are of the restaurant, and around the clock ends a minute before midnight', () => {
  const delivery = window(1, '08:00', '23:00', 'DELIVERY');

  const hours = buildRestaurant([
    window(1, '10:00', '02:00'),
    window(2, '00:00', '12:00'),
    window(3, '12:00', '00:00'),
    window(7, '00:00', '00:00'),
    delivery,
  ]);
  expect(hours.openingHoursSpecification).toEqual(
    [
      { dayOfWeek: 'https://schema.org/Monday', opens: '10:00', closes: '02:00' },
      { dayOfWeek: 'https://schema.org/Tuesday', opens: '00:00', closes: '12:00' },
      { dayOfWeek: 'https://schema.org/Wednesday', opens: '12:00', closes: '00:00' },
      { dayOfWeek: 'https://schema.org/Sunday', opens: '00:00', closes: '23:59' },
    ].map((entry) => expect.objectContaining({ '@type': 'OpeningHoursSpecification', ...entry })),
  );
});

test('[STO-13] exceptions from today on replace the hours of their date, with 00:00 to 00:00 if closed', () => {
  const night = { opensAt: '12:00', closesAt: '16:00', crossesMidnight: false };
  const exceptions = [
    exception('2026-12-31', [night]),
    exception('2027-01-01', []),
    exception('2026-12-29', []),
    exception('2027-01-02', [], 'DELIVERY'),
  ];

  expect(
    buildRestaurant([window(4, '10:00', '22:00')], exceptions).specialOpeningHoursSpecification,
  ).toEqual([
    {
      '@type': 'OpeningHoursSpecification',
      validFrom: '2026-12-31',
      validThrough: '2026-12-31',
      opens: '12:00',
      closes: '16:00',
    },
    {
      '@type': 'OpeningHoursSpecification',
      validFrom: '2027-01-01',
      validThrough: '2027-01-01',
      opens: '00:00',
      closes: '00:00',
    },
  ]);
});

test('a single product names its seller, and omits an image without an absolute URL', () => {
  const data = productData(facts([]), product, () => null);

  expect(data).toMatchObject({
    '@type': 'Product',
    name: 'Маргарита',
    offers: [{ seller: { name: 'Пиццерия' } }, {}],
  });
  expect(data).not.toHaveProperty('image');
});

test('the special hours of a restaurant begin today, and a closed day has none', () => {
  const hours = [{ opensAt: '10:00', closesAt: '12:00', crossesMidnight: false }];
  const closed = { ...exception('2026-12-31', hours), kind: 'CLOSED' as const };
  const { schedule, today } = facts(
    [window(1, '10:00', '22:00')],
    [exception('2026-12-29', hours), exception('2026-12-30', hours), closed],
  );

  expect(restaurantHours(schedule, today).special).toEqual([
    { date: '2026-12-30', windows: hours },
    { date: '2026-12-31', windows: [] },
  ]);
});
