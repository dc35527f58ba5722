import { isDeepStrictEqual } from 'node:util';
import { Problem } from '../../contracts/problem.ts';
import { SETTING_DEFAULTS, type SettingKey } from '../../contracts/settings.ts';
import { appendOutbox } from '../../db/outbox.ts';
import type { Actor } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Database, Sql, Tx } from '../database.ts';
import { markAllDirty } from '../events/mark-dirty.ts';
import { getSetting, settingKey, type SettingView } from './list-settings.ts';
import { SETTING_RULES } from './setting-rules.ts';

/** A new value; null goes back to the default. `version` is the one the caller has seen, 0 when nobody has set it. */
export type SettingChange = { version: number; value: unknown };

/**
 * Changes one setting. Readers ask the table each time, so it acts at once; a setting that guests see makes every menu dirty in
 * the same transaction. An equal value writes nothing. Problems: not-found, version-conflict, validation.
 */
export async function changeSetting(
  { db }: { db: Database },
  actor: Actor,
  name: string,
  change: SettingChange,
): Promise<SettingView> {
  const key = settingKey(name);
  const value = change.value === null ? SETTING_DEFAULTS[key] : change.value;
  const { rule, outdatesMenus } = SETTING_RULES[key];
  const errors = rule(value, 'value');
  if (errors.length > 0) throw new Problem('validation', { errors });
  return db.transaction(async (tx) => {
    const before = await getSetting(tx, key);
    requireVersion(before, change.version);
    if (isDeepStrictEqual(before.value, value)) return before;
    const isWritten = await write(tx, key, value, { version: change.version, actor });
    // Somebody else committed after the read: the statement has waited for them and then found another version.
    if (!isWritten) requireVersion(await getSetting(tx, key), change.version);
    await recordAudit(tx, actor, {
      entityType: 'setting',
      entityId: key,
      action: 'update',
      before: { value: before.value },
      after: { value },
    });
    if (outdatesMenus) await announceToGuests(tx);
    return getSetting(tx, key);
  });
}

function requireVersion({ version }: SettingView, seen: number): void {
  if (version !== seen) throw new Problem('version-conflict', { extra: { currentVersion: version } });
}

/** Check and claim in one statement; false when the version is no longer the one the caller has seen. */
async function write(
  tx: Sql,
  key: SettingKey,
  value: unknown,
  { version, actor }: { version: number; actor: Actor },
): Promise<boolean> {
  const rows = await tx.query(
    `insert into setting as old (key, value, updated_by) select $1, $2, $3 where $4::int = 0 or exists (select 1 from setting where key = $1)
     on conflict (key) do update set value = excluded.value, updated_at = now(), updated_by = excluded.updated_by, version = old.version + 1
      where old.version = $4
     returning 1`,
    [key, JSON.stringify(value), actor.type === 'USER' ? actor.userId : null, version],
  );
  return rows.length > 0;
}

async function announceToGuests(tx: Tx): Promise<void> {
  const reason = 'setting-change';
  await markAllDirty(tx, reason);
  await appendOutbox(tx, 'CatalogChanged', { organizationIds: null, reason });
}
