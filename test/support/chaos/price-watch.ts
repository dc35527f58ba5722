import { setTimeout as delay } from 'node:timers/promises';
import type { PublicMenu } from '../compare-menu.ts';

const EVERY_MS = 50;

/** Returns the prices of a menu as text. A partial import would mix two such texts. */
export const serializePrices = (menu: PublicMenu): string =>
  menu.products
    .flatMap((product) => product.variants.map((variant) => `${variant.id}=${variant.price}`))
    .join(' ');

/**
 * Reads a menu repeatedly. The returned function stops the reads and lists prices that differ from
 * the `whole` menus.
 */
export function watchPrices(
  readMenu: () => Promise<PublicMenu>,
): (...whole: readonly PublicMenu[]) => Promise<string[]> {
  const seen = new Set<string>();
  let isOver = false;
  const reading = (async () => {
    while (!isOver) {
      seen.add(serializePrices(await readMenu()));
      await delay(EVERY_MS);
    }
  })();
  return async (...whole) => {
    isOver = true;
    await reading;
    if (seen.size === 0) throw new Error('no menu was seen');
    return [...seen].filter((prices) => !whole.map(serializePrices).includes(prices));
  };
}
