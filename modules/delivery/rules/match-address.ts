/** An address as a guest writes it. */
export type WantedAddress = { city: string; street: string; house: string };

/** A place of a geocoder; parts that it does not name are null. */
type Place = { city: string | null; street: string | null; house: string | null };

/** How exactly a place is the address: its very house, its street, or nothing but its city. */
export type AddressPrecision = 'HOUSE' | 'STREET' | 'CITY';

/** Spellings of each kind of street, which people leave out, shorten or put elsewhere. */
const STREET_KINDS = [
  'улица ул street st',
  'проспект просп пр пр-т avenue ave',
  'переулок пер lane',
  'площадь пл square sq',
  'бульвар бул б-р',
  'шоссе ш',
  'набережная наб',
  'проезд пр',
  'аллея',
  'тупик',
  'линия',
  'road rd',
].map((spellings) => new Set(spellings.split(' ')));
const STREET_WORDS = new Set(STREET_KINDS.flatMap((spellings) => [...spellings]));
const CITY_WORDS = new Set(['город', 'г', 'city']);
/** Parts of a house number that have several spellings; longer words first. */
const HOUSE_PARTS: readonly (readonly [RegExp, string])[] = [
  [/корпус|корп/g, 'к'],
  [/строение|стр/g, 'с'],
  [/дом|house/g, ''],
];

const plain = (text: string): string => text.toLowerCase().replaceAll('ё', 'е');

const everyWordOf = (text: string): string[] => plain(text).match(/[\p{L}\p{N}-]+/gu) ?? [];

/** False when both name the kind of street and no kind is common: the avenue and the square of one person are two places. */
function mayBeOneKind(left: string, right: string): boolean {
  const [kinds, others] = [left, right].map((text) => {
    const words = everyWordOf(text);
    return STREET_KINDS.filter((spellings) => words.some((word) => spellings.has(word)));
  }) as [Set<string>[], Set<string>[]];
  return kinds.length === 0 || others.length === 0 || kinds.some((kind) => others.includes(kind));
}

/** The words that make a name what it is, whatever their order. */
function wordsOf(text: string, ignored: ReadonlySet<string>): string {
  const words = everyWordOf(text);
  const telling = words.filter((word) => !ignored.has(word));
  return (telling.length > 0 ? telling : words).toSorted().join(' ');
}

function houseOf(text: string): string {
  const spelt = HOUSE_PARTS.reduce((house, [pattern, part]) => house.replace(pattern, part), plain(text));
  return spelt.replace(/[^\p{L}\p{N}/]/gu, '');
}

/** How exactly this place is the wanted address; null when it is another one. */
function precisionOf(wanted: WantedAddress, { city, street, house }: Place): AddressPrecision | null {
  if (city === null || wordsOf(city, CITY_WORDS) !== wordsOf(wanted.city, CITY_WORDS)) return null;
  if (street === null) return house === null ? 'CITY' : null;
  if (wordsOf(street, STREET_WORDS) !== wordsOf(wanted.street, STREET_WORDS)) return null;
  if (!mayBeOneKind(street, wanted.street)) return null;
  return house !== null && houseOf(house) === houseOf(wanted.house) ? 'HOUSE' : 'STREET';
}

/**
 * The place that is the wanted address most exactly, of equal ones the first; null when none is in its city and street. A geocoder
 * answers with the next best thing that it knows, so a place of another house is only as exact as the street (rule FUL-33).
 */
export function matchAddress<P extends Place>(
  wanted: WantedAddress,
  places: readonly P[],
): { place: P; precision: AddressPrecision } | null {
  const matches = places.map((place) => ({ place, precision: precisionOf(wanted, place) }));
  for (const precision of ['HOUSE', 'STREET', 'CITY'] as const) {
    const found = matches.find((match) => match.precision === precision);
    if (found !== undefined) return { place: found.place, precision };
  }
  return null;
}

/** The only street of a dictionary that is that of an address; null when none is, or several are. */
export function matchStreet<S extends { city: string; street: string }>(
  wanted: WantedAddress,
  streets: readonly S[],
): S | null {
  const matches = streets.filter((each) => precisionOf(wanted, { ...each, house: null }) === 'STREET');
  return matches.length === 1 ? matches[0]! : null;
}
