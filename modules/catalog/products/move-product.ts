import type { ProductState } from '../schemas/catalog.ts';
import { sql } from 'kysely';
import { Problem } from '../../../kernel/problem.ts';
import { anyOf, type Tx } from '../../../platform/db/database.ts';
import { decideMove, type ProductMove, type ProductStatus } from '../rules/states.ts';
import { withTexts } from '../violation-texts.ts';
import { publishViolations, type PublishViolation } from '../rules/publish-rules.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { recordAudits } from '../../access/audit/record-audit.ts';
import { nextVersion } from '../../../kernel/edits.ts';
import { announceToGuests, commitEdit, type Announce, type CatalogDeps } from '../commit-edit.ts';
import { recordEvents } from '../../events/record-events.ts';
import { publishFacts } from '../publish-facts.ts';

const STATE = ['id', 'status', 'statusReason', 'publishedAt', 'version'] as const;

type Outcome =
  | { kind: 'done'; state: ProductState; moved: boolean }
  | { kind: 'not-found' }
  | { kind: 'blocked'; violations: PublishViolation[] }
  | { kind: 'refused'; status: ProductStatus };

/**
 * Moves a product to another status (CAT-1, CAT-20). A repeated move changes nothing. Problems:
 * not-found; publish-blocked with all violations; invalid-transition.
 */
export function moveProduct(
  deps: CatalogDeps,
  actor: Actor,
  id: number,
  move: ProductMove,
): Promise<ProductState> {
  return commitEdit(deps, (tx) => moveInTransaction(tx, actor, id, move));
}

/** {@link moveProduct} in the caller's transaction. */
export async function moveInTransaction(
  tx: Tx,
  actor: Actor,
  id: number,
  move: ProductMove,
  announce?: Announce,
): Promise<ProductState> {
  const outcome = (await moveAll(tx, actor, [id], { move, reason: null, announce })).get(id) ?? {
    kind: 'not-found',
  };
  switch (outcome.kind) {
    case 'done':
      return outcome.state;
    case 'not-found':
      throw new Problem('not-found', { detail: 'No such product.' });
    case 'blocked':
      throw new Problem('publish-blocked', { violations: withTexts(outcome.violations) });
    case 'refused':
      throw new Problem('invalid-transition', { detail: `The product is ${outcome.status}.` });
  }
}

/**
 * Unpublishes products with a reason code that staff see (CAT-9). Returns the products that became
 * hidden.
 */
export async function hideProducts(
  tx: Tx,
  actor: Actor,
  ids: readonly number[],
  reason: string,
): Promise<number[]> {
  const outcomes = await moveAll(tx, actor, ids, { move: 'unpublish', reason });
  return [...outcomes].flatMap(([id, outcome]) =>
    outcome.kind === 'done' && outcome.moved ? [id] : [],
  );
}

type Move = { move: ProductMove; reason: string | null; announce?: Announce | undefined };

async function moveAll(
  tx: Tx,
  actor: Actor,
  ids: readonly number[],
  how: Move,
): Promise<Map<number, Outcome>> {
  const { move } = how;
  // Locks in id order to prevent deadlocks. Others cannot change the state before decisions are
  // written.
  const products = await tx.db
    .selectFrom('catalog_product')
    .select(STATE)
    .where('id', '=', anyOf(ids))
    .orderBy('id')
    .forUpdate()
    .execute();

  const facts = move === 'publish' ? await publishFacts(tx, ids) : new Map<number, never>();
  const outcomes = new Map<number, Outcome>();
  const moving: { product: ProductState; to: ProductStatus }[] = [];

  for (const product of products) {
    const existing = facts.get(product.id);
    const violations = existing === undefined ? [] : publishViolations(existing);
    const decision = decideMove(product.status, move);
    if (violations.length > 0) outcomes.set(product.id, { kind: 'blocked', violations });
    else if (decision.kind === 'refused')
      outcomes.set(product.id, { kind: 'refused', status: product.status });
    else outcomes.set(product.id, { kind: 'done', state: product, moved: false });

    if (violations.length === 0 && decision.kind === 'moves')
      moving.push({ product, to: decision.to });
  }

  for (const state of await applyMoves(tx, actor, moving, how))
    outcomes.set(state.id, { kind: 'done', state, moved: true });

  return outcomes;
}

async function applyMoves(
  tx: Tx,
  actor: Actor,
  moving: readonly { product: ProductState; to: ProductStatus }[],
  { move, reason, announce = announceToGuests }: Move,
): Promise<ProductState[]> {
  const [first] = moving;
  if (first === undefined) return [];
  const states = await tx.db
    .updateTable('catalog_product')
    .set({
      status: first.to,
      statusReason: reason,
      updatedAt: sql`now()`,
      version: nextVersion('catalog_product'),
    })
    .$if(first.to === 'PUBLISHED', (update) => update.set({ publishedAt: sql`now()` }))
    .where('id', '=', anyOf(moving.map(({ product }) => product.id)))
    .returning(STATE)
    .execute();

  await recordAudits(
    tx,
    actor,
    moving.map(({ product, to }) => ({
      entityType: 'product',
      entityId: product.id,
      action: move,
      before: { status: product.status },
      after: { status: to },
      ...(reason === null ? {} : { reason }),
    })),
  );

  const visible = moving.filter(
    ({ product, to }) => product.status === 'PUBLISHED' || to === 'PUBLISHED',
  );
  await recordEvents(
    tx,
    'product.published',
    visible
      .filter(({ to }) => to === 'PUBLISHED')
      .map(({ product: { id } }) => ({ id, organizationId: null, data: { productId: id } })),
  );

  await recordEvents(
    tx,
    'product.unpublished',
    visible
      .filter(({ to }) => to !== 'PUBLISHED')
      .map(({ product: { id } }) => ({
        id,
        organizationId: null,
        data: { productId: id, reason },
      })),
  );

  // A restored draft is not visible.
  if (move !== 'restore')
    await announce(
      tx,
      { source: `product-${move}`, productIds: visible.map(({ product }) => product.id) },
      actor,
    );

  return states;
}
