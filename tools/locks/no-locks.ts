/** A statement with the words of a lock, or a unique rule, that nothing competes for, and why that is so. */
export type NoLock = { file: string; from: string; why: string };

export const NO_LOCKS: readonly NoLock[] = [
  {
    file: 'app/binding/evaluation-facts.ts',
    from: '.forShare()',
    why: 'what it does not wait for is an entry (binding/returning-item); without both words it is another statement',
  },
  {
    file: 'app/webhooks/process-webhooks.ts',
    from: '.skipLocked()',
    why: 'without it a second processor waits and then finds the events processed; the lock itself is an entry (webhooks/in-hand)',
  },
  {
    file: 'app/notifications/raise-notification.ts',
    from: '.onConflict((conflict) =>',
    why: 'its columns are an entry (notifications/repetition)',
  },
  {
    file: 'app/access/user-fields.ts',
    from: '.onConflict((conflict) =>',
    why: 'its condition is an entry (access/sign-on-user-once)',
  },
  {
    file: 'app/access/ensure-roles.ts',
    from: '.onConflict((conflict) =>',
    why: 'an upsert: its unique rule is what two sessions compete for',
  },
  {
    file: 'app/access/login-throttle.ts',
    from: 'on conflict (key) do update set',
    why: 'an upsert: its unique rule is what two sessions compete for; counting is an entry of its own',
  },
  {
    file: 'app/access/user-fields.ts',
    from: '.onConflict((conflict) => conflict.doNothing())',
    why: 'changes of users wait for each other (access/administrators)',
  },
  {
    file: 'app/catalog/order-category-products.ts',
    from: '.forUpdate()',
    why: 'the whole order is written: of two the later one stands, with or without it',
  },
  {
    file: 'app/edits.ts',
    from: 'on conflict (${keyColumn}) do update',
    why: 'an upsert: its unique rule is what two sessions compete for; the version is an entry (settings/version)',
  },
  {
    file: 'app/connections/erp-circuits.ts',
    from: '.onConflict((conflict) =>',
    why: 'an upsert: its unique rule is what two sessions compete for',
  },
  {
    file: 'app/connections/erp-token-store.ts',
    from: 'on conflict (connection_id) do update set lease_owner',
    why: 'an upsert: its unique rule is what two sessions compete for; its conditions are entries (connections/token-…)',
  },
  {
    file: 'app/connections/refusals.ts',
    from: '.onConflict((conflict) =>',
    why: 'an upsert: its unique rule is what two sessions compete for',
  },
  {
    file: 'app/media/stored-pictures.ts',
    from: 'on conflict (media_id, rendition_set) do update',
    why: 'the row of the picture is locked (media/row); an upsert for crops that come back',
  },
  {
    file: 'app/media/claims.ts',
    from: "on conflict (files) do update set purpose = 'WRITE'",
    why: 'the condition in the line below decides (media/claim-of-sweep)',
  },
  {
    file: 'app/rebuilds/mark-dirty.ts',
    from: 'on conflict (organization_id) do update',
    why: 'an upsert: its unique rule is what two sessions compete for; counting is an entry (events/reasons-counted)',
  },
  {
    file: 'db/locks.ts',
    from: 'pg_advisory_xact_lock(hashtextextended(${name}, 0))',
    why: 'each place that takes an advisory lock is an entry of its own',
  },
  {
    file: 'db/locks.ts',
    from: 'pg_try_advisory_xact_lock(hashtextextended(${name}, 0))',
    why: 'each place that takes an advisory lock is an entry of its own',
  },
  {
    file: 'app/mirror/import-menu-list.ts',
    from: 'order by id on conflict do nothing',
    why: 'imports of one connection take turns (mirror/connection-lock)',
  },
  {
    file: 'app/mirror/import-stop-lists.ts',
    from: 'on conflict (organization_id) do update set synchronized_at',
    why: 'an upsert: its unique rule is what two sessions compete for; the comparison is an entry (mirror/stop-mark)',
  },
  {
    file: 'app/mirror/mark-stop-lists-dirty.ts',
    from: 'on conflict (organization_id) do update',
    why: 'an upsert: its unique rule is what two sessions compete for; counting is an entry (mirror/marks-counted)',
  },
  {
    file: 'app/mirror/menu/delete-vanished.ts',
    from: 'order by item.id for no key update of item)',
    why: 'the items are locked before (mirror/items-locked)',
  },
  {
    file: 'app/mirror/menu/merge-sizes.ts',
    from: 'order by old.id for no key update of old)',
    why: 'the items of the sizes are locked before (mirror/items-locked)',
  },
  {
    file: 'app/mirror/menu/merge-sizes.ts',
    from: 'on conflict do nothing',
    why: 'the items of the sizes are locked before (mirror/items-locked)',
  },
  {
    file: 'app/mirror/schedules/paused-elsewhere.ts',
    from: 'on conflict (schedule_id) do update',
    why: 'an upsert: its unique rule is what two sessions compete for',
  },
  {
    file: 'app/snapshot/publish-snapshot.ts',
    from: ".onConflict((conflict) => conflict.column('organizationId').doUpdateSet({ tooLargeBytes: bytes }))",
    why: 'the snapshot of the organization is locked before (snapshot/lock)',
  },
  {
    file: 'app/snapshot/publish-snapshot.ts',
    from: '.onConflict((conflict) =>',
    why: 'the snapshot of the organization is locked before (snapshot/lock)',
  },
  {
    file: 'app/snapshot/snapshot-row.ts',
    from: '.forUpdate()',
    why: 'the advisory lock comes first (snapshot/lock)',
  },
  {
    file: 'app/catalog/claim-items.ts',
    from: 'on conflict (item_id) do update set status = excluded.status, note = null',
    why: 'the claim on the dish comes first and lets one session get here',
  },
  {
    file: 'app/catalog/claim-items.ts',
    from: 'on conflict (item_id) do update set status = excluded.status, note = excluded.note',
    why: 'an upsert: its unique rule is what two sessions compete for',
  },
  {
    file: 'app/binding/incident-rows.ts',
    from: 'on conflict (variant_id, type) where',
    why: 'evaluations take turns (binding/turn); the unique rule is an entry',
  },
];
