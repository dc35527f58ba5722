import { nameKey, readBlocks, withoutOneBlock } from '../rules/comment-blocks.ts';
import type { Clearing, HeldBy, NotCleared } from '../rules/markers.ts';
import type { MarkerSource } from '../rules/words.ts';
import type { ErpCustomer } from '../../../erp/schemas/customers.ts';
import { blockSubject } from '../cards/cleared-marker.ts';

export type ClearableMarker = { source: MarkerSource; subject: string };

export type ReadCard = { customer: Pick<ErpCustomer, 'comment' | 'categories'>; askedAt: Date };

export type MarkerChange =
  | {
      comment: string;
      /** Number of equal blocks, including the removed block. */
      equals: number;
    }
  | { categoryId: string };

export type CardPorts = {
  read(): Promise<ReadCard | NotCleared>;
  /** OVERTAKEN means that a later read is already stored. */
  remember(reading: ReadCard): Promise<'PRESENT' | 'ABSENT' | 'OVERTAKEN'>;
  /** Returns null on success. */
  change(change: MarkerChange): Promise<NotCleared | null>;
};

/**
 * Removes a redeemed right's marker from the ERP (rules CMP-16 to CMP-18). Only a read of the card
 * proves the removal. Writes only if the comment is unchanged, no tag is broken, and exactly one
 * block is removed. Idempotent.
 */
export async function clearMarker(ports: CardPorts, marker: ClearableMarker): Promise<Clearing> {
  const card = await ports.read();
  if ('heldBy' in card) return card;
  const remembered = await ports.remember(card);
  if (remembered !== 'PRESENT')
    return remembered === 'ABSENT' ? success(null) : obstacle('CHANGED');

  const change = await planChange(ports, marker, card);
  if ('heldBy' in change) return change;
  const refused = await ports.change(change);
  if (refused !== null && refused.heldBy !== 'REFUSED') return refused;

  // The ERP may have applied a rejected change.
  const after = await ports.read();
  if ('heldBy' in after) return after;
  if ((await ports.remember(after)) !== 'ABSENT') return refused ?? obstacle('NOT_CONFIRMED');

  return success('comment' in change ? (after.customer.comment ?? '') === change.comment : null);
}

async function planChange(
  ports: CardPorts,
  { source, subject }: ClearableMarker,
  card: ReadCard,
): Promise<MarkerChange | NotCleared> {
  if (source === 'ERP_CATEGORY') return { categoryId: subject };
  const before = await ports.read();
  if ('heldBy' in before) return before;
  const comment = before.customer.comment ?? '';
  if (comment !== (card.customer.comment ?? '')) return obstacle('CHANGED');
  const { blocks, damage } = readBlocks(comment);
  if (damage.length > 0) return obstacle('DAMAGED');
  const equals = blocks.filter(({ name }) => blockSubject(name) === subject);
  const [block] = equals;
  if (block === undefined) return obstacle('CHANGED');
  const removal = withoutOneBlock(comment, nameKey(block.name));

  return removal.kind === 'REMOVED'
    ? { comment: removal.comment, equals: equals.length }
    : obstacle('UNSAFE');
}

export function obstacle(heldBy: HeldBy, retryAfterMs: number | null = null): NotCleared {
  return { cleared: false, heldBy, retryAfterMs };
}

const success = (isAsWritten: boolean | null): Clearing => ({ cleared: true, isAsWritten });
