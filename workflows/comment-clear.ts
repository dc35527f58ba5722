import { continueAsNew } from '@temporalio/workflow';
import type { MarkerClearInput } from '../modules/gifts/messages/gifts.ts';
import { clearMarkers } from './support/clear-markers.ts';

/** Takes blocks of redeemed rights out of the comment of one client (rule CMP-14). */
export function commentClear(input: MarkerClearInput): Promise<void> {
  return clearMarkers('ERP_COMMENT', input, () => continueAsNew<typeof commentClear>(input));
}
