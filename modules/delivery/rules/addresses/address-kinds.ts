/** Spellings on maps and in letters (FUL-55). */

/** An abbreviation may stand for several kinds. */
const STREETS = [
  'улица ул ул-ца street str st',
  'проспект просп пр-т пр-кт п-кт прт пркт просп-т пр avenue ave',
  'проезд пр-д прд пр-зд пр',
  'переулок пер пер-к пер-ок lane',
  'проулок пр-лок прул',
  'площадь пл пл-дь square sq',
  'бульвар бул бульв б-р бр boulevard blvd',
  'шоссе ш ш-се highway',
  'набережная наб наб-я embankment',
  'аллея ал ал-я',
  'тупик туп',
  'линия лин',
  'тракт тр-т тр',
  'дорога дор road rd',
  'спуск',
  'въезд взд',
  'заезд ззд',
  'разъезд рзд',
  'просека просек пр-ка',
  'проселок пр-лок',
  'кольцо к-цо',
  'микрорайон мкр мкрн мкр-н мк-н м-н микр',
  'квартал кв-л кварт квл',
  'район р-н',
  'массив жилмассив ж/м жм м-в',
  'комплекс жк ж/к',
  'территория тер тер-я',
  'товарищество снт днт',
  'городок гор-к',
  'слобода сл-да',
];

const SETTLEMENTS = [
  'поселок пос п пгт рп дп кп village',
  'деревня дер д',
  'село с',
  'станица ст-ца стца',
  'хутор хут х',
  'аул',
  'слобода сл-да',
];

const CITIES = ['город гор г city town', 'станица ст', 'станция ст'];

export const OPTIONAL_STREET_WORDS = 'им имени реки река р канала кан no номер'.split(' ');
export const OPTIONAL_CITY_WORDS = 'городского типа рабочий дачный курортный р'.split(' ');

export const CITY_ALIASES: Readonly<Record<string, readonly string[]>> = {
  спб: ['санкт', 'петербург'],
  питер: ['санкт', 'петербург'],
  мск: ['москва'],
  екб: ['екатеринбург'],
  нск: ['новосибирск'],
};

export const REGION_WORDS = 'россия рф область обл край республика респ ао округ район р-н'.split(
  ' ',
);

/** Each kind is represented by its first spelling. */
export type KindsBySpelling = ReadonlyMap<string, readonly string[]>;

function bySpelling(lines: readonly string[], plain: (text: string) => string): KindsBySpelling {
  const kinds = new Map<string, string[]>();
  for (const line of lines) {
    const spellings = line.split(' ').map(plain);
    for (const spelling of spellings)
      kinds.set(spelling, [...(kinds.get(spelling) ?? []), spellings[0]!]);
  }

  return kinds;
}

/**
 * Returns the kinds of streets, including settlements without streets. `plain` normalizes a
 * spelling.
 */
export const streetKinds = (plain: (text: string) => string): KindsBySpelling =>
  bySpelling([...STREETS, ...SETTLEMENTS], plain);

export const cityKinds = (plain: (text: string) => string): KindsBySpelling =>
  bySpelling([...CITIES, ...SETTLEMENTS], plain);
