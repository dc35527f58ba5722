import type { ProductVerdict, VariantVerdict } from './explain.ts';

/** The verdict about a product in one organization, with the reason of its most visible variant. */
export type Conclusion = { inMenu: boolean; available: boolean; reason: VariantVerdict['reason'] };

/**
 * The conclusion of a verdict: the reason of an available variant, else of one in the menu, else of
 * the first one. Without variants it is the first unmet condition of the product.
 */
export function concludes({ inMenu, checks, variants }: ProductVerdict): Conclusion {
  const shown =
    variants.find((variant) => variant.available) ?? variants.find((variant) => variant.inMenu) ?? variants[0];
  const failed = (Object.keys(checks) as (keyof typeof checks)[]).find((check) => checks[check] === false);
  const reason = shown?.reason ?? failed ?? 'SOLD_HERE';
  return { inMenu, available: shown?.available === true, reason };
}
