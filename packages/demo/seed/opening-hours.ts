import { inParallel, type AdminApi } from './admin-api.ts';

type Hours = { opensAt: string; closesAt: string; crossesMidnight: boolean };

const until = (opensAt: string, closesAt: string, crossesMidnight = false): Hours => ({
  opensAt,
  closesAt,
  crossesMidnight,
});

/**
 * Monday to Thursday, and Friday to Sunday. Restaurants take them in turn; the second one never
 * closes.
 */
const WEEKS: readonly (readonly [working: Hours, weekend: Hours])[] = [
  [until('10:00', '23:00'), until('10:00', '01:00', true)],
  [until('00:00', '00:00', true), until('00:00', '00:00', true)],
  [until('09:00', '22:00'), until('10:00', '22:00')],
];

const CHANNELS = ['DINE_IN', 'DELIVERY'] as const;

/**
 * Gives each restaurant without a configuration opening hours in its time zone and city. Enables
 * delivery and pickup. Returns the number of restaurants whose ordering it configured.
 */
export async function ensureOpeningHours(api: AdminApi): Promise<number> {
  const organizations = await api.all<{
    id: number;
    inactiveAt: string | null;
    address: string | null;
  }>('/organizations');

  const active = organizations
    .filter((organization) => organization.inactiveAt === null)
    .toSorted((one, other) => one.id - other.id);
  let touched = 0;
  await inParallel([...active.entries()], 4, async ([at, { id, address }]) => {
    const path = `/organizations/${id}`;
    if ((await readVersion(api, `${path}/schedule`)) === 0)
      await api.put(`${path}/schedule`, {
        version: 0,
        windows: buildWindows(WEEKS[at % WEEKS.length]!),
      });

    if ((await readVersion(api, `${path}/ordering`)) > 0) return;
    // The addresses of the demo's restaurants begin with the city.
    const city = address?.split(', ')[0] ?? null;
    await api.patch(`${path}/ordering`, {
      version: 0,
      deliveryEnabled: true,
      pickupEnabled: true,
      city,
    });

    touched += 1;
  });

  return touched;
}

async function readVersion(api: AdminApi, path: string): Promise<number> {
  return (await api.get<{ version: number }>(path)).version;
}

function buildWindows([working, weekend]: readonly [Hours, Hours]): object[] {
  return CHANNELS.flatMap((channel) =>
    [1, 2, 3, 4, 5, 6, 7].map((dayOfWeek) => ({
      dayOfWeek,
      channel,
      ...(dayOfWeek < 5 ? working : weekend),
    })),
  );
}

type Method = { code: string; availability: object[]; version: number };

/** Enables cash and cards at the door, unless staff have configured them. */
export async function ensureWaysToPay(api: AdminApi): Promise<void> {
  const organizations = await api.all<{ id: number; inactiveAt: string | null }>('/organizations');
  const active = organizations.filter((organization) => organization.inactiveAt === null);
  const availability = active.map(({ id }) => ({
    organizationId: id,
    fulfillmentTypes: ['DELIVERY', 'PICKUP'],
  }));

  for (const { code, version } of await api.all<Method>('/payment-methods'))
    if (version === 1 && ['CASH', 'CARD_COURIER'].includes(code))
      await api.patch(`/payment-methods/${code}`, { version, availability });
}
