import type { ProductVerdict, VariantVerdict } from './explain.ts';

export type Conclusion = { inMenu: boolean; available: boolean; reason: VariantVerdict['reason'] };

/** Prefers the reason of an available variant, then of a variant in the menu. */
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
