import { typedText } from '../../../../kernel/pure/typed-text.ts';
import { plainWord } from './plain-word.ts';

/** Spellings of a word by which it is recognized. */
const wordSet = (spellings: string): ReadonlySet<string> => new Set(spellings.split(' ').map(plainWord));

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
const HOUSE_WORDS = wordSet('дом house зд здание');
const FIRST_WORDS = wordSet('д h');
/** Words that mean a number and nothing more. */
const NUMBER_WORDS = wordSet('номер no n');
/** Words of the way from the house to the door, with a number before or behind them. */
const DOOR_WORDS = wordSet(
  'кв квартира комната ком оф офис кабинет каб пом помещение апартаменты апарт ап apt flat ' +
    'подъезд под п-д парадная парадный парадное пар вход секция этаж эт домофон код',
);
/** Before a letter it is left out: maps write `4А` for `4 литера А`. */
const LETTER = plainWord('лит');
/** A letter that joins two numbers, as in `12 и 14`. */
const AND = plainWord('и');

/** A word or a number, and the signs and blanks before it. */
type Token = { text: string; before: string };

const isNumber = ({ text }: Token): boolean => /^\p{N}/u.test(text);
const isLetter = ({ text }: Token): boolean => /^\p{L}$/u.test(text);
const isHouseWord = ({ text }: Token): boolean => HOUSE_WORDS.has(text);
const isDoor = ({ text }: Token): boolean => DOOR_WORDS.has(text);

const TOKEN = /([^\p{L}\p{N}]*)(\p{L}+(?:-\p{L}+)*|\p{N}+)/gu;
/** `2-й` before a word, which is a number of an entrance or a building. */
const ORDINAL = /(\p{N})(?:-?(?:й|ый|ий|ой)|-(?:я|ая))\s+(?=\p{L}{2,})/gu;
/**
 * A fraction, a superscript or a circled number. In its plain form it would join the number before
 * it.
 */
const SMALL_NUMBER = /\p{No}/gu;
const FRACTION_SLASH = '\u2044';

function tokensOf(text: string): Token[] {
  const apart = text.replaceAll(SMALL_NUMBER, ' $&');
  const number = typedText(apart).toLowerCase().replaceAll('\\', '/').replaceAll(ORDINAL, '$1 ');
  const tokens = [...number.matchAll(TOKEN)].map(([, before = '', word = '']) => ({ text: plainWord(word), before }));
  return tokens.filter((token) => !NUMBER_WORDS.has(token.text));
}

/**
 * A house number as it is compared (rules FUL-55, FUL-74): parts are short, Latin letters that look
 * Cyrillic are Cyrillic, and the way to the door is left out: a flat, an entrance, a floor, and a
 * number behind that of the house. Numbers are joined only by a slash, a dash without blanks or a
 * part. A text that is not one house keeps its words apart, and is the number of no house.
 */
export function houseNumber(text: string): string {
  const tokens = tokensOf(withoutRemarks(text));
  return numberOf(tokens) ?? tokens.map((token) => token.text).join(' ');
}

/** The number of a text that is one house and begins with its number; null for any other text. */
export function houseOf(text: string): string | null {
  const number = numberOf(tokensOf(withoutRemarks(text)));
  return number !== null && /\p{N}/u.test(number) ? number : null;
}

/** Removes remarks in brackets, but no number and no part of the house. */
function withoutRemarks(text: string): string {
  const isRemark = (token: Token) =>
    !isNumber(token) && !isLetter(token) && !isDoor(token) && !isHouseWord(token) && partOf(token) === null;
  return text.replaceAll(/\(([^()]*)\)/g, (_, inside: string) =>
    tokensOf(inside).some(isRemark) ? ' ' : ` (${inside}) `,
  );
}

/** The parts of one house, joined; null for a text that names anything else. */
function numberOf(tokens: readonly Token[]): string | null {
  let house = '';
  /** Numbers behind the house that no word has named yet. */
  let loose = 0;
  let isAtDoor = false;
  if (tokens.some(({ before }) => before.includes(FRACTION_SLASH))) return null;
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]!;
    const [next, afterNext] = [tokens[at + 1], tokens[at + 2]];
    const part = partOf(token, next);
    if (isDoor(token)) {
      if (loose === 0 && !isAtDoor && mayOwn(token, tokens[at - 1], house, next)) return null;
      isAtDoor ||= house !== '';
      loose = 0;
      if (isValue(next)) at += 1;
      while (isValue(next) && isOfValue(tokens[at + 1])) at += 1;
    } else if (isHouseWord(token) || (FIRST_WORDS.has(token.text) && house === '' && next !== undefined)) {
      if (/\p{N}/u.test(house) && next !== undefined && isNumber(next)) return null;
    } else if (isNumber(token) && house === '' && next !== undefined && isDoor(next) && !isValue(afterNext)) {
      // The entrance comes first, as in «2 подъезд, дом 12».
      at += 1;
    } else if (part !== null && (!isAtDoor || token.text.length > 2)) {
      if (loose > 0) return null;
      house += part.text;
      if (part.takesNext) at += 1;
    } else if (isAtDoor) {
      continue;
    } else if (isNumber(token)) {
      const named = next === undefined || !/^\s+$/.test(next.before) ? null : partBehind(next, afterNext);
      const joiner = joinerOf(token, house);
      if (named !== null && (house === '' || joiner === null)) {
        house += `${named}${token.text}`;
        at += 1;
      } else if (house === '') house = token.text;
      else if (joiner !== null && loose === 0) house += joiner + token.text;
      else loose += 1;
    } else {
      const isAnd = token.text === AND && next !== undefined && isNumber(next) && next.before !== '';
      const isOfLoose = loose > 0 && token.before === '' && isLetter(token);
      if (isOfLoose) continue;
      if (loose > 0 || isAnd || isHouseAgain(token, next) || token.text.length > 2) return null;
      house += (token.before.trim() === '/' ? '/' : '') + token.text;
    }
  }
  return house;
}

/** Returns whether a letter behind a number means another house, as in `14 д. 3`. */
const isHouseAgain = (token: Token, next: Token | undefined): boolean =>
  FIRST_WORDS.has(token.text) &&
  token.before !== '' &&
  next !== undefined &&
  isNumber(next) &&
  !/[,;]/.test(next.before);

/** A value of a word: a number, or a letter. */
const isValue = (token: Token | undefined): boolean => token !== undefined && (isNumber(token) || isLetter(token));

/** A further part of a value, as in `кв. 5/7` and `кв. 5а`. */
const isOfValue = (token: Token | undefined): boolean =>
  isValue(token) && (/^\s?[/-]\s?$/.test(token!.before) || (token!.before === '' && isLetter(token!)));

/**
 * Returns whether the number right before a word of the door may be its number and the house's, as
 * in `5/2 подъезд`.
 */
function mayOwn({ before }: Token, number: Token | undefined, house: string, next: Token | undefined): boolean {
  if (number === undefined || !isNumber(number) || !/^[\s-]*$/.test(before)) return false;
  return isValue(next) ? house === number.text && /[,;]/.test(next!.before) : house !== '' && house !== number.text;
}

/** The sign between a number and the house before it; null when it is not a part of it. */
function joinerOf({ before }: Token, house: string): string | null {
  const sign = before.trim();
  if (sign === '/' || before === '-') return sign;
  return before === '' && /\p{L}$/u.test(house) ? '' : null;
}

/** Only blanks, dots and the like are between the word of a part and its value. */
const isNear = ({ before }: Token, word: string): boolean =>
  (word.length > 1 ? /^[\s.:#-]*$/ : /^[\s.]*$/).test(before);

/** The part that a word names, with its value behind it; null for any other word. */
function partOf(token: Token, next?: Token): { text: string; takesNext: boolean } | null {
  const part = PART_OF.get(token.text);
  if (part !== undefined) {
    const hasValue = next !== undefined && isValue(next) && isNear(next, token.text);
    if (!hasValue) return { text: part, takesNext: false };
    return { text: part === LETTER && isLetter(next) ? next.text : part + next.text, takesNext: true };
  }
  const prefix = JOINED.find(
    (spelling) => token.text.startsWith(spelling) && token.text.length === spelling.length + 1,
  );
  if (prefix === undefined) return null;
  const [joined, letter] = [PART_OF.get(prefix)!, token.text.slice(prefix.length)];
  return { text: joined === LETTER ? letter : joined + letter, takesNext: false };
}

/** The part that a word names with its number before it, as in «2 корпус»; null for any other. */
function partBehind(word: Token, next: Token | undefined): string | null {
  const hasOwn = next !== undefined && isValue(next) && isNear(next, word.text);
  return word.text.length > 2 && !hasOwn ? (PART_OF.get(word.text) ?? null) : null;
}

/**
 * The numbers of a house on a map, where one building may have several, as in `12;14` (rule
 * FUL-74).
 */
export function mapNumbers(house: string): ReadonlySet<string> {
  return new Set([house, ...house.split(/[;,+](?=\s*\p{N})/u)].map(houseNumber));
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
  const number = houseNumber(house);
  return number.endsWith(named) ? house : `${number === '' ? house : number} ${named}`;
}
