import { assembleMenu } from './assemble.ts';
import { evaluateAvailability } from './availability.ts';
import type { OfferFact } from '../offers/facts.ts';
import { judgeOffers, OFFER_CHECKS, type Size } from '../offers/judge.ts';
import type { MenuFacts } from './facts.ts';
import type { MenuModifierGroup, MenuVariant } from './menu-parts.ts';
import type { Digest } from './modifier-groups.ts';
import { offerHours, type IsOpen } from '../offers/hours.ts';
import { balanceRule, stopRule } from '../offers/stops.ts';

export const PRODUCT_CHECKS = [
  'ORGANIZATION_ACTIVE',
  'IN_PINNED_REVISION',
  'PUBLISHED',
  'VISIBLE_HERE',
  'PLACED',
  'HAS_MAIN_IMAGE',
  'SOLD_HERE',
] as const;

export const VARIANT_CHECKS = [
  'IN_CONTENT',
  ...OFFER_CHECKS,
  'IN_HOURS',
  'MODIFIERS_LEFT',
] as const;

type ProductCheck = (typeof PRODUCT_CHECKS)[number];
type VariantCheck = (typeof VARIANT_CHECKS)[number];
/** Null if irrelevant, or after a failed check. */
export type Checks<C extends string> = Record<C, boolean | null>;

export type VariantVerdict = {
  id: number;
  inMenu: boolean;
  available: boolean;
  priceKopecks: number | null;
  /** Set even if the product is hidden. */
  offer: OfferFact | null;
  checks: Checks<VariantCheck>;
  /** The first failed check; checks of the product come first. */
  reason: ProductCheck | VariantCheck | 'AVAILABLE';
  requiredGroups: MenuModifierGroup[];
};

export type ProductVerdict = {
  inMenu: boolean;
  checks: Checks<ProductCheck>;
  variants: VariantVerdict[];
};

export type ExplainedProduct = {
  id: number;
  status: string;
  variants: readonly (Size & { id: number })[];
  offers: readonly OfferFact[];
};

export function explain(
  facts: MenuFacts | null,
  { offers, ...product }: ExplainedProduct,
  how: HowExplained,
): ProductVerdict {
  return explainer(facts, offers, how)(product);
}

type HowExplained = { isPinned: boolean; isOpen: IsOpen; digest: Digest };

/**
 * Explains products and variants from the assembled menu, so that verdicts cannot differ from the
 * menu. `facts` are null without a menu; `offers` include hidden products.
 */
export function explainer(
  facts: MenuFacts | null,
  offers: readonly OfferFact[],
  { isPinned, isOpen, digest }: HowExplained,
): (product: Omit<ExplainedProduct, 'offers'>) => ProductVerdict {
  const menu = facts === null ? null : availableMenu(facts, isOpen, digest);
  const contentIds = new Set(facts?.products.map((product) => product.id));
  const omissions = new Map(menu?.omitted.map(({ productId, reason }) => [productId, reason]));
  const contentOf = Map.groupBy(facts?.variants ?? [], (variant) => variant.productId);
  const judge = judgeOffers(
    facts === null ? offers : [...facts.offers, ...offers],
    facts === null ? () => false : stopRule(facts.stops),
  );

  const decided = (holds: boolean): boolean | null => (facts === null ? null : holds);

  return ({ id, status, variants }) => {
    const shown = menu?.variantsOf(id);
    const isInContent = contentIds.has(id);
    const omission = omissions.get(id);
    const checks: Checks<ProductCheck> = {
      ORGANIZATION_ACTIVE: facts !== null,
      IN_PINNED_REVISION: isPinned ? decided(isInContent) : null,
      PUBLISHED: isPinned ? null : decided(status === 'PUBLISHED'),
      VISIBLE_HERE: isPinned || status !== 'PUBLISHED' ? null : decided(isInContent),
      PLACED: isInContent ? omission !== 'NO_CATEGORY' : null,
      HAS_MAIN_IMAGE:
        isInContent && omission !== 'NO_CATEGORY' ? omission !== 'NO_MAIN_IMAGE' : null,
      SOLD_HERE:
        isInContent && omission !== 'NO_CATEGORY' && omission !== 'NO_MAIN_IMAGE'
          ? omission === undefined
          : null,
    };

    // A pinned menu may have former bindings and removed variants.
    const inContent = new Map((contentOf.get(id) ?? []).map((variant) => [variant.id, variant]));
    const all = [
      ...variants.map((variant) => inContent.get(variant.id) ?? variant),
      ...[...inContent.values()].filter((fact) => !variants.some((now) => now.id === fact.id)),
    ];

    return {
      inMenu: shown !== undefined,
      checks,
      variants: all.map((variant) => {
        const { offer, checks: offerChecks } = judge(variant);
        const hours = offer === null ? null : offerHours(offer);
        const isRemoved = inContent.get(variant.id)?.isRemoved === true;
        const inMenu = shown?.get(variant.id);
        const others = {
          IN_CONTENT: isInContent ? inContent.has(variant.id) : null,
          ...offerChecks,
          LIVE: isRemoved && offerChecks.LIVE === true ? false : offerChecks.LIVE,
          IN_HOURS: offer === null ? null : hours === null || isOpen(hours),
        };

        // If a variant passes all other checks, this is the only remaining reason.
        const isDecided =
          checks.SOLD_HERE !== null && Object.values(others).every((holds) => holds === true);
        const variantChecks: Checks<VariantCheck> = {
          ...others,
          MODIFIERS_LEFT: isDecided ? inMenu?.available === true : null,
        };

        return {
          id: variant.id,
          inMenu: inMenu !== undefined,
          available: inMenu?.available === true,
          priceKopecks: inMenu?.price ?? null,
          offer,
          checks: variantChecks,
          reason: findReason(checks, variantChecks),
          requiredGroups:
            inMenu === undefined
              ? []
              : (menu?.groupsOf(inMenu) ?? []).filter((group) => group.min > 0),
        };
      }),
    };
  };
}

/** The checks of variants are more precise. */
function findReason(
  product: Checks<ProductCheck>,
  variant: Checks<VariantCheck>,
): VariantVerdict['reason'] {
  return (
    PRODUCT_CHECKS.find((check) => check !== 'SOLD_HERE' && product[check] === false) ??
    VARIANT_CHECKS.find((check) => variant[check] === false) ??
    'AVAILABLE'
  );
}

/** Assembles the menu with stops and hours. */
function availableMenu(facts: MenuFacts, isOpen: IsOpen, digest: Digest) {
  const { content, index, omitted } = assembleMenu(facts, digest);
  const { flags } = evaluateAvailability(index, balanceRule(facts.stops), isOpen);
  let at = 0;
  const flagged = <T extends { available: boolean }>(entry: T): T => ({
    ...entry,
    available: flags[at++] === true,
  });

  const products = new Map(
    content.products.map(({ id, variants }) => {
      const now = variants.map(flagged);
      return [id, new Map<number, MenuVariant>(now.map((entry) => [entry.id, entry]))];
    }),
  );

  const groups = new Map(
    content.modifierGroups.map((group) => [
      group.id,
      { ...group, modifiers: group.modifiers.map(flagged) },
    ]),
  );

  return {
    omitted,
    variantsOf: (productId: number) => products.get(productId),
    groupsOf: (variant: MenuVariant) =>
      variant.modifierGroupIds.flatMap((id) => groups.get(id) ?? []),
  };
}
