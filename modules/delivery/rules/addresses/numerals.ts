/** FUL-75. */

const NUMERALS: readonly (readonly [value: number, cardinals: string, ordinal: string])[] = [
  [1, 'один одна одно', 'перв'],
  [2, 'два две двух', 'втор'],
  [3, 'три трех', 'трет'],
  [4, 'четыре четырех', 'четверт'],
  [5, 'пять пяти', 'пят'],
  [6, 'шесть шести', 'шест'],
  [7, 'семь семи', 'седьм'],
  [8, 'восемь восьми', 'восьм'],
  [9, 'девять девяти', 'девят'],
  [10, 'десять десяти', 'десят'],
  [11, 'одиннадцать одиннадцати', 'одиннадцат'],
  [12, 'двенадцать двенадцати', 'двенадцат'],
  [13, 'тринадцать тринадцати', 'тринадцат'],
  [14, 'четырнадцать четырнадцати', 'четырнадцат'],
  [15, 'пятнадцать пятнадцати', 'пятнадцат'],
  [16, 'шестнадцать шестнадцати', 'шестнадцат'],
  [17, 'семнадцать семнадцати', 'семнадцат'],
  [18, 'восемнадцать восемнадцати', 'восемнадцат'],
  [19, 'девятнадцать девятнадцати', 'девятнадцат'],
  [20, 'двадцать двадцати', 'двадцат'],
  [30, 'тридцать тридцати', 'тридцат'],
  [40, 'сорок сорока', 'сороков'],
  [50, 'пятьдесят пятидесяти', 'пятидесят'],
  [60, 'шестьдесят шестидесяти', 'шестидесят'],
  [70, 'семьдесят семидесяти', 'семидесят'],
  [80, 'восемьдесят восьмидесяти', 'восьмидесят'],
  [90, 'девяносто девяноста', 'девяност'],
  [100, 'сто', 'сот'],
];

/** Endings by the suffix on maps; names such as «8 Марта» have none. */
const ENDINGS = {
  й: 'ый ий ой',
  я: 'ая ья',
  е: 'ое ье',
  '': 'ого его ьего ей ьей ые ьи ых ьих',
} as const;

const VALUE_OF = new Map(
  NUMERALS.flatMap(([value, words]) => words.split(' ').map((word) => [word, value] as const)),
);

const ORDINAL_OF = new Map(
  NUMERALS.flatMap(([value, , stem]) =>
    Object.entries(ENDINGS).flatMap(([ending, endings]) =>
      endings.split(' ').map((end) => [stem + end, { value, ending }] as const),
    ),
  ),
);

const ORDINAL = /^(\d+)-?(?:го|й|я|ая|ой|ый|ий|е|ое|ти|х|ых|ми|му|м|и)$/u;
/** Matches «50-летия», «50летия» and «пятидесятилетия». */
const YEARS = /^([\p{L}\d]+?)-?лет(?:ия|ие|ию)?$/u;
const ROMAN: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10, Х: 10 };
const ROMAN_NUMBER = /^([IVXХ]{2,})(?:-?(?:го|й|я|е))?$/u;

function toWords(word: string, typed: string): string[] {
  const roman = ROMAN_NUMBER.exec(typed)?.[1];
  if (roman !== undefined) return [String(romanValue(roman))];
  const digits = ORDINAL.exec(word)?.[1];
  if (digits !== undefined) return [digits];
  const years = YEARS.exec(word)?.[1];
  if (years !== undefined) {
    const count = /^\d+$/.test(years) ? years : VALUE_OF.get(years)?.toString();
    if (count !== undefined) return [count, 'лет'];
  }

  if (/^лети[яеюй]$/u.test(word)) return ['лет'];
  // Splits «8Марта» into two words.
  const [, number, name] = /^(\d+)(\p{L}{3,}.*)$/u.exec(word) ?? [];

  return number !== undefined && name !== undefined ? [number, name] : [word];
}

function romanValue(text: string): number {
  const values = Array.from(text, (letter) => ROMAN[letter]!);
  return values.reduce(
    (sum, value, at) => sum + (value < (values[at + 1] ?? 0) ? -value : value),
    0,
  );
}

/**
 * Converts numerals to digits, such as «двадцать пятого» to 25. `typed` contains the original
 * words.
 */
export function plainNumerals<W extends { text: string }>(
  tokens: readonly W[],
  typed: readonly string[],
): W[] {
  const plain: (W & { value?: number })[] = [];

  for (const [at, token] of tokens.entries()) {
    const value = VALUE_OF.get(token.text) ?? ORDINAL_OF.get(token.text)?.value;
    if (value === undefined) {
      plain.push(...toWords(token.text, typed[at]!).map((text) => ({ ...token, text })));
      continue;
    }

    const ten = plain.at(-1)?.value ?? 0;
    const isSum = ten >= 20 && ten < 100 && ten % 10 === 0 && value < 10;
    if (isSum) plain.pop();
    const sum = isSum ? ten + value : value;
    plain.push({ ...token, text: String(sum), value: sum });
  }

  return plain;
}

const lowerWord = (word: string): string => word.toLowerCase().replaceAll('ё', 'е');
const TENS = NUMERALS.filter(([value]) => value >= 20 && value < 100).map(
  ([, cardinals]) => cardinals.split(' ')[0]!,
);

const COUNTED = new RegExp(
  `(?<!\\p{L})(?:(${TENS.join('|')})\\s+)?(\\p{L}+)(?=(\\s+лет(?!\\p{L}))?)`,
  'giu',
);

/** Writes numerals as on maps: «1-я» for «первая», 8 for «восьмого», digits before «лет». */
export function mapNumerals(street: string): string {
  return street.replaceAll(
    COUNTED,
    (written: string, tens: string | undefined, word: string, years?: string) => {
      const ten = tens === undefined ? 0 : VALUE_OF.get(lowerWord(tens))!;
      // «Сорок лет»
      if (ten > 0 && lowerWord(word) === 'лет') return `${ten} ${word}`;
      const ordinal = ORDINAL_OF.get(lowerWord(word));
      const value =
        ordinal?.value ?? (years === undefined ? undefined : VALUE_OF.get(lowerWord(word)));
      if (value === undefined || (ten > 0 && value >= 10)) return written;
      const ending = ordinal === undefined || ordinal.ending === '' ? '' : `-${ordinal.ending}`;

      return `${ten + value}${ending}`;
    },
  );
}

export const isRoman = (typed: string): boolean => ROMAN_NUMBER.test(typed);
