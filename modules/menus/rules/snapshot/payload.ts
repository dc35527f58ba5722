import { moneyText } from '../../../../kernel/pure/money.ts';
import type { MenuContent } from './menu-parts.ts';

/**
 * The text of `"categories": …` up to the closing brace, cut at every value of `available`. In JSON
 * a quote inside a text is always escaped, so these two member names cannot occur inside one.
 */
export type MenuTemplate = readonly string[];

const AVAILABLE = /(?<="available":)(?:true|false)/;
const PRICE = /(?<="price":)\d+/g;
/** Money as `moneyText` writes it. */
const WRITTEN_PRICE = /(?<="price":)(\d+)\.(\d\d)/g;
const HEAD_END = '"categories":';

/** Writes the content once: money with two decimals, `available` left open. */
export function menuTemplate(content: MenuContent): MenuTemplate {
  const { categories, products, modifierGroups } = content;
  const text = JSON.stringify({ categories, products, modifierGroups });
  return text
    .slice(1)
    .replace(PRICE, (kopecks) => moneyText(Number(kopecks)))
    .split(AVAILABLE);
}

/**
 * The content part with these values of `available`; throws when their number is another than the
 * template's.
 */
export function contentText(template: MenuTemplate, flags: readonly boolean[]): string {
  if (flags.length !== template.length - 1)
    throw new Error(`The menu has ${template.length - 1} places for availability, not ${flags.length}`);
  let text = template[0]!;
  for (let at = 0; at < flags.length; at += 1) text += String(flags[at]) + template[at + 1]!;
  return text;
}

export type MenuHead = { revision: number; organizationErpId: string; generatedAt: Date };

/** The whole public answer. */
export function menuText(head: MenuHead, template: MenuTemplate, flags: readonly boolean[]): string {
  const { revision, organizationErpId: organizationId, generatedAt } = head;
  const start = JSON.stringify({ revision, organizationId, generatedAt: generatedAt.toISOString() });
  return `${start.slice(0, -1)},${contentText(template, flags)}`;
}

/**
 * A published answer with other values of `available` and nothing else changed. Throws like
 * `contentText`.
 */
export function withAvailability(publishedText: string, flags: readonly boolean[]): string {
  const content = publishedText.indexOf(HEAD_END);
  return publishedText.slice(0, content) + contentText(publishedText.slice(content).split(AVAILABLE), flags);
}

/** The answer of `GET /availability`. */
export function availabilityText(
  revision: number,
  lists: { unavailableItemIds: readonly string[]; unavailableVariantIds: readonly number[] },
): string {
  const { unavailableItemIds, unavailableVariantIds } = lists;
  return JSON.stringify({ revision, unavailableItemIds, unavailableVariantIds });
}

/**
 * A published answer back as an object, money as whole kopecks. The text is changed before it is
 * parsed: a reviver would be called for every value of a menu and takes ten times as long.
 */
export function parsePublished<T>(publishedText: string): T {
  const inKopecks = publishedText.replace(WRITTEN_PRICE, (_, roubles: string, kopecks: string) =>
    String(Number(roubles + kopecks)),
  );
  return JSON.parse(inKopecks) as T;
}
