import type { NutritionSource, RestrictionsSource, WeighedSource } from './menu-source.ts';
import type { Nutrition, Quantities } from './menu-rows.ts';

/** Text without padding, Windows line ends and NUL (which PostgreSQL refuses); null when nothing is left. */
export function cleanText(text: string | null | undefined): string | null {
  const clean = text?.replaceAll('\u0000', '').replaceAll('\r\n', '\n').trim();
  return clean === undefined || clean === '' ? null : clean;
}

/** Whole kopecks of an amount in roubles; amounts with more than two decimals are rounded half up. */
export function kopecks(roubles: number): number {
  return Math.round(Number((roubles * 100).toFixed(4)));
}

/** A dearer dish is a typing mistake: a thousand million roubles. Prices up to it can be added up without loss. */
const DEAREST_ROUBLES = 1_000_000_000;

/** Whether an amount in roubles can be a price: from 0, which is one, to the dearest (rule MIR-39). */
export function isPrice(roubles: number): boolean {
  return roubles >= 0 && roubles <= DEAREST_ROUBLES;
}

const GRAMS_PER_UNIT: Readonly<Record<string, number>> = { GRAM: 1, MILLILITER: 1, KILOGRAM: 1000, LITER: 1000 };

/** A heavier dish is a typing mistake: a thousand tonnes. */
const HEAVIEST_GRAMS = 1_000_000_000;

/**
 * Weight in grams (millilitres count as grams); null when there is none, its unit is unknown (rule WIRE-10) or it cannot be
 * one: the public menu knows no negative weight, and one dish must not keep a restaurant from getting its menu.
 */
export function weightGrams(source: WeighedSource): number | null {
  if (source.weight == null) return null;
  const factor = GRAMS_PER_UNIT[source.measureUnitType ?? 'GRAM'];
  if (factor === undefined) return null;
  const grams = source.weight * factor;
  return grams >= 0 && grams <= HEAVIEST_GRAMS ? tidy(grams) : null;
}

/** Nutrition per 100 g; null when the ERP states none of the four values. */
export function nutrition(source: NutritionSource | null | undefined): Nutrition | null {
  if (source == null) return null;
  const { proteins, fats, carbs, energy } = source;
  if (proteins == null && fats == null && carbs == null && energy == null) return null;
  return { proteins: tidy(proteins ?? 0), fats: tidy(fats ?? 0), carbs: tidy(carbs ?? 0), energy: tidy(energy ?? 0) };
}

/** Whole quantities; absent ones are 0, and what would not fit an int column is cut. */
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
