import { continueAsNew } from '@temporalio/workflow';
import type { MarkerClearInput } from '../modules/gifts/messages/gifts.ts';
import { clearMarkers } from './support/clear-markers.ts';

/** Removes categories of redeemed rights from one client (CMP-14). */
export function categoryClear(input: MarkerClearInput): Promise<void> {
  return clearMarkers('ERP_CATEGORY', input, () => continueAsNew<typeof categoryClear>(input));
}
