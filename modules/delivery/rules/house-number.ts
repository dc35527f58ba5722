import { typedText } from '../../../kernel/pure/typed-text.ts';
import { plainWord } from './address-names.ts';

/** Parts of a house number with their spellings; the first one is how maps write the part. */
const PARTS = [
  'к корпус корп кор',
  'с строение строен стр',
  'лит литера литер',
  'вл владение влад домовладение двлд',
  'соор сооружение сооруж',
  'фл флигель флиг',
  'уч участок уч-к',
];
const PART_OF = new Map(
  PARTS.flatMap((line) => {
    const spellings = line.split(' ').map(plainWord);
    return spellings.map((spelling) => [spelling, spellings[0]!] as const);
  }),
);
/** Longer spellings that may be written together with a letter, as in `литБ`. */
const JOINED = [...PART_OF.keys()].filter((spelling) => spelling.length > 2).toSorted((a, b) => b.length - a.length);
/** Words that mean a house and nothing more. */
const HOUSE_WORDS = new Set(['дом', 'house', 'номер', 'no', 'n', 'зд', 'здание'].map(plainWord));
const FIRST_WORDS = new Set(['д', 'h'].map(plainWord));
/** Before a letter it is left out: maps write `4А` for `4 литера А`. */
const LETTER = plainWord('лит');
/** A flat, an office, an entrance or a floor behind the number. */
const DOOR = /[\s,;]+(?:кв|квартира|оф|офис|пом|помещение|подъезд|под|п-д|эт|этаж|apt|flat)(?![\p{L}])[\s\S]*$/u;

/**
 * A house number as it is compared (rule FUL-55): parts are short, nothing is between them, Latin
 * letters that look Cyrillic are Cyrillic, and the flat is omitted.
 */
export function houseNumber(text: string): string {
  const number = typedText(text).toLowerCase().replace(DOOR, '');
  const tokens = number.match(/\p{L}+(?:-\p{L}+)*|\p{N}+|\/|-(?=\p{N})/gu) ?? [];
  return tokens
    .map((token, at) => numberPart(plainWord(token), at === 0 && tokens.length > 1, tokens[at + 1] ?? ''))
    .join('');
}

function numberPart(token: string, isFirst: boolean, next: string): string {
  if (HOUSE_WORDS.has(token) || (isFirst && FIRST_WORDS.has(token))) return '';
  const part = PART_OF.get(token);
  if (part !== undefined) return part === LETTER && /^\p{L}$/u.test(next) ? '' : part;
  const prefix = JOINED.find((spelling) => token.startsWith(spelling) && token.length === spelling.length + 1);
  if (prefix === undefined) return token;
  const [joined, letter] = [PART_OF.get(prefix)!, token.slice(prefix.length)];
  return joined === LETTER ? letter : `${joined}${letter}`;
}

/**
 * The house number of an address with a building (rule FUL-54): a number is a «корпус», a letter is
 * a part of the house, and a part that the building names stays. A building without a letter and a
 * digit is none, and one that the house names already is not repeated.
 */
export function houseWithBuilding(house: string, building: string | null): string {
  const part = houseNumber(building ?? '');
  if (!/[\p{L}\p{N}]/u.test(part)) return house;
  const named = /^\p{N}/u.test(part) ? `к${part}` : part;
  return houseNumber(house).endsWith(named) ? house : `${house} ${named}`;
}
