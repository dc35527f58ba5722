import type { NutritionSource, RestrictionsSource, WeighedSource } from './menu-source.ts';
import type { Nutrition, Quantities } from './menu-rows.ts';

/**
 * Text without padding, Windows line ends and NUL (which PostgreSQL rejects); null when nothing is
 * left.
 */
export function cleanText(text: string | null | undefined): string | null {
  const clean = text?.replaceAll('\u0000', '').replaceAll('\r\n', '\n').trim();
  return clean === undefined || clean === '' ? null : clean;
}

/**
 * Whole kopecks of an amount in roubles; amounts with more than two decimals are rounded half up.
 */
export function kopecks(roubles: number): number {
  return Math.round(Number((roubles * 100).toFixed(4)));
}

/**
 * A dearer dish is a typing mistake: a thousand million roubles. Prices up to it can be added up
 * without loss.
 */
const DEAREST_ROUBLES = 1_000_000_000;

/**
 * Returns whether an amount in roubles can be a price: from 0, which is one, to the dearest (rule
 * MIR-39).
 */
export function isPrice(roubles: number): boolean {
  return roubles >= 0 && roubles <= DEAREST_ROUBLES;
}

const GRAMS_PER_UNIT: Readonly<Record<string, number>> = { GRAM: 1, MILLILITER: 1, KILOGRAM: 1000, LITER: 1000 };

/** A heavier dish is a typing mistake: a thousand tonnes. */
const HEAVIEST_GRAMS = 1_000_000_000;

/**
 * Weight in grams (millilitres count as grams); null when there is none, its unit is unknown (rule
 * WIRE-10) or it cannot be one: the public menu allows no negative weight, and one dish must not
 * keep a restaurant from getting its menu.
 */
export function weightGrams(source: WeighedSource): number | null {
  if (source.weight == null) return null;
  const factor = GRAMS_PER_UNIT[source.measureUnitType ?? 'GRAM'];
  if (factor === undefined) return null;
  const grams = source.weight * factor;
  return grams >= 0 && grams <= HEAVIEST_GRAMS ? tidy(grams) : null;
}

/**
 * Nutrition per 100 g; null unless the ERP states all four values: half a label would make a false
 * claim on food.
 */
export function nutrition(source: NutritionSource | null | undefined): Nutrition | null {
  if (source == null) return null;
  const { proteins, fats, carbs, energy } = source;
  if (proteins == null || fats == null || carbs == null || energy == null) return null;
  return { proteins: tidy(proteins), fats: tidy(fats), carbs: tidy(carbs), energy: tidy(energy) };
}

/** Whole quantities; absent ones are 0, and values are capped to the range of an int column. */
export function quantities(source: RestrictionsSource | null | undefined): Quantities {
  return {
    minQuantity: whole(source?.minQuantity),
    maxQuantity: whole(source?.maxQuantity),
    freeQuantity: whole(source?.freeQuantity),
    defaultQuantity: whole(source?.defaultQuantity),
  };
}

const LARGEST_INT = 2_147_483_647;

function whole(value: number | null | undefined): number {
  return Math.min(LARGEST_INT, Math.max(0, Math.trunc(value ?? 0)));
}

/** Live decimals carry up to 18 digits of float noise; three decimals are a milligram. */
function tidy(value: number): number {
  const tidied = Math.round(value * 1000) / 1000;
  return Number.isFinite(tidied) ? tidied : value;
}

const NUMBER = /^[+-]?\d{1,3}(\.\d+)?$/;

/**
 * A longitude or latitude of the ERP in degrees, null when it is none or lies beyond `most`
 * degrees. Some installations write the number as text: it is the same number then (rule MIR-51).
 * Text that is anything else, a decimal comma included, is not guessed at.
 */
export function degrees(value: unknown, most: 90 | 180): number | null {
  const number = typeof value === 'string' && NUMBER.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Math.abs(number) <= most ? number : null;
}

const OFFSET = /^([+-]?)(\d{2}):(\d{2})(?::\d{2})?$/;

/**
 * A time zone we can calculate with: the IANA name as IANA writes it, an offset such as `03:00:00`
 * (live terminals send it) as `+03:00`; null when the text is neither.
 */
export function normalizeTimeZone(text: string | null): string | null {
  const trimmed = text?.trim() ?? '';
  const offset = OFFSET.exec(trimmed);
  const zone = offset === null ? trimmed : `${offset[1] === '-' ? '-' : '+'}${offset[2]}:${offset[3]}`;
  if (zone === '') return null;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone }).format(0);
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone).timeZoneId;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Fewest units that a stop-list row must leave for its item to be sold (rule SNP-10). */
export const LEAST_BALANCE = 1;
/** A balance from here on limits nothing that a menu shows (rule SNP-50). */
export const COUNTED_BALANCE = 10;
