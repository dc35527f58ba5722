/** `liveVariants`: their dish exists at the ERP. */
export type PublishFacts = {
  hasMainImage: boolean;
  /** In categories that are not archived. */
  placements: number;
  variants: number;
  liveVariants: number;
  defaultVariants: number;
  /** Gifts or the delivery fee, which guests cannot buy. */
  unsoldVariants: number;
};

/** In the order of violations in answers (CAT-2). */
export const PUBLISH_RULES = [
  { code: 'NO_MAIN_IMAGE', violated: (facts) => !facts.hasMainImage },
  { code: 'NO_PLACEMENT', violated: (facts) => facts.placements === 0 },
  { code: 'NO_VARIANT', violated: (facts) => facts.variants === 0 },
  { code: 'NO_LIVE_VARIANT', violated: (facts) => facts.variants > 0 && facts.liveVariants === 0 },
  {
    code: 'NO_DEFAULT_VARIANT',
    violated: (facts) => facts.variants > 0 && facts.defaultVariants !== 1,
  },
  { code: 'UNSOLD_VARIANT', violated: (facts) => facts.unsoldVariants > 0 },
] as const satisfies readonly { code: string; violated: (facts: PublishFacts) => boolean }[];

export type PublishViolation = (typeof PUBLISH_RULES)[number]['code'];

export function publishViolations(facts: PublishFacts): PublishViolation[] {
  return PUBLISH_RULES.filter((rule) => rule.violated(facts)).map(({ code }) => code);
}
