import { typedText } from '../../../../kernel/pure/typed-text.ts';
import { plainWord } from './plain-word.ts';

const wordSet = (spellings: string): ReadonlySet<string> =>
  new Set(spellings.split(' ').map(plainWord));

/** Maps use the first spelling. */
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

/** Found without a space too, as in `литБ`. */
const JOINED = [...PART_OF.keys()]
  .filter((spelling) => spelling.length > 2)
  .toSorted((a, b) => b.length - a.length);
const HOUSE_WORDS = wordSet('дом house зд здание');
const FIRST_WORDS = wordSet('д h');
const NUMBER_WORDS = wordSet('номер no n');

/** May precede or follow a number. */
const DOOR_WORDS = wordSet(
  'кв квартира комната ком оф офис кабинет каб пом помещение апартаменты апарт ап apt flat ' +
    'подъезд под п-д парадная парадный парадное пар вход секция этаж эт домофон код',
);

/** Maps write `4А` for `4 литера А`. */
const LETTER = plainWord('лит');
/** Joins numbers, as in `12 и 14`. */
const AND = plainWord('и');

type Token = { text: string; before: string };

const isNumber = ({ text }: Token): boolean => /^\p{N}/u.test(text);
const isLetter = ({ text }: Token): boolean => /^\p{L}$/u.test(text);
const isHouseWord = ({ text }: Token): boolean => HOUSE_WORDS.has(text);
const isDoor = ({ text }: Token): boolean => DOOR_WORDS.has(text);

const TOKEN = /([^\p{L}\p{N}]*)(\p{L}+(?:-\p{L}+)*|\p{N}+)/gu;
/** Matches ordinals, as in «2-й подъезд». */
const ORDINAL = /(\p{N})(?:-?(?:й|ый|ий|ой)|-(?:я|ая))\s+(?=\p{L}{2,})/gu;
/** Normalization would join these digits to the preceding number. */
const SMALL_NUMBER = /\p{No}/gu;
const FRACTION_SLASH = '\u2044';

function splitTokens(text: string): Token[] {
  const apart = text.replaceAll(SMALL_NUMBER, ' $&');
  const number = typedText(apart).toLowerCase().replaceAll('\\', '/').replaceAll(ORDINAL, '$1 ');
  const tokens = [...number.matchAll(TOKEN)].map(([, before = '', word = '']) => ({
    text: plainWord(word),
    before,
  }));

  return tokens.filter((token) => !NUMBER_WORDS.has(token.text));
}

/**
 * Normalizes a house number (FUL-55, FUL-74): abbreviates parts, uses Cyrillic letters, and removes
 * flat, entrance and floor. A text that is not a single house matches no house.
 */
export function houseNumber(text: string): string {
  const tokens = splitTokens(withoutRemarks(text));
  return readNumber(tokens) ?? tokens.map((token) => token.text).join(' ');
}

/** Returns the number, or null if the text is not a single house. */
export function parseHouse(text: string): string | null {
  const number = readNumber(splitTokens(withoutRemarks(text)));
  return number !== null && /\p{N}/u.test(number) ? number : null;
}

/** Removes remarks in parentheses, but keeps numbers, doors and parts of the house there. */
function withoutRemarks(text: string): string {
  const isRemark = (token: Token) =>
    !isNumber(token) &&
    !isLetter(token) &&
    !isDoor(token) &&
    !isHouseWord(token) &&
    readPart(token) === null;

  return text.replaceAll(/\(([^()]*)\)/g, (_, inside: string) =>
    splitTokens(inside).some(isRemark) ? ' ' : ` (${inside}) `,
  );
}

function readNumber(tokens: readonly Token[]): string | null {
  let house = '';
  /** Numbers after the house that no word explains. */
  let loose = 0;
  let isAtDoor = false;
  if (tokens.some(({ before }) => before.includes(FRACTION_SLASH))) return null;

  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]!;
    const [next, afterNext] = [tokens[at + 1], tokens[at + 2]];
    const part = readPart(token, next);
    if (isDoor(token)) {
      if (loose === 0 && !isAtDoor && mayOwn(token, tokens[at - 1], house, next)) return null;
      isAtDoor ||= house !== '';
      loose = 0;
      if (isValue(next)) at += 1;
      while (isValue(next) && isOfValue(tokens[at + 1])) at += 1;
    } else if (
      isHouseWord(token) ||
      (FIRST_WORDS.has(token.text) && house === '' && next !== undefined)
    ) {
      if (/\p{N}/u.test(house) && next !== undefined && isNumber(next)) return null;
    } else if (
      isNumber(token) &&
      house === '' &&
      next !== undefined &&
      isDoor(next) &&
      !isValue(afterNext)
    ) {
      // Example: «2 подъезд, дом 12».
      at += 1;
    } else if (part !== null && (!isAtDoor || token.text.length > 2)) {
      if (loose > 0) return null;
      house += part.text;
      if (part.takesNext) at += 1;
    } else if (isAtDoor) {
      continue;
    } else if (isNumber(token)) {
      const named =
        next === undefined || !/^\s+$/.test(next.before) ? null : partBehind(next, afterNext);
      const joiner = findJoiner(token, house);
      if (named !== null && (house === '' || joiner === null)) {
        house += `${named}${token.text}`;
        at += 1;
      } else if (house === '') house = token.text;
      else if (joiner !== null && loose === 0) house += joiner + token.text;
      else loose += 1;
    } else {
      const isAnd =
        token.text === AND && next !== undefined && isNumber(next) && next.before !== '';
      const isOfLoose = loose > 0 && token.before === '' && isLetter(token);
      if (isOfLoose) continue;
      if (loose > 0 || isAnd || isHouseAgain(token, next) || token.text.length > 2) return null;
      house += (token.before.trim() === '/' ? '/' : '') + token.text;
    }
  }

  return house;
}

/** Example: `14 д. 3`. */
const isHouseAgain = (token: Token, next: Token | undefined): boolean =>
  FIRST_WORDS.has(token.text) &&
  token.before !== '' &&
  next !== undefined &&
  isNumber(next) &&
  !/[,;]/.test(next.before);

const isValue = (token: Token | undefined): boolean =>
  token !== undefined && (isNumber(token) || isLetter(token));

/** Examples: `кв. 5/7` and `кв. 5а`. */
const isOfValue = (token: Token | undefined): boolean =>
  isValue(token) &&
  (/^\s?[/-]\s?$/.test(token!.before) || (token!.before === '' && isLetter(token!)));

/** Returns true if a number may belong to both the house and the entrance, as in `5/2 подъезд`. */
function mayOwn(
  { before }: Token,
  number: Token | undefined,
  house: string,
  next: Token | undefined,
): boolean {
  if (number === undefined || !isNumber(number) || !/^[\s-]*$/.test(before)) return false;
  return isValue(next)
    ? house === number.text && /[,;]/.test(next!.before)
    : house !== '' && house !== number.text;
}

/** Returns null if the number is not a part of the house. */
function findJoiner({ before }: Token, house: string): string | null {
  const sign = before.trim();
  if (sign === '/' || before === '-') return sign;
  return before === '' && /\p{L}$/u.test(house) ? '' : null;
}

const isNear = ({ before }: Token, word: string): boolean =>
  (word.length > 1 ? /^[\s.:#-]*$/ : /^[\s.]*$/).test(before);

/** Reads a value that follows the word. */
function readPart(token: Token, next?: Token): { text: string; takesNext: boolean } | null {
  const part = PART_OF.get(token.text);
  if (part !== undefined) {
    const hasValue = next !== undefined && isValue(next) && isNear(next, token.text);
    if (!hasValue) return { text: part, takesNext: false };

    return {
      text: part === LETTER && isLetter(next) ? next.text : part + next.text,
      takesNext: true,
    };
  }

  const prefix = JOINED.find(
    (spelling) => token.text.startsWith(spelling) && token.text.length === spelling.length + 1,
  );
  if (prefix === undefined) return null;

  const [joined, letter] = [PART_OF.get(prefix)!, token.text.slice(prefix.length)];

  return { text: joined === LETTER ? letter : joined + letter, takesNext: false };
}

/** Example: «2 корпус». */
function partBehind(word: Token, next: Token | undefined): string | null {
  const hasOwn = next !== undefined && isValue(next) && isNear(next, word.text);
  return word.text.length > 2 && !hasOwn ? (PART_OF.get(word.text) ?? null) : null;
}

/** Returns the numbers of a building on a map, such as `12;14` (FUL-74). */
export function mapNumbers(house: string): ReadonlySet<string> {
  return new Set([house, ...house.split(/[;,+](?=\s*\p{N})/u)].map(houseNumber));
}

/**
 * Adds a building to a house number: a number becomes a «корпус», a letter is appended (FUL-54).
 */
export function houseWithBuilding(house: string, building: string | null): string {
  const part = houseNumber(building ?? '');
  if (!/[\p{L}\p{N}]/u.test(part)) return house;
  const named = /^\p{N}/u.test(part) ? `к${part}` : part;
  const number = houseNumber(house);
  return number.endsWith(named) ? house : `${number === '' ? house : number} ${named}`;
}
