const UPSERT = 'an upsert: its unique rule is what two sessions compete for';
const ITEMS = 'the items are locked before (lockItems)';
const SNAPSHOT = 'the snapshot of the organization is locked before (lockSnapshot)';

/** Parts that look like locks, with the reason why no concurrent work affects them. */
export const NO_LOCKS: Readonly<Record<string, string>> = {
  'modules/access/second-factor/set-factor.ts beginSecondFactor drop .onConflict': UPSERT,
  'modules/access/user-fields.ts replaceRoles drop .onConflict':
    'changes of users wait for each other (administrators)',
  'modules/binding/incident-rows.ts openIncidents drop on conflict':
    'evaluations take turns (takeTurn)',
  'modules/menus/rebuilds/mark-dirty.ts mark drop on conflict #2':
    'marks of a menu take turns by its first row',
  'modules/catalog/variants/claim-items.ts claimItems drop on conflict #2':
    'the claim on the dish lets one session get here',
  'modules/catalog/variants/claim-items.ts ignoreUnclaimed drop on conflict': UPSERT,
  'modules/catalog/categories/order-category-products.ts orderCategoryProducts drop .forUpdate':
    'the whole order is written: of two the later one stands, with or without it',
  'modules/gifts/orders/gift-orders.ts holdGiftOrder drop .forUpdate':
    'the ids of the order are locked before (giftOrder)',
  'modules/connections/erp-calls/erp-circuits.ts hold drop .onConflict': UPSERT,
  'modules/connections/erp-calls/erp-circuits.ts open drop .onConflict': UPSERT,
  'modules/connections/erp-calls/refusals.ts recordRefusal drop .onConflict': UPSERT,
  'modules/media/media-base.ts recordMediaBase drop on conflict': UPSERT,
  'modules/media/retired-renditions.ts retireRenditions drop on conflict':
    'the row of the image is locked before (holdForEdit); an upsert for crops that come back',
  'modules/mirror/import-menu-list.ts importMenuList drop on conflict':
    'imports of one connection take turns (enterRun)',
  'modules/mirror/menu/delete-vanished.ts deleteVanished drop for no key update': ITEMS,
  'modules/mirror/menu/merge-sizes.ts mergeSizes drop for no key update': ITEMS,
  'modules/mirror/menu/merge-sizes.ts mergeSizes drop on conflict': ITEMS,
  'modules/mirror/runs/refused-organizations.ts recordRefusedOrganizations drop .onConflict':
    UPSERT,
  'modules/mirror/schedules/paused-elsewhere.ts rememberPausedElsewhere drop on conflict': UPSERT,
  'modules/mirror/schedules/apply-schedules.ts noteReconciled drop .onConflict': UPSERT,
  'modules/delivery/configuration/erp-choices.ts refreshErpChoices drop .onConflict': UPSERT,
  'modules/gifts/clients/missed-history.ts noteMissedHistory drop on conflict': UPSERT,
  'modules/gifts/clients/missed-history.ts takeHistoryOver drop on conflict': UPSERT,
  'modules/notifications/grouped-notifications.ts raiseGroupedNotification drop .onConflict #2':
    'the notification of the group is locked before by its own upsert',
  'modules/ordering/gift-days/check-gift-days.ts keepDays drop on conflict': UPSERT,
  'modules/ordering/at-erp/order-revision.ts saveRevision drop .onConflict': UPSERT,
  'modules/ordering/at-erp/polled-organizations.ts keepRevisions drop .onConflict': UPSERT,
  'modules/ordering/cart/terminal-alive.ts checkTerminals drop .onConflict': UPSERT,
  'modules/ordering/orders/intake.ts closeIntake drop .onConflict': UPSERT,
  'modules/ordering/checkout/quotes.ts saveQuote drop .onConflict':
    'an upsert: preflights of one cart see one state and run again (inOneState); its unique rule is tried by itself',
  'modules/menus/rebuilds/build-result.ts recordTooLarge drop .onConflict': SNAPSHOT,
  'modules/menus/snapshot/publish-snapshot.ts replace drop .onConflict': SNAPSHOT,
  'modules/menus/snapshot/snapshot-row.ts lockSnapshot drop .forUpdate':
    'the advisory lock comes first (lockSnapshot)',
  'kernel/window-count.ts takeBack drop for update':
    'the order of the rows is what counts (drop order by)',
  'platform/db/locks.ts hold drop pg_advisory_xact_lock':
    'each place that takes an advisory lock is listed',
  'platform/db/locks.ts holdAll drop pg_advisory_xact_lock':
    'each place that takes an advisory lock is listed',
  'platform/db/locks.ts tryHold drop pg_try_advisory_xact_lock':
    'each place that takes an advisory lock is listed',
};
