import type { SearchEntry } from '../../../modules/menus/storefront/search-index.ts';

const QUERY_CHARACTERS = 100;

const SYLLABLES = [
  'ба',
  'ви',
  'го',
  'ду',
  'же',
  'зо',
  'ка',
  'ло',
  'мя',
  'ну',
  'пи',
  'ро',
  'са',
  'ту',
  'фе',
  'хо',
  'ча',
  'ши',
];

/** Builds products with as many different words as possible. */
export function wideEntries(products: number): SearchEntry[] {
  const word = (at: number) => {
    let text = '';
    for (let rest = at * 7 + 11; text.length < 8; rest = Math.floor(rest / SYLLABLES.length) + at)
      text += SYLLABLES[rest % SYLLABLES.length]!;
    return text;
  };
  return Array.from({ length: products }, (_, at) => ({
    id: at + 1,
    name: `${word(at)} ${word(at + 5_000)}`,
    subtitle: word(at % 300),
    composition: [1, 2, 3, 4, 5].map((value) => word((at * value) % 1_500)).join(', '),
    categories: word(at % 40),
  }));
}

/**
 * As many of the most frequent words as fit, whole, misspelled, cut off, without spaces, with a
 * last word without hits, and in the other keyboard layout.
 */
export function worstQueries(entries: readonly SearchEntry[]): string[] {
  const counts = new Map<string, number>();
  for (const entry of entries)
    for (const word of new Set(splitWords(Object.values(entry).join(' '))))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  const common = [...counts].toSorted(([, a], [, b]) => b - a).map(([word]) => word);
  const ofLength = (least: number, most: number) =>
    common.filter((word) => word.length >= least && word.length <= most);
  const long = ofLength(7, 9);
  const misspelt = (words: string[]) => words.map((word) => `${word.slice(0, 2)}ъ${word.slice(3)}`);
  const beginnings = [...new Set(common.map((word) => word.slice(0, 4)))];
  const sets = [
    common,
    long,
    ofLength(4, 6),
    ofLength(1, 3),
    misspelt(long),
    misspelt(ofLength(4, 6)),
    beginnings,
  ];
  const queries = sets.map(filled).filter((query) => query !== '');
  return [
    ...queries,
    ...queries.map((query) => `${query.slice(0, 90)} ъыъыъыъ`),
    ...queries.map((query) => `${query.slice(0, 98)} ${common[0]![0]}`),
    ...queries.map((query) => query.replaceAll(' ', '-')),
    'йцукенг фывапро ячсмить ролджэх кенгшщз вапролд смитьбю авыфячс цукенгш ывапрол чсмитьб олджэхъ',
    'nfk,jnb cj,frf vjhrjdm rfhnjatkm cvtnfyf pfrecrb ltcthns cfkfns ,kbys gbhjub rjvgjn xfq',
    common[0]![0]!,
    'к'.repeat(QUERY_CHARACTERS),
  ];
}

const splitWords = (text: string) => text.toLowerCase().match(/\p{L}+/gu) ?? [];

function filled(words: readonly string[]): string {
  let query = '';
  for (const word of words) {
    const longer = `${query} ${word}`.trim();
    if (longer.length > QUERY_CHARACTERS) break;
    query = longer;
  }
  return query;
}
