import { continueAsNew } from '@temporalio/workflow';
import type { MarkerClearInput } from '../modules/gifts/messages/gifts.ts';
import { clearMarkers } from './support/clear-markers.ts';

/** Removes blocks of redeemed rights from a client's comment (CMP-14). */
export function commentClear(input: MarkerClearInput): Promise<void> {
  return clearMarkers('ERP_COMMENT', input, () => continueAsNew<typeof commentClear>(input));
}
