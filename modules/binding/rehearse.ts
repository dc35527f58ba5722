import type { Tx } from '../../platform/db/database.ts';
import { commitEdit, type CatalogDeps } from '../catalog/commit-edit.ts';

class RolledBack extends Error {
  readonly result: unknown;
  constructor(result: unknown) {
    super();
    this.result = result;
  }
}

/** Runs `work` and returns its result. Rolls back a dry run. */
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
