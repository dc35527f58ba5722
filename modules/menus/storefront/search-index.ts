import MiniSearch, { type Query, type SearchOptions } from 'minisearch';
import type { MenuContent, MenuProduct } from '../rules/snapshot/menu-parts.ts';
import { createCompounds } from './compounds.ts';
import { nearBeginnings } from './near-beginnings.ts';
import { queryWords, listTerms, type SearchWord } from './search-terms.ts';

/** Returns ids by rank. */
export type SearchIndex = { search(query: string): number[] };

export type SearchEntry = {
  id: number;
  name: string;
  subtitle: string;
  composition: string;
  categories: string;
};

/** Matches of the category rank below direct matches. */
const BOOST = { name: 6, subtitle: 2, composition: 1, categories: 1.5 } as const;
const FIELDS = Object.keys(BOOST) as (keyof typeof BOOST)[];
/** Weight relative to the typed spelling. */
const OTHER_LAYOUT = 0.6;
/** STO-15. */
const MOST_WORDS = 8;
/** Products per turn of the event loop. */
const CHUNK = 200;

/**
 * Indexes names and compositions (STO-7, STO-21). Equal matches keep the order of entries, so pages
 * never overlap. Indexes in steps, so that other requests are served.
 */
export async function createSearchIndex(entries: readonly SearchEntry[]): Promise<SearchIndex> {
  const index = new MiniSearch<SearchEntry>({
    fields: FIELDS,
    tokenize: (text) => listTerms(text),
    processTerm: (term) => term,
    searchOptions: { tokenize: (term) => [term], processTerm: (term) => term },
  });

  await index.addAllAsync(entries, { chunkSize: CHUNK });
  const vocabulary = new Set(
    entries.flatMap((entry) => FIELDS.flatMap((field) => listTerms(entry[field]))),
  );
  const compounds = createCompounds(entries, vocabulary);

  return {
    search(query) {
      const words = within(queryWords(query));
      const last = words.at(-1);
      if (last === undefined) return [];
      const all = find(index, words, 'AND');
      const written = new Set(all);
      const others = compounds
        .find(words, (word) => find(index, [word], 'AND'))
        .filter((id) => !written.has(id));
      if (others.length > 0)
        return isWritten(words, vocabulary) ? [...all, ...others] : [...others, ...all];

      if (all.length > 0) return all;
      const misspelt = find(
        index,
        [...words.slice(0, -1), withNearBeginnings(last, vocabulary)],
        'AND',
      );

      // A word without matches must not hide the matches of other words.
      return misspelt.length > 0 || words.length === 1 ? misspelt : find(index, words, 'OR');
    },
  };
}

/** Each word scans all texts. Keeps the last word. */
function within(words: readonly SearchWord[]): readonly SearchWord[] {
  return words.length <= MOST_WORDS ? words : [...words.slice(0, MOST_WORDS - 1), words.at(-1)!];
}

function isWritten(words: readonly SearchWord[], vocabulary: ReadonlySet<string>): boolean {
  const last = words.at(-1)!;
  const begins = (term: string) => last.typed.some((typed) => term.startsWith(typed));

  return words.every(
    (word) =>
      word.typed.some((term) => vocabulary.has(term)) ||
      (word === last && [...vocabulary].some(begins)),
  );
}

/** The last word may be incomplete and misspelled. */
function withNearBeginnings(word: SearchWord, vocabulary: ReadonlySet<string>): SearchWord {
  const near = word.typed.flatMap((term) => nearBeginnings(term, vocabulary));
  return { ...word, typed: [...new Set([...word.typed, ...near])] };
}

/** Menus with equal entries can share one index. */
export function searchEntries(menu: Pick<MenuContent, 'products' | 'categories'>): SearchEntry[] {
  const names = new Map(menu.categories.map((category) => [category.id, category.name]));
  return menu.products.map((product) => toEntry(product, names));
}

function toEntry(product: MenuProduct, categoryNames: ReadonlyMap<number, string>): SearchEntry {
  return {
    id: product.id,
    name: product.name,
    subtitle: product.subtitle ?? '',
    composition: product.composition ?? '',
    categories: product.categoryIds.flatMap((id) => categoryNames.get(id) ?? []).join(' '),
  };
}

function find(
  index: MiniSearch<SearchEntry>,
  words: readonly SearchWord[],
  combineWith: 'AND' | 'OR',
): number[] {
  const queries = words.map((word, at) => buildQuery(word, at === words.length - 1));
  return index.search({ combineWith, queries }).map((result) => Number(result.id));
}

function buildQuery(word: SearchWord, isLast: boolean): Query {
  const spelling = (term: string, share: number): Query => ({
    queries: [term],
    ...options(term, isLast, share),
  });

  return {
    combineWith: 'OR',
    queries: [
      ...word.typed.map((term) => spelling(term, 1)),
      ...word.otherLayout.map((term) => spelling(term, OTHER_LAYOUT)),
    ],
  };
}

function options(term: string, isLast: boolean, share: number): SearchOptions {
  const isNumber = /^\p{N}/u.test(term);
  return {
    boost: Object.fromEntries(FIELDS.map((field) => [field, BOOST[field] * share])),
    // The last word may be incomplete, and endings of longer words differ.
    prefix: !isNumber && (isLast || term.length >= 4),
    fuzzy: isNumber ? false : slips(term.length),
    weights: { prefix: 0.5, fuzzy: 0.25 },
  };
}

/** Allowed typos. */
function slips(length: number): number | false {
  if (length < 4) return false;
  return length < 7 ? 1 : 2;
}
