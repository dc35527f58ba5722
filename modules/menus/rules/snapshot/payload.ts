import { moneyText } from '../../../../kernel/pure/money.ts';
import type { MenuContent } from './menu-parts.ts';

/** Split at the values of `available`. JSON escapes quotes, so no text contains a member name. */
export type MenuTemplate = readonly string[];

const AVAILABLE = /(?<="available":)(?:true|false)/;
const PRICE = /(?<="price":)\d+/g;
/** See `moneyText`. */
const WRITTEN_PRICE = /(?<="price":)(\d+)\.(\d\d)/g;
const HEAD_END = '"categories":';

/** Writes decimal prices and omits `available`. */
export function menuTemplate(content: MenuContent): MenuTemplate {
  const { categories, products, modifierGroups } = content;
  const text = JSON.stringify({ categories, products, modifierGroups });

  return text
    .slice(1)
    .replace(PRICE, (kopecks) => moneyText(Number(kopecks)))
    .split(AVAILABLE);
}

/** Throws if the number of values differs. */
export function contentText(template: MenuTemplate, flags: readonly boolean[]): string {
  if (flags.length !== template.length - 1)
    throw new Error(
      `The menu has ${template.length - 1} places for availability, not ${flags.length}`,
    );
  let text = template[0]!;
  for (let at = 0; at < flags.length; at += 1) text += String(flags[at]) + template[at + 1]!;

  return text;
}

export type MenuHead = { revision: number; organizationErpId: string; generatedAt: Date };

export function menuText(
  head: MenuHead,
  template: MenuTemplate,
  flags: readonly boolean[],
): string {
  const { revision, organizationErpId: organizationId, generatedAt } = head;
  const start = JSON.stringify({
    revision,
    organizationId,
    generatedAt: generatedAt.toISOString(),
  });

  return `${start.slice(0, -1)},${contentText(template, flags)}`;
}

/** Throws like `contentText`. */
export function withAvailability(publishedText: string, flags: readonly boolean[]): string {
  const content = publishedText.indexOf(HEAD_END);
  return (
    publishedText.slice(0, content) +
    contentText(publishedText.slice(content).split(AVAILABLE), flags)
  );
}

/** Returns the response of `GET /availability`. */
export function availabilityText(
  revision: number,
  lists: { unavailableItemIds: readonly string[]; unavailableVariantIds: readonly number[] },
): string {
  const { unavailableItemIds, unavailableVariantIds } = lists;
  return JSON.stringify({ revision, unavailableItemIds, unavailableVariantIds });
}

/** Converts prices to kopecks before parsing, because a reviver takes ten times as long. */
export function parsePublished<T>(publishedText: string): T {
  const inKopecks = publishedText.replace(WRITTEN_PRICE, (_, rubles: string, kopecks: string) =>
    String(Number(rubles + kopecks)),
  );
  return JSON.parse(inKopecks) as T;
}
