import type { Example } from '../../api/http/documents/examples.ts';
import type { Route } from '../../api/http/route.ts';

const SHOWN = 2;
const MOMENT = '2026-01-15T09:30:00.000Z';
const ISO_MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const LATER = '2026-01-16T09:30:00.000Z';

const SECRETS: Readonly<Record<string, string>> = {
  accessToken: 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiI3In0.c2lnbmF0dXJl',
  secret: 'whsec_c2VjcmV0IG9mIHRoZSBleGFtcGxlIG9mIGEgd2ViaG9vaw==',
  password: 'a sentence nobody guesses',
  currentPassword: 'a sentence nobody guesses',
  newPassword: 'another sentence nobody guesses',
};

/** Shortens lists, hides secrets, and sets all times to one moment. */
export function presentable(route: Pick<Route, 'operationId'>, recorded: Example): Example {
  const { body, answer, ...rest } = recorded;
  const shown = route.operationId === 'getMenu' ? shortMenu(answer as Menu) : answer;
  return {
    ...rest,
    ...(body === undefined ? {} : { body: masked(body, '') }),
    ...(shown === undefined ? {} : { answer: shortened(masked(shown, '')) }),
  };
}

function masked(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((entry) => masked(entry, name));
  if (typeof value === 'string')
    return SECRETS[name] ?? (ISO_MOMENT.test(value) ? chooseMoment(name) : value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, each]) => [member, masked(each, member)]),
  );
}

const chooseMoment = (name: string) => (/until|^to$/i.test(name) ? LATER : MOMENT);

function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, SHOWN).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, each]) => [member, shortened(each)]),
  );
}

type Menu = {
  categories: { productIds: number[] }[];
  products: { id: number; variants: { modifierGroupIds: string[] }[] }[];
  modifierGroups: { id: string }[];
};

/** A menu of one product, complete enough for every reference of the example. */
function shortMenu(menu: Menu): Menu {
  const product = menu.products.find((entry) =>
    entry.variants.some((variant) => variant.modifierGroupIds.length > 0),
  )!;
  const groups = product.variants.flatMap((variant) => variant.modifierGroupIds).slice(0, 1);
  return {
    ...menu,
    categories: menu.categories
      .filter((category) => category.productIds.includes(product.id))
      .map((category) => ({ ...category, productIds: [product.id] })),
    products: [
      {
        ...product,
        variants: product.variants.map((variant) => ({
          ...variant,
          modifierGroupIds: variant.modifierGroupIds.filter((id) => groups.includes(id)),
        })),
      },
    ],
    modifierGroups: menu.modifierGroups.filter((group) => groups.includes(group.id)),
  };
}

export function sameShape(a: unknown, b: unknown): boolean {
  return JSON.stringify(toShape(a)) === JSON.stringify(toShape(b));
}

function toShape(value: unknown): unknown {
  if (Array.isArray(value))
    return [...new Set(value.map((entry) => JSON.stringify(toShape(entry))))].toSorted();
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, each]) => [name, toShape(each)]);
}
