/**
 * The facts for the rules of publication. `liveVariants`: bound to a dish that the ERP still has.
 */
export type PublishFacts = {
  hasMainImage: boolean;
  /** Placements in categories that are not archived. */
  placements: number;
  variants: number;
  liveVariants: number;
  defaultVariants: number;
  /** Bound to a gift or to the delivery fee, which guests cannot buy. */
  unsoldVariants: number;
};

/** Rules of publication as data, in the order in which violations are answered (rule CAT-2). */
export const PUBLISH_RULES = [
  {
    code: 'NO_MAIN_IMAGE',
    message: 'The product has no main image.',
    violated: (facts) => !facts.hasMainImage,
  },
  {
    code: 'NO_PLACEMENT',
    message: 'The product is in no category.',
    violated: (facts) => facts.placements === 0,
  },
  {
    code: 'NO_VARIANT',
    message: 'The product has no variant.',
    violated: (facts) => facts.variants === 0,
  },
  {
    code: 'NO_LIVE_VARIANT',
    message: 'No variant is bound to a dish that the ERP still has.',
    violated: (facts) => facts.variants > 0 && facts.liveVariants === 0,
  },
  {
    code: 'NO_DEFAULT_VARIANT',
    message: 'No variant is the default one.',
    violated: (facts) => facts.variants > 0 && facts.defaultVariants !== 1,
  },
  {
    code: 'UNSOLD_VARIANT',
    message: 'A variant is bound to a dish that is a gift or the delivery fee.',
    violated: (facts) => facts.unsoldVariants > 0,
  },
] as const satisfies readonly { code: string; message: string; violated: (facts: PublishFacts) => boolean }[];

export type PublishViolation = { code: (typeof PUBLISH_RULES)[number]['code']; message: string };

/** Every violated rule, never only the first; empty means the product may be published. */
export function publishViolations(facts: PublishFacts): PublishViolation[] {
  return PUBLISH_RULES.filter((rule) => rule.violated(facts)).map(({ code, message }) => ({ code, message }));
}
