import { typedText } from '../../../../kernel/pure/typed-text.ts';
import { isRoman, mapNumerals, plainNumerals } from './numerals.ts';
import { plainWord } from './plain-word.ts';
import { withoutHouse } from './written-street.ts';
import {
  CITY_ALIASES,
  cityKinds,
  OPTIONAL_CITY_WORDS,
  OPTIONAL_STREET_WORDS,
  REGION_WORDS,
  streetKinds,
  type KindsBySpelling,
} from './address-kinds.ts';

/** A short word may abbreviate a longer one. */
type Word = { text: string; isShort: boolean };

/** One interpretation of a text. An abbreviation has several kinds. */
type Name = { kinds: readonly (readonly string[])[]; words: readonly Word[] };

type Reading = {
  kindsOf: KindsBySpelling;
  optional: ReadonlySet<string>;
  areInitialsOptional: boolean;
};

const STREETS: Reading = {
  kindsOf: streetKinds(plainWord),
  optional: new Set(OPTIONAL_STREET_WORDS),
  areInitialsOptional: true,
};

const CITIES: Reading = {
  kindsOf: cityKinds(plainWord),
  optional: new Set(OPTIONAL_CITY_WORDS),
  areInitialsOptional: false,
};

const REGIONS = new Set(REGION_WORDS);
const GENERIC = 'улица';
const TOKEN = /[\p{L}\p{N}]+(?:[-/][\p{L}\p{N}]+)*\.?/gu;
/** Limits the number of interpretations, which each ambiguous abbreviation doubles. */
const MOST_OPEN = 4;
const ADJECTIVE = /(?:ая|яя|ое|ее|ый|ий|ой|ие|ые)$/u;
const isInitial = (text: string): boolean => /^\p{L}$/u.test(text);

function splitTokens(text: string): Word[] {
  const tokens = typedText(text).match(TOKEN) ?? [];
  const typed = tokens.map((token) => token.replace(/\.$/, ''));
  const words = typed.map((token, at) => {
    const word = plainWord(token);
    return { text: word, isShort: isInitial(word) || tokens[at]!.endsWith('.') };
  });

  return plainNumerals(words, typed);
}

/** «ш.» and «ст.» may be kinds or abbreviated names. */
function parseNames(text: string, { kindsOf, optional }: Reading): Name[] {
  const tokens = splitTokens(text);
  const isKnown = ({ text: word }: Word) => kindsOf.has(word) || optional.has(word);
  const open = tokens.filter((token) => token.isShort && token.text.length <= 2 && isKnown(token));

  return listSubsets(open.slice(0, MOST_OPEN)).map((abbreviations) => {
    const isRead = (token: Word) => !abbreviations.includes(token);
    const kinds = tokens.filter((token) => isRead(token) && kindsOf.has(token.text));
    const others = tokens.filter((token) => !kinds.includes(token));
    const telling = others.filter((token) => !isRead(token) || !optional.has(token.text));
    const words = [telling, others].find((list) => list.length > 0)?.flatMap(splitParts) ?? [];

    return words.length > 0 ? { kinds: kindsIn(kinds, kindsOf), words } : onlyKinds(kinds, kindsOf);
  });
}

const listSubsets = <T>(list: readonly T[]): T[][] =>
  list.reduce<T[][]>(
    (subsets, item) => [...subsets, ...subsets.map((subset) => [...subset, item])],
    [[]],
  );

const kindsIn = (tokens: readonly Word[], kindsOf: KindsBySpelling) =>
  tokens.map(({ text }) => kindsOf.get(text) ?? []);

/** For names such as «Набережная улица», treats the more specific kind as the name. */
function onlyKinds(tokens: readonly Word[], kindsOf: KindsBySpelling): Name {
  const isGeneric = ({ text }: Word) => kindsOf.get(text)?.includes(GENERIC) === true;
  const special = tokens.filter((token) => !isGeneric(token));
  if (special.length === 0) return { kinds: [], words: tokens };
  return { kinds: kindsIn(tokens.filter(isGeneric), kindsOf), words: special };
}

function splitParts({ text, isShort }: Word): Word[] {
  const parts = text.split(/[-/]/).flatMap((part) => CITY_ALIASES[part] ?? [part]);
  return parts.map((part, at) => ({
    text: part,
    isShort: isInitial(part) || (isShort && at === parts.length - 1),
  }));
}

const MOST_JOINED = 3;

/** Joins words that the other text writes as one word (FUL-75). */
function joined(words: readonly Word[], other: readonly Word[]): Word[] {
  const names = new Set(other.map(({ text }) => text));
  const result: Word[] = [];

  for (let at = 0; at < words.length; at += 1) {
    const ends = Array.from({ length: MOST_JOINED - 1 }, (_, more) => at + more + 2);
    const parts = ends.map((end) => words.slice(at, end)).find((list) => isOneWord(list, names));
    result.push(parts === undefined ? words[at]! : { text: joinWords(parts), isShort: false });
    at += (parts?.length ?? 1) - 1;
  }

  return result;
}

const joinWords = (words: readonly Word[]): string => words.map(({ text }) => text).join('');
const isOneWord = (words: readonly Word[], names: ReadonlySet<string>): boolean =>
  words.every(({ text, isShort }) => !isShort && /^\p{L}+$/u.test(text)) &&
  names.has(joinWords(words));

function areWordsSame(
  one: readonly Word[],
  other: readonly Word[],
  areInitialsOptional: boolean,
): boolean {
  const rest = [...other];
  const take = (fits: (word: Word) => boolean): Word | undefined => {
    const at = rest.findIndex(fits);
    return at < 0 ? undefined : rest.splice(at, 1)[0];
  };

  const common: Word[] = [];
  const differing: Word[] = [];
  for (const word of one)
    (take(({ text }) => text === word.text) === undefined ? differing : common).push(word);
  const surplus = differing.filter(
    (word) =>
      take(
        ({ text, isShort }) =>
          (word.isShort && text.startsWith(word.text)) || (isShort && word.text.startsWith(text)),
      ) === undefined,
  );

  const full = common.filter(({ text }) => !isInitial(text));
  if (full.length === 0) return false;
  const over = [...surplus, ...rest];
  if (over.length === 0) return true;
  const isPerson = full.every(({ text }) => !ADJECTIVE.test(text));

  return areInitialsOptional && isPerson && over.every(({ text }) => isInitial(text));
}

function mayKindsBeSame(one: Name['kinds'], other: Name['kinds']): boolean {
  const kinds = new Set(other.flat());
  return one.length === 0 || other.length === 0 || one.flat().some((kind) => kinds.has(kind));
}

type SameName = (other: string) => boolean;

/**
 * Compares streets, ignoring spelling and word order, and the kind if only one name has it
 * (FUL-55).
 */
export const writtenStreetAs = (street: string): SameName => sameNameAs(street, STREETS);

/** Also ignores remarks in parentheses and a house after a comma (FUL-75). */
export function sameStreetAs(street: string): SameName {
  const { name } = withoutHouse(street);
  const [isWritten, isNamed] = [
    writtenStreetAs(street),
    name === street ? null : writtenStreetAs(name),
  ];

  return (other) => isWritten(other) || isNamed?.(other) === true;
}

function sameNameAs(text: string, reading: Reading): SameName {
  const names = parseNames(text, reading);
  const areSame = (name: Name, rival: Name) =>
    mayKindsBeSame(name.kinds, rival.kinds) &&
    areWordsSame(
      joined(name.words, rival.words),
      joined(rival.words, name.words),
      reading.areInitialsOptional,
    );

  return (other) =>
    parseNames(other, reading).some((rival) => names.some((name) => areSame(name, rival)));
}

/** Skips regions and the country. */
function findSettlement(written: string): string {
  const parts = written.split(',').filter((part) => splitTokens(part).length > 0);
  const isRegion = (part: string) => splitTokens(part).some(({ text }) => REGIONS.has(text));
  return parts.find((part) => !isRegion(part)) ?? written;
}

/** Compares settlements (FUL-55). */
export const sameCityAs = (written: string): SameName =>
  sameNameAs(findSettlement(written), CITIES);

/** Returns the kinds of a street as text, possibly empty. */
export function findStreetKind(street: string): string {
  const [name] = parseNames(street, STREETS);
  return [...new Set(name?.kinds.flat())].toSorted().join(' ');
}

const CITY_KIND = 'город';

/** Formats a settlement for geocoders (FUL-62), without region and «город». */
export function geocodedCity(city: string): string {
  const isCity = (word: string) => CITIES.kindsOf.get(word)?.includes(CITY_KIND) === true;
  return withoutWords(findSettlement(city), (word) => (isCity(word) ? '' : null));
}

/**
 * Formats a street for geocoders (FUL-62). An initial next to an adjective belongs to the name («М.
 * Грузинская»).
 */
export function geocodedStreet(street: string): string {
  const isKind = (word: string) => STREETS.kindsOf.has(word);
  const isPerson = splitTokens(street).every(({ text }) => isKind(text) || !ADJECTIVE.test(text));

  return withoutWords(mapNumerals(street), (word) => {
    const kinds = STREETS.kindsOf.get(word) ?? [];
    if (kinds.length === 1 && !isInitial(word)) return `${kinds[0]!} `;
    return kinds.length === 0 && ((isPerson && isInitial(word)) || STREETS.optional.has(word))
      ? ''
      : null;
  });
}

/** A null replacement keeps the word. Also replaces Latin letters that look Cyrillic. */
function withoutWords(text: string, replacement: (word: string) => string | null): string {
  const typed = typedText(text);
  const newText = typedText(
    typed.replaceAll(TOKEN, (token) => {
      const word = plainWord(token.replace(/\.$/, ''));
      const isCyrillic = /[a-z]/i.test(token) && /^[^a-z]+$/.test(word) && !isRoman(token);
      const plainToken = isCyrillic ? token.replace(/^[^.]+/, word) : token;
      return replacement(word) ?? plainToken;
    }),
  );

  return /[\p{L}\p{N}]/u.test(newText) ? newText : typed;
}
