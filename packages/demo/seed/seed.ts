import { DEMO_API_LOGIN } from '../../erp-emulator/data/dataset.ts';
import { signIn, type AdminApi } from './admin-api.ts';
import { OWNER } from './catalog.ts';
import { ensureGifts } from './gifts.ts';
import { ensureMarkers } from './markers.ts';
import { firstImports } from './imports.ts';
import { ensureOpeningHours, ensureWaysToPay } from './opening-hours.ts';
import { chooseDishes, makeProducts, orderByPopularity, sellable, type Dish } from './products.ts';
import { stopSomeDishes } from './sold-out.ts';
import { ensureTroubles } from './troubles.ts';
import {
  ensureBadges,
  ensureCategories,
  ensurePictures,
  ensureSizeAxis,
  type PictureOptions,
} from './shop.ts';

export type DemoOptions = {
  /** Scheme, host and port of the running API. */
  baseUrl: string;
  email: string;
  password: string;
  /** The emulator's credential by default. */
  apiLogin?: string;
  /** The sign-in URL of the demo's customers. Without it, cards are not read in advance. */
  customersUrl?: string | undefined;
  /** The emulator that acts as the ERP. Without it, the demo has no failures. */
  emulatorUrl?: string | undefined;
  log: (line: string) => void;
  /** Creating their renditions takes most of the demo's time. */
  pictures?: PictureOptions;
};

/**
 * Builds the demo catalog of a running product through its admin API. Repeatable: another call
 * continues where an earlier one stopped. Changes by staff stay.
 */
export async function seedDemo(options: DemoOptions): Promise<void> {
  const { log } = options;
  const api = await signIn(options.baseUrl, options.email, options.password);
  const connection = await ensureConnection(api, options.apiLogin ?? DEMO_API_LOGIN);
  const [pictureOf] = await Promise.all([
    ensurePictures(api, options.pictures),
    firstImports(api, connection, log),
  ]);

  const { shelves, hits } = await ensureCategories(api);
  const dishes = await api.all<Dish>('/erp/items');
  const sizeNames = sellable(dishes).flatMap((dish) =>
    dish.sizes.flatMap((size) => size.name ?? []),
  );
  const optionCodes = await ensureSizeAxis(api, sizeNames);
  const badges = await ensureBadges(api);
  const wanted = chooseDishes(dishes);
  const published = await makeProducts(
    api,
    wanted,
    { shelves, hits, pictureOf, badges, options: optionCodes },
    log,
  );
  if (published > 0)
    await orderByPopularity(api, await api.all<Dish>('/erp/items'), { shelves, hits });

  const opened = await ensureOpeningHours(api);
  await ensureWaysToPay(api);
  const byHand = await ensureGifts(api, connection, { dishes, pictureOf });
  const place = { baseUrl: options.baseUrl, customersUrl: options.customersUrl ?? null };
  const gifts = byHand + (await ensureMarkers(api, connection, place));
  if (options.emulatorUrl !== undefined) {
    await stopSomeDishes(options.emulatorUrl, {
      organizations: await api.all('/organizations'),
      dishes,
    });

    const troubles = { baseUrl: options.baseUrl, emulatorUrl: options.emulatorUrl };
    const made = await ensureTroubles(api, connection, {
      dishes: await api.all<Dish>('/erp/items'),
      place: troubles,
    });
    if (made > 0)
      log(`${made} things have gone wrong: an incident, a refused import, a failed order`);
  }

  const known = dishes.filter((dish) => dish.boundProduct !== null).length;
  log(
    `${published} products published now, ${known} known before; ${shelves.size + 1} categories, ${opened} restaurants opened, ${gifts} gifts promised`,
  );
}

/** Creates owner and connection, and waits for the first imports. Repeatable. */
export async function seedConnection(options: DemoOptions): Promise<void> {
  const api = await signIn(options.baseUrl, options.email, options.password);
  await firstImports(
    api,
    await ensureConnection(api, options.apiLogin ?? DEMO_API_LOGIN),
    options.log,
  );
}

type Franchisee = { id: number; name: string };
type LegalEntity = { id: number; franchiseeId: number; name: string; taxId: string | null };
type Connection = { id: number; legalEntityId: number; name: string };

/**
 * Finds or creates franchisee, legal entity and connection; a new connection starts its first
 * imports.
 */
async function ensureConnection(
  api: AdminApi,
  apiLogin: string,
): Promise<{ id: number; isNew: boolean }> {
  const [entities, connections] = await Promise.all([
    api.all<LegalEntity>('/legal-entities'),
    api.all<Connection>('/connections'),
  ]);

  const { name, taxId } = OWNER.legalEntity;
  const entity =
    entities.find((entry) => entry.taxId === taxId) ??
    entities.find((entry) => entry.name === name);
  const known = connectionOfDemo(connections, entity?.id);
  if (known !== undefined) return { id: known.id, isNew: false };
  const legalEntityId = entity?.id ?? (await createOwner(api));
  const created = await api.post<Connection>('/connections', {
    legalEntityId,
    name: OWNER.connection,
    apiLogin,
  });

  return { id: created.id, isNew: true };
}

/**
 * Finds the connection by name, or else the oldest of its legal entity or of all, because all lead
 * to the same emulator.
 */
function connectionOfDemo(connections: readonly Connection[], legalEntityId: number | undefined) {
  const byAge = connections.toSorted((one, other) => one.id - other.id);
  return (
    byAge.find((connection) => connection.name === OWNER.connection) ??
    byAge.find((connection) => connection.legalEntityId === legalEntityId) ??
    byAge[0]
  );
}

/** Returns a new legal entity of the demo's franchisee, which may already exist. */
async function createOwner(api: AdminApi): Promise<number> {
  const name = OWNER.franchisee;
  const franchisee =
    (await api.all<Franchisee>('/franchisees')).find((entry) => entry.name === name) ??
    (await api.post<Franchisee>('/franchisees', { name }));
  const entity = { franchiseeId: franchisee.id, ...OWNER.legalEntity };

  return (await api.post<LegalEntity>('/legal-entities', entity)).id;
}
