import { isDeepStrictEqual } from 'node:util';
import { Problem } from '../../kernel/problem.ts';
import { type Setting, SETTING_DEFAULTS, type SettingEdit } from './schemas/settings.ts';
import { json, type Database, type Tx } from '../../platform/db/database.ts';
import { appendOutbox } from '../../kernel/outbox.ts';
import type { Actor } from '../../kernel/actor.ts';
import { recordAudit } from '../access/audit/record-audit.ts';
import { requireVersion, saveKeyed } from '../../kernel/edits.ts';
import { markAllDirty } from '../menus/rebuilds/mark-dirty.ts';
import { getSetting, settingKey } from './list-settings.ts';
import { SETTING_RULES } from './setting-rules.ts';

/**
 * Changes one setting, which applies immediately. If guests see the setting, flags every menu in
 * the same transaction. Problems: not-found, version-conflict, validation.
 */
export async function changeSetting(
  { db }: { db: Database },
  actor: Actor,
  name: string,
  change: SettingEdit,
): Promise<Setting> {
  const key = settingKey(name);
  const value = change.value === null ? SETTING_DEFAULTS[key] : change.value;
  const { rule, outdatesMenus } = SETTING_RULES[key];
  const errors = rule.check(value, 'value');
  if (errors.length > 0) throw new Problem('validation', { errors });

  return db.transaction(async (tx) => {
    const before = await getSetting(tx, key);
    requireVersion(before.version, change.version);
    if (isDeepStrictEqual(before.value, value)) return before;
    await saveKeyed(
      tx,
      { table: 'setting', key: 'key', of: key, seen: change.version },
      { value: json(value), updatedBy: actor.type === 'USER' ? actor.userId : null },
    );

    await recordAudit(tx, actor, {
      entityType: 'setting',
      entityId: key,
      action: 'update',
      before: { value: before.value },
      after: { value },
    });

    if (outdatesMenus) await announceToGuests(tx, actor);

    return getSetting(tx, key);
  });
}

async function announceToGuests(tx: Tx, actor: Actor): Promise<void> {
  const reason = 'setting-change';
  await markAllDirty(tx, reason, actor);
  await appendOutbox(tx, 'CatalogChanged', { organizationIds: null, reason });
}
