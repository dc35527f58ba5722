import { isDeepStrictEqual } from 'node:util';
import { patientFetch, type AdminApi } from './admin-api.ts';
import { MARKED_GUESTS } from './catalog.ts';
import { signInCustomer } from './sign-in-customer.ts';

/** `customersUrl` is null without the demo's provider. */
export type CustomerPlace = { baseUrl: string; customersUrl: string | null };

type Setting = { key: string; version: number; value: unknown };
type Right = { source: string; status: string };

const SETTING = 'gift_markers';
/** The ERP may not answer in time. */
const TRIES = 3;

/**
 * Makes the product read gift markers, and signs in each marked guest without a granted right,
 * because a card is read when its customer signs in. A connection reads one kind of markers at a
 * time: comments first. Settings of staff stay. Returns the number of granted rights.
 */
export async function ensureMarkers(
  api: AdminApi,
  connection: { id: number },
  { baseUrl, customersUrl }: CustomerPlace,
): Promise<number> {
  const values = {
    COMMENT: { usual: 'CATEGORY', connections: { [connection.id]: 'COMMENT' } },
    CATEGORY: { usual: 'CATEGORY', connections: {} },
  };

  const { version, value } = await currentSetting(api);
  if (version > 0 && !Object.values(values).some((own) => isDeepStrictEqual(own, value))) return 0;
  let count = 0;

  for (const { phone, variant, source } of MARKED_GUESTS) {
    if (customersUrl === null || (await hasRight(api, phone, source))) continue;
    await set(api, values[variant]);
    if (await granted(api, { phone, source }, { baseUrl, customersUrl })) count += 1;
  }

  await set(api, values.CATEGORY);

  return count;
}

async function currentSetting(api: AdminApi): Promise<Setting> {
  const found = (await api.all<Setting>('/settings')).find(({ key }) => key === SETTING);
  if (found === undefined) throw new Error(`The product has no setting ${SETTING}.`);
  return found;
}

async function set(api: AdminApi, wanted: object): Promise<void> {
  const { version, value } = await currentSetting(api);
  if (!isDeepStrictEqual(value, wanted))
    await api.patch(`/settings/${SETTING}`, { version, value: wanted });
}

async function hasRight(api: AdminApi, phone: string, source: string): Promise<boolean> {
  const rights = await api.all<Right>(`/compensations?client=${encodeURIComponent(phone)}`);
  return rights.some(
    (right) => right.source === source && ['GRANTED', 'RESERVED', 'BLOCKED'].includes(right.status),
  );
}

/** Signs the guest in and reads the gifts with the guest's token. */
async function granted(
  api: AdminApi,
  { phone, source }: { phone: string; source: string },
  { baseUrl, customersUrl }: { baseUrl: string; customersUrl: string },
): Promise<boolean> {
  const storefront = `${baseUrl}/api/v1`;
  const { items } = (await (await patientFetch(`${storefront}/organizations`)).json()) as {
    items: { id: string }[];
  };
  const [organization] = items;
  if (organization === undefined) return false;
  const authorization = `Bearer ${await signInCustomer(customersUrl, phone)}`;

  for (let tried = 0; tried < TRIES; tried += 1) {
    const own = await patientFetch(`${storefront}/gifts?organization_id=${organization.id}`, {
      headers: { authorization },
    });
    await own.body?.cancel();
    if (await hasRight(api, phone, source)) return true;
  }

  return false;
}
