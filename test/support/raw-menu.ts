import type { Emulator } from '../../packages/erp-emulator/server.ts';

type RawLimits = { maxQuantity?: number; defaultQuantity?: number };
export type RawGroup = {
  id: string | null;
  name: string;
  isHidden?: boolean;
  childModifiersHaveMinMaxRestrictions?: boolean;
  items?: { id: string; isHidden?: boolean | null; restrictions?: RawLimits | null }[];
};
export type RawPlace = {
  menuItemId: string;
  itemType: string | null;
  productId: string | null;
  name: string;
  description?: string | null;
  isHidden?: boolean;
  sizePrices?: {
    sizeId: string | null;
    isDefault?: boolean;
    isHidden?: boolean;
    weight?: number | null;
    prices: { organizations: string[]; price: number | null }[];
  }[];
  modifierGroups?: RawGroup[];
};
export type RawMenu = {
  revision: number;
  products: { id: string; type: string }[];
  itemsGroups: { id: string; isHidden?: boolean; items: RawPlace[] }[];
};

export async function askEmulator<T>(
  { url, apiLogin }: Emulator,
  path: string,
  body: object,
): Promise<T> {
  const post = async (at: string, content: object, token?: string) => {
    const response = await fetch(url + at, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(content),
    });
    if (!response.ok) throw new Error(`${at}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const { token } = (await post('/api/v2/access_token', { apiLogin })) as { token: string };
  return (await post(path, body, token)) as T;
}

/** Menu 9001 for all organizations (at most ten per request). */
export async function rawMenu(emulator: Emulator): Promise<RawMenu> {
  return askEmulator<RawMenu>(emulator, '/api/menu/v3/by_id', {
    externalMenuId: '9001',
    organizationIds: await readOrganizations(emulator),
  });
}

export async function readOrganizations(emulator: Emulator): Promise<string[]> {
  const { organizations } = await emulator.control<{ organizations: { id: string }[] }>('state');
  return organizations.map(({ id }) => id);
}
