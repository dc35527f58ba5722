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

const SENTENCES: Readonly<Record<VariantVerdict['reason'], string>> = {
  AVAILABLE: 'Guests see the dish and can order it.',
  ORGANIZATION_ACTIVE: 'The restaurant is not active, so it has no menu.',
  IN_PINNED_REVISION: 'A revision without the dish is pinned.',
  PUBLISHED: 'The product is not published.',
  VISIBLE_HERE: 'Staff hide the product in this restaurant.',
  PLACED: 'The product is in no category that guests see.',
  HAS_MAIN_IMAGE: 'The product has no main image.',
  SOLD_HERE: 'No variant of the product is sold in this restaurant.',
  IN_CONTENT: 'The pinned revision does not contain the variant.',
  PRICED: 'No external menu of the restaurant has a price for the dish.',
  SHOWN_BY_ERP: 'The ERP hides the dish in the external menu.',
  LIVE: 'The ERP has deleted the dish or its price.',
  NOT_STOPPED: 'The dish is on the stop-list.',
  IN_HOURS: 'No category of the dish in the external menu is inside its hours now.',
  MODIFIERS_LEFT: 'A group that guests must choose from has too few modifiers that are not stopped.',
};

/** A conclusion in one or two English sentences (rule CAT-30). */
export function explainSentence({ inMenu, available, reason }: Conclusion): string {
  const sentence = SENTENCES[reason];
  return inMenu && !available ? `Guests see the dish as sold out. ${sentence}` : sentence;
}
