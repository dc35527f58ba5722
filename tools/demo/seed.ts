import { DEMO_API_LOGIN } from '../../emulator/data/world.ts';
import { signIn, type AdminApi } from './admin-api.ts';
import { OWNER } from './catalogue.ts';
import { firstImports } from './imports.ts';
import { chooseDishes, makeProducts, sellable, type Dish } from './products.ts';
import { ensureCategories, ensurePictures, ensureSizeAxis } from './shop.ts';

export type DemoOptions = {
  /** Scheme, host and port of the running API. */
  baseUrl: string;
  email: string;
  password: string;
  /** Credential of the ERP; the emulator's own when left out. */
  apiLogin?: string;
  /** Gets one line per step. */
  log: (line: string) => void;
};

/**
 * Builds the demo catalogue of a running product, only through its admin HTTP API as staff would: owner, connection and
 * its first imports, categories, size axis, pictures, published products. Repeatable: another call continues where an
 * earlier one stopped and creates nothing twice; what staff changed meanwhile stays.
 */
export async function seedDemo(options: DemoOptions): Promise<void> {
  const { log } = options;
  const api = await signIn(options.baseUrl, options.email, options.password);
  const connection = await ensureConnection(api, options.apiLogin ?? DEMO_API_LOGIN);
  const [pictures] = await Promise.all([ensurePictures(api), firstImports(api, connection, log)]);

  const { shelves, hits } = await ensureCategories(api);
  const dishes = await api.all<Dish>('/erp/items');
  const sizeNames = sellable(dishes).flatMap((dish) => dish.sizes.flatMap((size) => size.name ?? []));
  const optionCodes = await ensureSizeAxis(api, sizeNames);
  const wanted = chooseDishes(dishes, shelves.keys());
  const published = await makeProducts(api, wanted, { shelves, hits, pictures, options: optionCodes }, log);
  const known = dishes.filter((dish) => dish.boundProduct !== null).length;
  log(
    `${published} products published now, ${known} known before; ${shelves.size + 1} categories, ${pictures.size} pictures`,
  );
}

/** The first part of `seedDemo` alone: owner and connection exist and the first imports are through. Repeatable. */
export async function seedConnection(options: DemoOptions): Promise<void> {
  const api = await signIn(options.baseUrl, options.email, options.password);
  await firstImports(api, await ensureConnection(api, options.apiLogin ?? DEMO_API_LOGIN), options.log);
}

type Named = { id: number; name: string };

/** Finds or creates franchisee, legal entity and connection by their names; a new connection starts its first imports. */
async function ensureConnection(api: AdminApi, apiLogin: string): Promise<{ id: number; isNew: boolean }> {
  const ensure = async (path: string, name: string, body: Record<string, unknown>) => {
    const found = (await api.all<Named>(path)).find((each) => each.name === name);
    return found === undefined
      ? { id: (await api.post<Named>(path, { name, ...body })).id, isNew: true }
      : { id: found.id, isNew: false };
  };
  const franchisee = await ensure('/franchisees', OWNER.franchisee, {});
  const { name, taxId } = OWNER.legalEntity;
  const entity = await ensure('/legal-entities', name, { franchiseeId: franchisee.id, taxId });
  return ensure('/connections', OWNER.connection, { legalEntityId: entity.id, apiLogin });
}
