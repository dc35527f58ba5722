import { setTimeout as delay } from 'node:timers/promises';
import { AdminApiError, patientFetch, type AdminApi, type Page } from './admin-api.ts';
import type { Dish } from './products.ts';

/** The emulator acts as the product's ERP. */
export type TroublePlace = { baseUrl: string; emulatorUrl: string };

type ExternalMenu = { id: number; erpId: string };
type Run = { status: 'RUNNING' | 'SUCCESS' | 'SKIPPED' | 'FAILED'; reason: string | null };

/** The menu with a dish that the ERP renames, and the menu that loses most dishes. */
const [RENAMED_IN, SHRUNK] = ['9001', '9002'];
const SHRUNK_PERCENT = 60;
/** ERP category of dishes that are only in the first menu and are ordered without modifiers. */
const CATEGORY = 'Детское меню';
const POLL_MS = 500;
const PATIENCE_MS = 60_000;

/**
 * Creates typical failures for operators (rule OPS-112): an open incident, an import rejected
 * because a menu shrank, and an order rejected by the ERP. Returns the number of new failures.
 */
export async function ensureTroubles(
  api: AdminApi,
  connection: { id: number },
  { dishes, place }: { dishes: readonly Dish[]; place: TroublePlace },
): Promise<number> {
  const menus = await api.all<ExternalMenu>(`/external-menus?connection_id=${connection.id}`);
  const findMenu = (erpId: string) => menus.find((menu) => menu.erpId === erpId);
  const dish = dishes.find(
    ({ boundProduct, productCategory }) => boundProduct && productCategory?.name === CATEGORY,
  );
  const [renamed, shrunk] = [findMenu(RENAMED_IN), findMenu(SHRUNK)];
  // Only the emulator has these menus and the dish.
  if (dish === undefined || renamed === undefined || shrunk === undefined) return 0;
  const made = [
    await openIncident(api, place, { dish, menu: renamed }),
    await refusedShrink(api, place, shrunk),
    await failedOrder(api, place, dish),
  ];

  return made.filter(Boolean).length;
}

async function openIncident(
  api: AdminApi,
  place: TroublePlace,
  { dish, menu }: { dish: Dish; menu: ExternalMenu },
): Promise<boolean> {
  const count = async () => (await api.get<Page<unknown>>('/binding-incidents?size=1')).total;
  if ((await count()) > 0) return false;
  await control(place, 'rename', { itemId: dish.itemId, name: `${dish.name} с сюрпризом` });
  await importNow(api, menu, 'INCREMENTAL');
  await eventually('the incident is open', async () => (await count()) > 0);

  return true;
}

async function refusedShrink(
  api: AdminApi,
  place: TroublePlace,
  menu: ExternalMenu,
): Promise<boolean> {
  const { items } = await api.get<Page<Run>>('/sync/runs?job=MENU&status=FAILED&size=100');
  if (items.some(({ reason }) => reason === 'SUSPICIOUS_SHRINK')) return false;
  await control(place, 'vanish', { menuId: menu.erpId, percent: SHRUNK_PERCENT });
  await importNow(api, menu, 'FULL');
  return true;
}

/** Imports a menu and waits for the end of the run, successful or not. */
async function importNow(
  api: AdminApi,
  menu: ExternalMenu,
  mode: 'INCREMENTAL' | 'FULL',
): Promise<void> {
  const request = { job: 'MENU', scope: menu.erpId, mode };
  let runId: number | null = null;
  await eventually('the import has started', async () => {
    try {
      ({ runId } = await api.post<{ runId: number }>('/sync/run', request));
    } catch (error) {
      // The schedule has already started one.
      if (!(error instanceof AdminApiError && error.kind === 'already-running')) throw error;
    }

    return runId !== null;
  });

  await eventually('the import has ended', async () => {
    try {
      return (await api.get<Run>(`/sync/runs/${runId}`)).status !== 'RUNNING';
    } catch (error) {
      if (error instanceof AdminApiError && error.status === 404) return false;
      throw error;
    }
  });
}

async function failedOrder(api: AdminApi, place: TroublePlace, dish: Dish): Promise<boolean> {
  const count = async () => (await api.get<Page<unknown>>('/orders?status=FAILED&size=1')).total;
  if ((await count()) > 0) return false;
  const checkout = await preparedOrder(api, place, dish);
  await control(place, 'fault', { kind: 'order-error', code: 'ProductNotFound' });

  try {
    await placeOrder(place, checkout);
  } catch (error) {
    // Otherwise, the next order of the demo would fail.
    await control(place, 'clear-faults', {});
    throw error;
  }

  await eventually('the order has failed', async () => (await count()) > 0);

  return true;
}

/** Prepares a pickup order of one dish for the first slot of its restaurant. */
export async function preparedOrder(
  api: AdminApi,
  place: TroublePlace,
  dish: Dish,
): Promise<object> {
  const { variants } = await api.get<{ variants: { id: number }[] }>(
    `/products/${dish.boundProduct!.id}`,
  );
  const organizations = await storefront<{ items: { id: string }[] }>(
    place,
    'GET',
    '/organizations',
  );

  const organizationId = organizations.items[0]!.id;
  type Slots = { asap: { available: boolean }; days: { slots: { id: string }[] }[] };
  const { asap, days } = await storefront<Slots>(
    place,
    'GET',
    `/delivery/slots?organization_id=${organizationId}&type=PICKUP`,
  );

  const [slot] = days.flatMap(({ slots }) => slots);
  const cart = await storefront<{ cartId: string }>(place, 'POST', '/cart', {
    organizationId,
    lines: [{ variantId: variants[0]!.id, quantity: 2, modifiers: [] }],
  });

  const question = {
    cartId: cart.cartId,
    fulfillment: {
      type: 'PICKUP',
      organizationId,
      slotId: asap.available ? 'asap' : (slot?.id ?? 'asap'),
    },
    paymentMethod: 'CASH',
  };

  type Verdict = { quote: { id: string } | null; cartVersion: number };
  const { quote, cartVersion } = await storefront<Verdict>(
    place,
    'POST',
    '/checkout/preflight',
    question,
  );

  const customer = { name: 'Гость демо', phone: '+79990001199' };

  return { ...question, cartVersion, quoteId: quote?.id ?? null, customer };
}

export const placeOrder = async (place: TroublePlace, checkout: object): Promise<string> =>
  (await storefront<{ orderId: string }>(place, 'POST', '/orders', checkout)).orderId;

/** Sends a request as a guest. Throws with the response if it is rejected. */
async function storefront<T>(
  { baseUrl }: TroublePlace,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  return callApi<T>(`${baseUrl}/api/v1${path}`, method, body, {
    'idempotency-key': crypto.randomUUID(),
  });
}

const control = ({ emulatorUrl }: TroublePlace, name: string, body: object): Promise<unknown> =>
  callApi(`${emulatorUrl}/_control/${name}`, 'POST', body);

async function callApi<T>(
  url: string,
  method: string,
  body?: object,
  headers: Record<string, string> = {},
) {
  const response = await patientFetch(url, {
    method,
    headers: { ...(method === 'GET' ? {} : headers), 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

  const text = await response.text();
  if (!response.ok)
    throw new Error(`${method} ${url} answered ${response.status} (${text.slice(0, 500)})`);

  return JSON.parse(text) as T;
}

async function eventually(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + PATIENCE_MS; !(await holds()); await delay(POLL_MS))
    if (performance.now() > deadline)
      throw new Error(`Not within ${PATIENCE_MS / 1000} s: ${what}`);
}
