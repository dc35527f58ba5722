const UPSERT = 'an upsert: its unique rule is what two sessions compete for';
const ITEMS = 'the items are locked before (lockItems)';
const SNAPSHOT = 'the snapshot of the organization is locked before (lockSnapshot)';

/** Places that read like a lock and are none, by id, each with the reason why nothing competes there. */
export const NO_LOCKS: Readonly<Record<string, string>> = {
  'app/access/second-factor/set-factor.ts beginSecondFactor drop .onConflict': UPSERT,
  'app/access/user-fields.ts replaceRoles drop .onConflict': 'changes of users wait for each other (administrators)',
  'app/binding/incident-rows.ts openIncidents drop on conflict': 'evaluations take turns (takeTurn)',
  'app/catalog/claim-items.ts claimItems drop on conflict #2': 'the claim on the dish lets one session get here',
  'app/catalog/claim-items.ts ignoreUnclaimed drop on conflict': UPSERT,
  'app/catalog/order-category-products.ts orderCategoryProducts drop .forUpdate':
    'the whole order is written: of two the later one stands, with or without it',
  'app/compensation/gift-orders.ts holdGiftOrder drop .forUpdate': 'the ids of the order are locked before (giftOrder)',
  'app/connections/erp-circuits.ts hold drop .onConflict': UPSERT,
  'app/connections/erp-circuits.ts open drop .onConflict': UPSERT,
  'app/connections/refusals.ts recordRefusal drop .onConflict': UPSERT,
  'app/media/retired-renditions.ts retireRenditions drop on conflict':
    'the row of the image is locked before (holdForEdit); an upsert for crops that come back',
  'app/mirror/import-menu-list.ts importMenuList drop on conflict': 'imports of one connection take turns (enterRun)',
  'app/mirror/menu/delete-vanished.ts deleteVanished drop for no key update': ITEMS,
  'app/mirror/menu/merge-sizes.ts mergeSizes drop for no key update': ITEMS,
  'app/mirror/menu/merge-sizes.ts mergeSizes drop on conflict': ITEMS,
  'app/mirror/schedules/paused-elsewhere.ts rememberPausedElsewhere drop on conflict': UPSERT,
  'app/mirror/schedules/apply-schedules.ts noteReconciled drop .onConflict': UPSERT,
  'app/fulfillment/erp-choices.ts refreshErpChoices drop .onConflict': UPSERT,
  'app/compensation/missed-history.ts noteMissedHistory drop on conflict': UPSERT,
  'app/compensation/missed-history.ts takeHistoryOver drop on conflict': UPSERT,
  'app/ordering/check-gift-days.ts checkGiftDays drop on conflict': UPSERT,
  'app/ordering/order-revision.ts saveRevision drop .onConflict': UPSERT,
  'app/ordering/terminal-alive.ts checkTerminals drop .onConflict': UPSERT,
  'app/ordering/quotes.ts saveQuote drop .onConflict':
    'an upsert: preflights of one cart see one state and run again (inOneState); its unique rule is tried by itself',
  'app/rebuilds/build-result.ts recordTooLarge drop .onConflict': SNAPSHOT,
  'app/snapshot/publish-snapshot.ts replace drop .onConflict': SNAPSHOT,
  'app/snapshot/snapshot-row.ts lockSnapshot drop .forUpdate': 'the advisory lock comes first (lockSnapshot)',
  'app/window-count.ts takeBack drop for update': 'the order of the rows is what counts (drop order by)',
  'db/locks.ts hold drop pg_advisory_xact_lock': 'each place that takes an advisory lock is listed',
  'db/locks.ts tryHold drop pg_try_advisory_xact_lock': 'each place that takes an advisory lock is listed',
};
