import { SHELVES } from './catalog.ts';
import { patientFetch } from './admin-api.ts';
import type { Dish } from './products.ts';

/** The fourth dish of these shelves is sold out. */
const SHELVES_WITH_GAPS = ['Классическая пицца', 'Сеты', 'Десерты', 'Лимонады'];
const PLACE = 3;

/**
 * Adds some popular dishes to the emulator's stop-lists. The emulator loses them when it ends, so
 * each start repeats this.
 */
export async function stopSomeDishes(
  emulatorUrl: string,
  {
    organizations,
    dishes,
  }: { organizations: readonly { erpId: string }[]; dishes: readonly Dish[] },
): Promise<void> {
  const names = SHELVES.filter(({ name }) => SHELVES_WITH_GAPS.includes(name)).map(
    (shelf) => shelf.dishes[PLACE],
  );
  const itemIds = dishes
    .filter(({ name }) => names.includes(name.trim()))
    .map(({ itemId }) => itemId);
  if (itemIds.length === 0) return;

  for (const { erpId: organizationId } of organizations) {
    const response = await patientFetch(`${emulatorUrl}/_control/stop`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ organizationId, itemIds }),
    });
    if (!response.ok)
      throw new Error(`The emulator answered ${response.status} (${await response.text()})`);
  }
}
