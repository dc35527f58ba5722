import type { ProductVerdict, VariantVerdict } from './explain.ts';

/** The reason is that of the most visible variant. */
export type Conclusion = { inMenu: boolean; available: boolean; reason: VariantVerdict['reason'] };

/**
 * Returns the reason of an available variant, otherwise of one in the menu, otherwise of the first;
 * without variants, of the product.
 */
export function concludes({ inMenu, checks, variants }: ProductVerdict): Conclusion {
  const shown =
    variants.find((variant) => variant.available) ??
    variants.find((variant) => variant.inMenu) ??
    variants[0];
  const failed = (Object.keys(checks) as (keyof typeof checks)[]).find(
    (check) => checks[check] === false,
  );
  const reason = shown?.reason ?? failed ?? 'SOLD_HERE';
  return { inMenu, available: shown?.available === true, reason };
}
