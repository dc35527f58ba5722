import type { Tx } from '../../platform/db/database.ts';
import { commitEdit, type CatalogDeps } from '../catalog/commit-edit.ts';

/** Rolls back a dry run and returns its result. */
class RolledBack extends Error {
  readonly result: unknown;
  constructor(result: unknown) {
    super();
    this.result = result;
  }
}

/** Runs `work` in a transaction and returns its result; a dry run is rolled back. */
export async function commitUnlessDry<T>(
  deps: CatalogDeps,
  isDry: boolean | undefined,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  try {
    return await commitEdit(deps, async (tx) => {
      const result = await work(tx);
      if (isDry === true) throw new RolledBack(result);
      return result;
    });
  } catch (error) {
    if (error instanceof RolledBack) return error.result as T;
    throw error;
  }
}
