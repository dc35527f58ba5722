import type { Emulator } from '../../packages/erp-emulator/server.ts';

export type Reply = {
  status: number;
  headers: Headers;
  text: string;
  body: Record<string, unknown>;
};

type PriceRow = { organizations: string[]; price: number | null };
type Size = {
  menuItemSizeId: string;
  sizeId: string | null;
  sku: string;
  isDefault: boolean;
  isHidden: boolean;
  price?: number | null;
  prices?: PriceRow[];
  weight: number | null;
  measureUnitType: string | null;
  image: { url: string } | null;
};
type Link = {
  id: string;
  isHidden: boolean | null;
  name: string | null;
  restrictions: Record<string, number>;
};
export type Group = {
  id: string | null;
  name: string;
  isHidden: boolean;
  childModifiersHaveMinMaxRestrictions?: boolean;
  items: Link[];
};
export type Item = {
  itemType: string | null;
  productId: string | null;
  name: string;
  description: string | null;
  isHidden: boolean;
  sizePrices?: Size[];
  modifierGroups?: Group[];
};
export type MenuBody = {
  id: string;
  revision?: number;
  formatVersion?: number;
  products: { id: string; sku: string; type: string; orderItemType: string }[];
  modifiers: {
    id: string;
    sku: string;
    name: string;
    isHidden: boolean;
    sizePrices: { prices?: PriceRow[]; price?: number }[];
  }[];
  itemsGroups: { id: string; name: string; isHidden: boolean; items: Item[] }[];
};

export async function post(
  emulator: Emulator,
  path: string,
  body: unknown,
  token?: string,
): Promise<Reply> {
  const response = await fetch(`${emulator.url}${path}`, {
    method: 'POST',
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parse(text) };
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof Error && error.name === 'SyntaxError') return {};
    throw error;
  }
}

/** Returns an access token, by default of the main login. */
export async function login(
  emulator: Emulator,
  apiLogin: string = emulator.apiLogin,
): Promise<string> {
  const { body } = await post(emulator, '/api/v2/access_token', { apiLogin });
  return String(body.token);
}

export async function organizationIds(emulator: Emulator): Promise<string[]> {
  const { organizations } = await emulator.control<{ organizations: { id: string }[] }>('state');
  return organizations.map(({ id }) => id);
}

/**
 * Returns a menu for all organizations of the data set (at most ten), unless the body lists others.
 */
export async function menu(emulator: Emulator, body: object = {}): Promise<MenuBody> {
  const ids = (await organizationIds(emulator)).slice(0, 10);
  const token = await login(emulator);
  const request = { externalMenuId: '9001', organizationIds: ids, ...body };
  const reply = await post(emulator, '/api/menu/v3/by_id', request, token);
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body as unknown as MenuBody;
}

export function listItems(body: MenuBody): Item[] {
  return body.itemsGroups
    .flatMap(({ items }) => items)
    .filter(({ productId }) => productId !== null);
}
