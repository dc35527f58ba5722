import type { VariantSuggestions } from '../schemas/catalog.ts';
import { toSlug } from './slug.ts';
import { comparable, readName, readSize, type SizeKind, type SizeMark } from './size-marks.ts';

export type SuggestionAxis = {
  id: number;
  code: string;
  name: string;
  options: readonly { id: number; code: string; name: string; shortName: string | null }[];
};

export type SuggestionSize = {
  itemId: string;
  itemSizeId: number;
  itemName: string;
  /** Null for a dish without sizes. */
  sizeName: string | null;
  sizeCode: string | null;
  sku: string | null;
  boundProduct: { id: number; name: string } | null;
};

/** `id` is null for a proposed option. */
export type DetectedOption = { id: number | null; code: string; name: string };
export type DetectedAxis = { id: number | null; code: string; name: string };

const MOST_CANDIDATES = 50;

/** Axes proposed for sizes that match none of ours, with the preferred kind first. */
const PROPOSED: Readonly<Record<SizeKind, { code: string; name: string; certainty: number }>> = {
  LENGTH: { code: 'DIAMETER', name: 'Диаметр', certainty: 0.9 },
  VOLUME: { code: 'VOLUME', name: 'Объём', certainty: 0.9 },
  PIECES: { code: 'PIECES', name: 'Количество', certainty: 0.9 },
  WEIGHT: { code: 'WEIGHT', name: 'Вес', certainty: 0.9 },
  SIZE: { code: 'SIZE', name: 'Размер', certainty: 0.8 },
  PORTION: { code: 'PORTION', name: 'Порция', certainty: 0.7 },
  NUMBER: { code: 'SIZE', name: 'Размер', certainty: 0.6 },
  TEXT: { code: 'KIND', name: 'Вид', certainty: 0.5 },
};

const KINDS = Object.keys(PROPOSED) as SizeKind[];
/** Alone, these are often a part of the dish's name. */
const NEEDS_COMPANY: readonly SizeKind[] = ['SIZE', 'PORTION'];

const CERTAIN = 1;
const UNREAD = 0.4;
/** Certainty for dishes with the same base name and group. */
const SIBLING = 0.95;
/** Only one of two sizes with the same option can become a variant. */
const REPEATED = 0.5;

/** Returns true if two names differ only in sizes. */
export function isSameBase(one: string, other: string): boolean {
  return comparable(readName(one).base) === comparable(readName(other).base);
}

/** `title` is the ERP's name of a size that was recognized by its code. */
type Mark = SizeMark & { title?: string };
type Reading = { size: SuggestionSize; marks: readonly Mark[] };

/**
 * Suggests variants of a dish (BND-6). `sizes` contains the dish's own sizes and those of dishes
 * with the same base name in its group. Returns each size once, in option order; sizes that match
 * no option become proposed options.
 */
export function suggestVariants(
  item: { itemId: string; name: string },
  sizes: readonly SuggestionSize[],
  axes: readonly SuggestionAxis[],
): VariantSuggestions {
  const readings = sizes.map((size) => ({ size, marks: readMarks(size) }));
  const kind = chooseKind(readings);
  const own = readName(item.name);
  const baseName = own.marks.some((mark) => mark.kind === kind) ? own.base : item.name;
  const shown = readings.map(({ size, marks }) => ({
    size,
    mark: marks.find((mark) => mark.kind === kind) ?? null,
  }));

  const axis =
    kind === null
      ? null
      : axisFor(
          kind,
          shown.flatMap(({ mark }) => mark ?? []),
          axes,
        );

  const used = new Set<string>();
  const candidates = shown
    .toSorted(
      (a, b) =>
        (a.mark?.value ?? Infinity) - (b.mark?.value ?? Infinity) ||
        Number(b.size.itemId === item.itemId) - Number(a.size.itemId === item.itemId) ||
        a.size.itemSizeId - b.size.itemSizeId,
    )
    .slice(0, MOST_CANDIDATES)
    .map(({ size, mark }) => {
      const option =
        axis === null || mark === null ? null : (findOption(axis, mark) ?? proposedOption(mark));
      const isRepeated = option !== null && used.has(option.code);
      if (option !== null) used.add(option.code);
      const certainty =
        option === null || mark === null
          ? UNREAD
          : option.id === null
            ? PROPOSED[mark.kind].certainty
            : CERTAIN;

      const kinship = size.itemId === item.itemId ? 1 : SIBLING;

      return {
        itemId: size.itemId,
        itemSizeId: size.itemSizeId,
        name: size.sizeName === null ? size.itemName : `${size.itemName} ${size.sizeName}`,
        sku: size.sku,
        detectedOption: option,
        confidence: Math.round(certainty * kinship * (isRepeated ? REPEATED : 1) * 100) / 100,
        bound: size.boundProduct !== null,
        boundProduct: size.boundProduct,
      };
    });

  const detectedAxis = axis === null ? null : { id: axis.id, code: axis.code, name: axis.name };

  return { baseName, detectedAxis, candidates };
}

/** Takes missing parts from the name of the dish. */
function readMarks({ itemName, sizeName, sizeCode }: SuggestionSize): Mark[] {
  const name = sizeName?.trim() ?? '';
  const code = sizeCode?.trim() ?? '';
  const ofSize: Mark[] = [
    ...(name === '' ? [] : [readSize(name)]),
    ...(code === '' ? [] : [{ ...readSize(code), ...(name === '' ? {} : { title: name }) }]),
  ];

  // A code next to a readable name repeats the name. Next to free text, the code may be more exact.
  const [first, second] = ofSize;
  const own = first?.kind === 'TEXT' && second !== undefined ? [second, first] : ofSize;

  return [...own, ...readName(itemName).marks];
}

/** Selects the kind with the most different values. */
function chooseKind(readings: readonly Reading[]): SizeKind | null {
  const scored = KINDS.map((kind) => {
    const marks = readings.flatMap(
      ({ marks: all }) => all.find((mark) => mark.kind === kind) ?? [],
    );
    return { kind, marks: marks.length, values: new Set(marks.map(toIdentity)).size };
  }).filter(
    ({ kind, marks }) => marks > 0 && (readings.length > 1 || !NEEDS_COMPANY.includes(kind)),
  );

  const [best] = scored.toSorted((a, b) => b.values - a.values || b.marks - a.marks);

  return best?.kind ?? null;
}

/** Text without letters, such as 🔥, is compared unchanged. */
function toIdentity({ value, label }: SizeMark): string {
  return value === null ? comparable(label) || label : String(value);
}

type Axis = DetectedAxis & { options: SuggestionAxis['options'] };

/** Prefers the existing axis that matches most of these sizes, then one with the same unit. */
function axisFor(
  kind: SizeKind,
  marks: readonly SizeMark[],
  axes: readonly SuggestionAxis[],
): Axis {
  const scored = axes
    .map((axis) => ({
      axis,
      matches: marks.filter((mark) => findOption(axis, mark) !== null).length,
      ofKind: axis.options.filter((option) => readOption(option).some((mark) => mark.kind === kind))
        .length,
    }))
    .filter(
      ({ matches, ofKind }) => matches > 0 || (ofKind > 0 && kind !== 'TEXT' && kind !== 'NUMBER'),
    );

  const [best] = scored.toSorted(
    (a, b) => b.matches - a.matches || b.ofKind - a.ofKind || a.axis.id - b.axis.id,
  );
  const { code, name } = PROPOSED[kind];

  return (
    best?.axis ?? axes.find((axis) => axis.code === code) ?? { id: null, code, name, options: [] }
  );
}

type Option = SuggestionAxis['options'][number];

const readOption = ({ name, shortName, code }: Option): SizeMark[] =>
  [name, shortName, code].flatMap((text) => (text === null ? [] : [readSize(text)]));

function findOption(
  { options }: { options: readonly Option[] },
  mark: SizeMark,
): DetectedOption | null {
  const option = [isSameSize, isSameNumber]
    .map((isSame) =>
      options.find((entry) => readOption(entry).some((known) => isSame(known, mark))),
    )
    .find((entry) => entry !== undefined);

  return option === undefined ? null : { id: option.id, code: option.code, name: option.name };
}

function isSameSize(known: SizeMark, mark: SizeMark): boolean {
  return known.kind === mark.kind && toIdentity(known) === toIdentity(mark);
}

/** Compares numbers; a number without a unit matches any unit. */
function isSameNumber(known: SizeMark, mark: SizeMark): boolean {
  if (mark.written === null) return false;
  if (mark.kind === 'NUMBER') return known.written === mark.written;
  return known.kind === 'NUMBER' && (known.value === mark.value || known.value === mark.written);
}

/** Equal sizes get equal codes. */
function proposedOption(mark: Mark): DetectedOption {
  const code = toSlug(mark.written === null ? mark.label : String(mark.value), 'option');
  return {
    id: null,
    code: code.toUpperCase().replaceAll('-', '_').slice(0, 50),
    name: mark.title ?? mark.label,
  };
}
