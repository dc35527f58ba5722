import type { NutritionSource, RestrictionsSource, WeighedSource } from './menu-source.ts';
import type { Nutrition, Quantities } from './menu-rows.ts';

/** Trims text and removes NUL, which PostgreSQL rejects. Null if nothing is left. */
export function cleanText(text: string | null | undefined): string | null {
  const clean = text?.replaceAll('\u0000', '').replaceAll('\r\n', '\n').trim();
  return clean === undefined || clean === '' ? null : clean;
}

/** Converts rubles to whole kopecks, rounding half up. */
export function kopecks(rubles: number): number {
  return Math.round(Number((rubles * 100).toFixed(4)));
}

/** Higher prices are typing errors. Sums of lower prices are exact. */
const DEAREST_ROUBLES = 1_000_000_000;

/** Checks the limits of a price in rubles (MIR-39). */
export function isPrice(rubles: number): boolean {
  return rubles >= 0 && rubles <= DEAREST_ROUBLES;
}

const GRAMS_PER_UNIT: Readonly<Record<string, number>> = {
  GRAM: 1,
  MILLILITER: 1,
  KILOGRAM: 1000,
  LITER: 1000,
};

/** Heavier dishes are typing errors (1,000 t). */
const HEAVIEST_GRAMS = 1_000_000_000;

/**
 * Returns grams (1 ml is 1 g); null if missing, invalid or of an unknown unit (WIRE-10). A negative
 * weight would block a restaurant's public menu.
 */
export function weightGrams(source: WeighedSource): number | null {
  if (source.weight == null) return null;
  const factor = GRAMS_PER_UNIT[source.measureUnitType ?? 'GRAM'];
  if (factor === undefined) return null;
  const grams = source.weight * factor;
  return grams >= 0 && grams <= HEAVIEST_GRAMS ? tidy(grams) : null;
}

/**
 * Returns values per 100 g. Null unless all four exist, because an incomplete label would be wrong.
 */
export function nutrition(source: NutritionSource | null | undefined): Nutrition | null {
  if (source == null) return null;
  const { proteins, fats, carbs, energy } = source;
  if (proteins == null || fats == null || carbs == null || energy == null) return null;
  return { proteins: tidy(proteins), fats: tidy(fats), carbs: tidy(carbs), energy: tidy(energy) };
}

/** Returns integers within the range of an int column. Missing quantities are 0. */
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

/** Rounds, because ERP decimals have up to 18 digits of float noise. */
function tidy(value: number): number {
  const tidied = Math.round(value * 1000) / 1000;
  return Number.isFinite(tidied) ? tidied : value;
}

const NUMBER = /^[+-]?\d{1,3}(\.\d+)?$/;

/**
 * Returns degrees; null if invalid or beyond `most`. Some installations send text (MIR-51), but a
 * decimal comma is rejected.
 */
export function degrees(value: unknown, most: 90 | 180): number | null {
  const number = typeof value === 'string' && NUMBER.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Math.abs(number) <= most ? number : null;
}

const OFFSET = /^([+-]?)(\d{2}):(\d{2})(?::\d{2})?$/;

/**
 * Returns an IANA name, or an offset such as `+03:00` for `03:00:00`, which live terminals send.
 * Null for other text.
 */
export function normalizeTimeZone(text: string | null): string | null {
  const trimmed = text?.trim() ?? '';
  const offset = OFFSET.exec(trimmed);
  const zone =
    offset === null ? trimmed : `${offset[1] === '-' ? '-' : '+'}${offset[2]}:${offset[3]}`;
  if (zone === '') return null;

  try {
    new Intl.DateTimeFormat('en', { timeZone: zone }).format(0);
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone).timeZoneId;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Minimum balance of a stopped item to be sold (SNP-10). */
export const LEAST_BALANCE = 1;
/** Higher balances do not affect a menu (SNP-50). */
export const COUNTED_BALANCE = 10;
