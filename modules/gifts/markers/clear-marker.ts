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
  const found = await ports.read();
  if ('heldBy' in found) return found;
  const remembered = await ports.remember(found);
  if (remembered !== 'PRESENT') return remembered === 'ABSENT' ? gone(null) : held('CHANGED');

  const change = await planChange(ports, marker, found);
  if ('heldBy' in change) return change;
  const refused = await ports.change(change);
  if (refused !== null && refused.heldBy !== 'REFUSED') return refused;

  // The ERP may have applied a rejected change.
  const after = await ports.read();
  if ('heldBy' in after) return after;
  if ((await ports.remember(after)) !== 'ABSENT') return refused ?? held('NOT_CONFIRMED');

  return gone('comment' in change ? (after.customer.comment ?? '') === change.comment : null);
}

async function planChange(
  ports: CardPorts,
  { source, subject }: ClearableMarker,
  found: ReadCard,
): Promise<MarkerChange | NotCleared> {
  if (source === 'ERP_CATEGORY') return { categoryId: subject };
  const before = await ports.read();
  if ('heldBy' in before) return before;
  const comment = before.customer.comment ?? '';
  if (comment !== (found.customer.comment ?? '')) return held('CHANGED');
  const { blocks, damage } = readBlocks(comment);
  if (damage.length > 0) return held('DAMAGED');
  const equals = blocks.filter(({ name }) => blockSubject(name) === subject);
  const [block] = equals;
  if (block === undefined) return held('CHANGED');
  const removal = withoutOneBlock(comment, nameKey(block.name));

  return removal.kind === 'REMOVED'
    ? { comment: removal.comment, equals: equals.length }
    : held('UNSAFE');
}

export function held(heldBy: HeldBy, retryAfterMs: number | null = null): NotCleared {
  return { cleared: false, heldBy, retryAfterMs };
}

const gone = (isAsWritten: boolean | null): Clearing => ({ cleared: true, isAsWritten });
