import { randomUUID } from 'node:crypto';
import type { AddedAddress, AddressParts, NewAddress, OwnAddress } from '../schemas/addresses.ts';
import { invalidField, Problem } from '../../../kernel/problem.ts';
import type { WithDates } from '../../../kernel/pure/schemas.ts';
import { once, type Idempotency } from '../../../kernel/idempotency.ts';
import type { Database, Sql, Statements, Tx } from '../../../platform/db/database.ts';
import { advisory } from '../../../platform/db/locks.ts';
import { erpText } from '../../../kernel/pure/erp-text.ts';
import type { AddressPrecision } from '../rules/addresses/match-address.ts';
import type { Position } from '../../mirror/rules/zone-polygon.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import {
  erasePersonal,
  keepPersonal,
  personalErasure,
  readPersonal,
} from '../../access/customers/personal-data.ts';
import { readPage, type Page, type Paging } from '../../../kernel/pages.ts';
import { resolutionAt, servePlace, type ResolveDeps } from '../zones/resolve-delivery.ts';
import {
  MISSING,
  cleanAddress,
  locateAddress,
  locatePlace,
  locatePoint,
  type LocatedPlace,
} from './locate-place.ts';

export type AddressDeps = ResolveDeps & { db: Database; secrets: SecretBox };

export type AddressOwner = { customerId: string } | { cartId: string };

export type AddressCaller = { cartId: string | null; customerId: string | null };

type PersonalAddress = {
  parts: AddressParts;
  coords: Position | null;
  /** The sent point, stored until the address is found. */
  sent?: Position | null;
};

export type KeptAddress = PersonalAddress & {
  id: string;
  personalDataId: string;
  precision: AddressPrecision | null;
  createdAt: Date;
};

/** A full cart loses its oldest address, because guests cannot delete any. */
const MOST_OF_CUSTOMER = 20;
const MOST_OF_CART = 10;
const LONGEST = { building: 50, flat: 50, entrance: 50, floor: 50, doorphone: 50, comment: 500 };

/**
 * Stores an encrypted address once per owner and returns its delivery service (FUL-38, FUL-39).
 * Problem `validation`, also if a customer has too many addresses.
 */
export async function keepAddress(
  deps: AddressDeps,
  owner: AddressOwner,
  sent: Pick<NewAddress, 'address' | 'coords'>,
  idempotency: Idempotency | null = null,
): Promise<{ isNew: boolean; added: AddedAddress }> {
  const parts = cleanParts(sent);
  const located = await locate(deps, { parts, coords: sent.coords ?? null });
  const keep = async (tx: Tx) => {
    await advisory.addresses(tx, ownerName(owner));
    const own = await readAddresses(tx, deps, owner);
    const same = own.find((address) => isSame(address, { parts, coords: sent.coords ?? null }));
    if (same !== undefined) {
      await storePoint(tx, deps, same, located);
      return { isNew: false, id: same.id };
    }

    await makeRoom(tx, owner, own);
    const id = randomUUID();
    const personalDataId = await keepPersonal(
      tx,
      deps,
      'ADDRESS',
      toPersonal(parts, located, sent.coords),
    );

    await tx.db
      .insertInto('delivery_address')
      .values({
        id,
        customerId: null,
        cartId: null,
        ...owner,
        personalDataId,
        precision: located.precision,
      })
      .execute();

    return { isNew: true, id };
  };

  const ownAddress = await deps.db.transaction((tx) => once(tx, idempotency, () => keep(tx)));
  const resolution = resolutionAt(await servePlace(deps, located), Date.now());

  return { isNew: ownAddress.isNew, added: { addressId: ownAddress.id, ...resolution } };
}

/** Returns one page of a customer's addresses, newest first (FUL-40). */
export async function listAddresses(
  deps: { db: Sql; secrets: SecretBox },
  customerId: string,
  paging: Paging,
): Promise<Page<WithDates<OwnAddress>>> {
  const page = await readPage(selectRows(deps.db, { customerId }), paging);
  return {
    ...page,
    items: (await withPersonal(deps.db, deps, page.items)).map(
      ({ id, parts, coords, precision, createdAt }) => ({
        addressId: id,
        address: parts,
        coords: coords === null ? null : [...coords],
        precision,
        createdAt,
      }),
    ),
  };
}

/** Erases an address. Problem `not-found`, also for other customers' addresses. */
export async function deleteAddress(
  { db }: { db: Database },
  customerId: string,
  id: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const row = await selectRows(tx, { customerId }).where('id', '=', id).executeTakeFirst();
    const erased = row === undefined ? 0 : await erasePersonal(tx, [row.personalDataId]);
    if (erased === 0) throw noAddress();
  });
}

/** Erases the addresses of a guest's cart (FUL-38). */
export const cartAddressErasure = (db: Statements, cartId: string) =>
  personalErasure(
    db,
    db.selectFrom('delivery_address').select('personalDataId').where('cartId', '=', cartId),
  );

const noAddress = (): Problem => new Problem('not-found', { detail: 'There is no such address.' });

/** Returns true if the caller may order to an address (FUL-40). */
export async function isAddressKept(sql: Sql, caller: AddressCaller, id: string): Promise<boolean> {
  return (await selectRows(sql, caller).where('id', '=', id).executeTakeFirst()) !== undefined;
}

export type LocatedAddress = { address: KeptAddress; located: LocatedPlace };

/**
 * Returns an address of the caller, or null (FUL-40). Searches again for missing coordinates
 * (FUL-41).
 */
export async function findLocated(
  deps: AddressDeps,
  caller: AddressCaller,
  id: string,
): Promise<LocatedAddress | null> {
  const row = await selectRows(deps.db, caller).where('id', '=', id).executeTakeFirst();
  const [address] = row === undefined ? [] : await withPersonal(deps.db, deps, [row]);
  if (address === undefined) return null;
  const { coords, precision } = address;
  if (coords !== null && precision !== null) {
    const isNamed = address.parts.city !== null;
    const located = {
      coords,
      precision,
      missing: isNamed ? MISSING[precision] : ['city', 'street', 'house'],
    };

    return { address, located };
  }

  const located = await locate(deps, {
    parts: address.parts,
    coords: address.coords ?? address.sent ?? null,
  });

  await deps.db.transaction((tx) => storePoint(tx, deps, address, located));

  return { address: { ...address, coords: located.coords ?? coords }, located };
}

/** Locates an address of the caller. Problem `not-found`. */
export async function locateKept(
  deps: AddressDeps,
  caller: AddressCaller,
  id: string,
): Promise<LocatedPlace> {
  const place = await findLocated(deps, caller, id);
  if (place === null) throw noAddress();
  return place.located;
}

/** Cleans an address for the ERP; empty parts become null. */
function cleanParts({
  address = {},
  coords,
}: Pick<NewAddress, 'address' | 'coords'>): AddressParts {
  const { city, street, house } = address;
  const isNamed = [city, street, house].some((part) => part !== undefined);
  if (coords === undefined && !isNamed)
    throw invalidField('address', 'required', 'Name an address or coordinates');
  const named = isNamed
    ? cleanAddress({ city: city ?? '', street: street ?? '', house: house ?? '' })
    : { city: null, street: null, house: null };
  const door = Object.fromEntries(
    Object.entries(LONGEST).map(([part, longest]) => [
      part,
      erpText(address[part as keyof typeof LONGEST] ?? '', longest) || null,
    ]),
  ) as Record<keyof typeof LONGEST, string | null>;

  return { ...named, ...door };
}

/** FUL-54. */
async function locate(
  deps: AddressDeps,
  { parts, coords }: PersonalAddress,
): Promise<LocatedPlace> {
  const { city, street, house, building } = parts;
  const point = coords === null ? null : ([coords[0], coords[1]] as const);
  if (city === null || street === null || house === null)
    return point === null ? locatePlace(deps, {}) : locatePoint(point);
  return locateAddress(deps, { words: { city, street, house }, building, point });
}

const toPersonal = (
  parts: AddressParts,
  { coords }: LocatedPlace,
  sent: readonly [number, number] | null = null,
): PersonalAddress => ({ parts, coords, ...(coords === null && sent !== null ? { sent } : {}) });

function isSame(one: PersonalAddress, other: PersonalAddress): boolean {
  const toText = ({ parts, coords }: PersonalAddress) =>
    JSON.stringify([Object.entries(parts), parts.city === null ? coords : null]).toLowerCase();
  return toText(one) === toText(other);
}

const ownerName = (owner: AddressOwner): string =>
  'cartId' in owner ? `cart/${owner.cartId}` : `customer/${owner.customerId}`;

async function makeRoom(tx: Sql, owner: AddressOwner, own: readonly KeptAddress[]): Promise<void> {
  if ('cartId' in owner) {
    const tooMany = own.slice(MOST_OF_CART - 1);
    await erasePersonal(
      tx,
      tooMany.map((address) => address.personalDataId),
    );
  } else if (own.length >= MOST_OF_CUSTOMER) {
    const message = `A customer has at most ${MOST_OF_CUSTOMER} addresses. Delete one first.`;
    throw invalidField('address', 'max_items', message);
  }
}

async function storePoint(
  tx: Sql,
  deps: AddressDeps,
  address: KeptAddress,
  located: LocatedPlace,
): Promise<void> {
  const { id, parts, coords, precision, personalDataId } = address;
  const isKnown =
    JSON.stringify(located.coords) === JSON.stringify(coords) && located.precision === precision;
  if (located.coords === null || isKnown) return;
  const next = await keepPersonal(tx, deps, 'ADDRESS', toPersonal(parts, located));
  const { numUpdatedRows } = await tx.db
    .updateTable('delivery_address')
    .set({ personalDataId: next, precision: located.precision })
    .where('id', '=', id)
    .where('personalDataId', '=', personalDataId)
    .executeTakeFirst();

  // If no row was updated, a concurrent request stored the coordinates or deleted the address.
  await erasePersonal(tx, [numUpdatedRows === 0n ? next : personalDataId]);
}

function selectRows({ db }: Sql, { cartId = null, customerId = null }: Partial<AddressCaller>) {
  return db
    .selectFrom('delivery_address')
    .select(['id', 'personalDataId', 'precision', 'createdAt'])
    .where((eb) => eb.or([eb('cartId', '=', cartId), eb('customerId', '=', customerId)]))
    .orderBy('createdAt', 'desc')
    .orderBy('id');
}

async function readAddresses(
  sql: Sql,
  deps: { secrets: SecretBox },
  owner: AddressOwner,
): Promise<KeptAddress[]> {
  return withPersonal(sql, deps, await selectRows(sql, owner).execute());
}

async function withPersonal(
  sql: Sql,
  deps: { secrets: SecretBox },
  rows: readonly Omit<KeptAddress, keyof PersonalAddress>[],
): Promise<KeptAddress[]> {
  const personal = await readPersonal<PersonalAddress>(
    sql,
    deps,
    rows.map((row) => row.personalDataId),
  );

  return rows.flatMap((row) => {
    const own = personal.get(row.personalDataId);
    return own === undefined ? [] : [{ ...row, ...own }];
  });
}
