import {
  decideBinding,
  itemConditions,
  type BindingCondition,
  type BindingDecision,
} from './rules/binding-states.ts';
import { graceEndsAt, type Absence, type Grace } from './rules/grace.ts';
import { replacementSearch, type Candidate, type LostItem } from './rules/replacement.ts';
import type { Tx } from '../../platform/db/database.ts';
import {
  holdLostVariants,
  readDismissedSizes,
  readFreeSizes,
  type BoundVariant,
} from './evaluation-facts.ts';

export type Verdict = BindingDecision & { variant: BoundVariant; candidates: readonly Candidate[] };

export type Judgement = {
  verdicts: Verdict[];
  /** Time until the first grace period ends; null if none is running. */
  graceEndsInMs: number | null;
};

/** Delay for an item that an import is writing, if no evaluation follows. */
const LOOK_AGAIN_MS = 1_000;

/**
 * Decides item states first, because live variants and replacements depend on them. Uses a fixed
 * number of statements.
 */
export async function judgeBindings(
  tx: Tx,
  variants: readonly BoundVariant[],
  grace: Grace,
  now: number,
): Promise<Judgement> {
  const first = variants.map((variant) => {
    const conditions = itemConditions({ ...variant, absence: toAbsence(variant) }, grace, now);
    return { variant, conditions, ...decideBinding(variant.state, conditions) };
  });

  const lost = first.filter((entry) => entry.state === 'MISSING');
  const lostIds = await holdLostVariants(
    tx,
    lost.map(({ variant }) => variant),
  );

  const missing = lost.filter(({ variant }) => lostIds.has(variant.id));
  const offers = await findReplacements(
    tx,
    missing.map(({ variant }) => variant),
  );

  const isMissing = new Set(missing.map(({ variant }) => variant.id));
  const alive = new Set(
    variants.filter(({ id }) => !isMissing.has(id)).map(({ productId }) => productId),
  );

  const verdicts = first.flatMap(({ variant, conditions, state, effects }): Verdict[] => {
    if (state === 'OK') return [{ variant, state, effects, candidates: [] }];
    if (!isMissing.has(variant.id)) return [];
    const candidates = offers.get(variant.id) ?? [];
    const all: BindingCondition[] = [
      ...conditions,
      ...(candidates.length > 0 ? (['CANDIDATES_FOUND'] as const) : []),
      ...(alive.has(variant.productId) ? [] : (['NO_LIVE_VARIANT'] as const)),
    ];

    return [{ variant, candidates, ...decideBinding(variant.state, all) }];
  });

  const waits = first.flatMap(({ variant, conditions }) => {
    const absence = toAbsence(variant);
    const isTolerated =
      absence !== null && variant.state === 'OK' && conditions.includes('WITHIN_GRACE');
    return isTolerated ? [graceEndsAt(absence, grace) - now] : [];
  });

  if (missing.length < lost.length) waits.push(LOOK_AGAIN_MS);

  return {
    verdicts,
    graceEndsInMs: waits.length === 0 ? null : Math.ceil(waits.reduce((a, b) => Math.min(a, b))),
  };
}

function toAbsence({ deletedAt, importsSince }: BoundVariant): Absence | null {
  return deletedAt === null ? null : { deletedAt, imports: importsSince };
}

/** Omits candidates that staff have dismissed. */
async function findReplacements(
  tx: Tx,
  missing: readonly BoundVariant[],
): Promise<Map<number, Candidate[]>> {
  if (missing.length === 0) return new Map();
  const items = missing.map((variant) => ({ id: variant.id, item: toLostItem(variant) }));
  const sizes = await readFreeSizes(tx, {
    skus: [...new Set(items.flatMap(({ item }) => item.sku ?? []))],
    names: [...new Set(items.flatMap(({ item }) => item.name ?? []))],
    after: items.reduce((earliest, { item }) => Math.min(earliest, item.lastSeenAt), Infinity),
  });

  const dismissed = await readDismissedSizes(
    tx,
    items.map(({ id }) => id),
  );

  const search = replacementSearch(sizes);

  return new Map(
    items.map(({ id, item }) => [
      id,
      search(item).filter((candidate) => dismissed.get(id)?.has(candidate.erpItemSizeId) !== true),
    ]),
  );
}

function toLostItem(variant: BoundVariant): LostItem {
  const {
    productId,
    lastSeenSku: sku,
    lastSeenName: name,
    erpSizeId,
    productCategoryId,
    menuCategoryIds,
    lastSeenAt,
  } = variant;

  return { productId, sku, name, erpSizeId, productCategoryId, menuCategoryIds, lastSeenAt };
}
