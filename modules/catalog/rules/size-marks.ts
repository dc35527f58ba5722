export type SizeKind =
  | 'LENGTH'
  | 'VOLUME'
  | 'PIECES'
  | 'WEIGHT'
  | 'SIZE'
  | 'PORTION'
  | 'NUMBER'
  | 'TEXT';

export type SizeMark = {
  kind: SizeKind;
  /** Centimeters, milliliters, pieces, grams, or the rank of a word; null for TEXT. */
  value: number | null;
  /** The written number, for options that are plain numbers. */
  written: number | null;
  /** Name of a new option. */
  label: string;
};

export type ReadName = {
  base: string;
  marks: SizeMark[];
};

type Unit = { kind: SizeKind; units: string; factor: number; label: (written: number) => string };

/** Rounds, because 1000.7 / 1000 is 1.0007000000000001. */
const decimal = (value: number): string =>
  String(Math.round(value * 100_000) / 100_000).replace('.', ',');
const metric = (value: number, small: string, large: string): string =>
  value >= 1000 ? `${decimal(value / 1000)} ${large}` : `${decimal(value)} ${small}`;

/** Longer spellings come first in each pattern. */
const UNITS: readonly Unit[] = [
  {
    kind: 'LENGTH',
    units: 'сантиметр(?:а|ов)?|см|cm',
    factor: 1,
    label: (n) => `${decimal(n)} см`,
  },
  {
    kind: 'LENGTH',
    units: 'дюйм(?:а|ов)?|inch(?:es)?|in|"|″|”',
    factor: 2.54,
    label: (n) => `${decimal(n)}″`,
  },
  {
    kind: 'VOLUME',
    units: 'миллилитр(?:а|ов)?|мл|ml',
    factor: 1,
    label: (n) => metric(n, 'мл', 'л'),
  },
  { kind: 'VOLUME', units: 'cl|сл', factor: 10, label: (n) => metric(n * 10, 'мл', 'л') },
  {
    kind: 'VOLUME',
    units: 'литр(?:а|ов)?|лит|л|l|liters?|litres?',
    factor: 1000,
    label: (n) => metric(n * 1000, 'мл', 'л'),
  },
  { kind: 'VOLUME', units: 'fl\\s?oz|oz', factor: 29.5735, label: (n) => `${decimal(n)} oz` },
  {
    kind: 'PIECES',
    units: 'штук[аи]?|шт|pieces|pcs|pc|кусочк(?:а|ов)|кусочек|куск(?:а|ов)|кус',
    factor: 1,
    label: (n) => `${decimal(n)} шт`,
  },
  {
    kind: 'WEIGHT',
    units: 'килограмм(?:а|ов)?|кг|kg',
    factor: 1000,
    label: (n) => metric(n * 1000, 'г', 'кг'),
  },
  {
    kind: 'WEIGHT',
    units: 'грамм(?:а|ов)?|гр|г|grams?|gr|g',
    factor: 1,
    label: (n) => metric(n, 'г', 'кг'),
  },
];

type Word = {
  kind: 'SIZE' | 'PORTION';
  rank: number;
  label: string;
  anywhere?: string;
  atEnd: string;
};

/** `anywhere` words may precede the dish; `atEnd` words must be last or in brackets. */
const WORDS: readonly Word[] = [
  { kind: 'SIZE', rank: 1, label: 'XS', atEnd: 'XS|мини|mini' },
  {
    kind: 'SIZE',
    rank: 2,
    label: 'S',
    anywhere: 'маленьк(?:ая|ий|ое|ие)|small',
    atEnd: 'S|мал|малая|малый|малое',
  },
  {
    kind: 'SIZE',
    rank: 3,
    label: 'M',
    anywhere: 'средн(?:яя|ий|ее|ие)|medium',
    atEnd: 'M|М|ср|стандарт(?:ная|ный|ное)?|regular|standard',
  },
  { kind: 'SIZE', rank: 4, label: 'L', anywhere: 'больш(?:ая|ой|ое|ие)|large', atEnd: 'L|бол' },
  {
    kind: 'SIZE',
    rank: 5,
    label: 'XL',
    atEnd: 'XL|ХL|огромн(?:ая|ый|ое)|гигант(?:ская|ский|ское)?|extra\\s?large',
  },
  { kind: 'SIZE', rank: 6, label: 'XXL', atEnd: 'XXL|ХХL|семейн(?:ая|ый|ое)|family' },
  {
    kind: 'PORTION',
    rank: 0.5,
    label: '½ порции',
    atEnd: 'полпорции|половинка|half|1/2(?:\\s?порции)?|½(?:\\s?порции)?',
  },
  {
    kind: 'PORTION',
    rank: 1,
    label: 'Одинарная',
    atEnd: 'одинарн(?:ая|ый|ое)|single|solo|соло|целая|целый',
  },
  { kind: 'PORTION', rank: 2, label: 'Двойная', atEnd: 'двойн(?:ая|ой|ое)|double|doppio' },
  { kind: 'PORTION', rank: 3, label: 'Тройная', atEnd: 'тройн(?:ая|ой|ое)|triple' },
];

const NO_LETTER_BEFORE = '(?<![\\p{L}\\d.,/])';
const NO_LETTER_AFTER = '(?![\\p{L}\\d])';
const NUMBER = '(\\d{1,5}(?:[.,]\\d{1,3})?)';
/** A lower-case letter is a word of the name, not a size. */
const isLetters = (text: string): boolean => /^[XSMLХМ]+$/i.test(text);

type Found = { mark: SizeMark; at: number; length: number };
type Reader = (text: string) => Found[];

const UNIT_READERS: readonly Reader[] = UNITS.map(({ kind, units, factor, label }) => {
  const pattern = new RegExp(
    `${NO_LETTER_BEFORE}${NUMBER}\\s?(?:${units})\\.?${NO_LETTER_AFTER}`,
    'giu',
  );

  return (text) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const written = Number(match[1]!.replace(',', '.'));
      if (!(written > 0)) return [];
      return [
        locateMark(match, { kind, value: round(written * factor), written, label: label(written) }),
      ];
    });
});

const DIAMETER = /[øØ∅⌀]\s?(\d{1,2}(?:[.,]\d)?)(?:\s?(?:см|cm)\.?)?(?![\p{L}\d])/gu;

const readDiameter: Reader = (text) =>
  [...text.matchAll(DIAMETER)].map((match) => {
    const written = Number(match[1]!.replace(',', '.'));
    return locateMark(match, {
      kind: 'LENGTH',
      value: written,
      written,
      label: `${decimal(written)} см`,
    });
  });

const WORD_READERS: readonly Reader[] = WORDS.flatMap(({ kind, rank, label, anywhere, atEnd }) => {
  const mark = (word: string): SizeMark => ({
    kind,
    value: rank,
    written: null,
    label: isLetters(word) || kind === 'PORTION' ? label : capitalized(word),
  });

  const reader =
    (pattern: RegExp): Reader =>
    (text) =>
      [...text.matchAll(pattern)].flatMap((match) => {
        const word = match[1]!;
        return isLetters(word) && word !== word.toUpperCase()
          ? []
          : [locateMark(match, mark(word))];
      });

  return [
    ...(anywhere === undefined
      ? []
      : [reader(new RegExp(`${NO_LETTER_BEFORE}(${anywhere})(?![\\p{L}\\d-])`, 'giu'))]),
    reader(new RegExp(`(?<=[\\s,/(\\[-])(${atEnd})\\.?(?=\\s*(?:$|[)\\],/]))`, 'giu')),
    reader(new RegExp(`^(${atEnd})\\.?$`, 'giu')),
  ];
});

const READERS: readonly Reader[] = [...UNIT_READERS, readDiameter, ...WORD_READERS];

/** Splits the name of a dish into base and sizes. */
export function readName(name: string): ReadName {
  const text = name.normalize('NFC').replace(/\s+/gu, ' ').trim();
  const all = READERS.flatMap((read) => read(text)).toSorted((a, b) => a.at - b.at);
  const marks: Found[] = [];
  for (const entry of all)
    if (marks.every((mark) => entry.at >= mark.at + mark.length)) marks.push(entry);
  let base = text;
  for (const { at, length } of marks.toReversed())
    base = `${base.slice(0, at)} ${base.slice(at + length)}`;

  return { base: tidy(base) || text, marks: marks.map(({ mark }) => mark) };
}

/** Text that is not recognized becomes TEXT. */
export function readSize(text: string): SizeMark {
  const trimmed = text.normalize('NFC').replace(/\s+/gu, ' ').trim();
  const [mark] = readName(trimmed).marks;
  if (mark !== undefined) return mark;
  const written = /^\d{1,5}(?:[.,]\d{1,3})?$/.test(trimmed)
    ? Number(trimmed.replace(',', '.'))
    : null;

  return written === null
    ? { kind: 'TEXT', value: null, written: null, label: trimmed }
    : { kind: 'NUMBER', value: written, written, label: trimmed };
}

/** Ignores case and punctuation, and treats ё as е. */
export function comparable(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replace(/[^\p{L}\d]+/gu, ' ')
    .trim();
}

function locateMark(match: RegExpExecArray | RegExpMatchArray, mark: SizeMark): Found {
  return { mark, at: match.index ?? 0, length: match[0].length };
}

/** Removes empty brackets, and punctuation at both ends. */
function tidy(base: string): string {
  return base
    .replace(/[([]\s*[)\]]/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ ([,.;])/g, '$1')
    .replace(/^[\s,.;:/|–—-]+|[\s,.;:/|([–—-]+$/g, '');
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();
}
