import { nameKey, readBlocks, withoutOneBlock } from '../rules/comment-blocks.ts';
import type { Clearing, HeldBy, NotCleared } from '../rules/markers.ts';
import type { MarkerSource } from '../rules/words.ts';
import type { ErpCustomer } from '../../../erp/schemas/customers.ts';
import { blockSubject } from '../cards/cleared-marker.ts';

export type ClearableMarker = { source: MarkerSource; subject: string };

/** A client's card and the time of the request. */
export type ReadCard = { customer: Pick<ErpCustomer, 'comment' | 'categories'>; askedAt: Date };

/** The change that removes a marker at the ERP. */
export type MarkerChange =
  | {
      comment: string;
      /** The number of equal blocks, with the one that is removed. */
      equals: number;
    }
  | { categoryId: string };

/** The card of one client at the ERP, and its stored state. */
export type CardPorts = {
  read(): Promise<ReadCard | NotCleared>;
  /**
   * Stores a reading, and returns the state of the marker; OVERTAKEN if a later reading was stored
   * before.
   */
  remember(reading: ReadCard): Promise<'PRESENT' | 'ABSENT' | 'OVERTAKEN'>;
  /** Null when the ERP has taken the change. */
  change(change: MarkerChange): Promise<NotCleared | null>;
};

/**
 * Removes the marker of a redeemed right from the ERP, once (rules CMP-16 to CMP-18). Only a
 * reading proves its removal, the first one included: then nothing is written. A comment is read
 * again right before it is written, and written only when it is still the same, no tag in it is
 * broken, and exactly one block is removed. A second call is harmless: it begins with a reading.
 */
export async function clearMarker(ports: CardPorts, marker: ClearableMarker): Promise<Clearing> {
  const found = await ports.read();
  if ('heldBy' in found) return found;
  const remembered = await ports.remember(found);
  if (remembered !== 'PRESENT') return remembered === 'ABSENT' ? gone(null) : held('CHANGED');

  const change = await changeOf(ports, marker, found);
  if ('heldBy' in change) return change;
  const refused = await ports.change(change);
  if (refused !== null && refused.heldBy !== 'REFUSED') return refused;

  // Also after a rejection: a rejected change may already be made.
  const after = await ports.read();
  if ('heldBy' in after) return after;
  if ((await ports.remember(after)) !== 'ABSENT') return refused ?? held('NOT_CONFIRMED');
  return gone('comment' in change ? (after.customer.comment ?? '') === change.comment : null);
}

async function changeOf(
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
  return removal.kind === 'REMOVED' ? { comment: removal.comment, equals: equals.length } : held('UNSAFE');
}

/** Nothing was cleared, and why. */
export function held(heldBy: HeldBy, retryAfterMs: number | null = null): NotCleared {
  return { cleared: false, heldBy, retryAfterMs };
}

const gone = (isAsWritten: boolean | null): Clearing => ({ cleared: true, isAsWritten });
