import type { Tx } from '../../platform/db/database.ts';
import type { CatalogDeps } from './commit-edit.ts';

/** A variant that is about to be deleted. */
type LeavingVariant = { id: number; optionName: string | null; userId: number | null };

/**
 * What has to happen elsewhere, in the same transaction, when variants come and go. The catalogue does not know who evaluates bindings,
 * so the composition root puts this in.
 */
export type VariantWatch = {
  /** Waits for an evaluation that has read the variants as they are now; one that comes later sees what the transaction leaves. */
  holdEvaluations(tx: Tx): Promise<void>;
  /** Called before a variant is deleted, while it can still be read. */
  beforeRemoval(tx: Tx, variant: LeavingVariant): Promise<void>;
};

export type VariantDeps = CatalogDeps & { variantWatch: VariantWatch };
