import { SETTING_DEFAULTS, type CarteSettings, type SettingKey } from './schemas/settings.ts';
import { anyOf, type Sql } from '../../platform/db/database.ts';

/**
 * Reads settings, with the defaults of unset ones. Call it at each use, so that a change applies
 * immediately.
 */
export async function readSettings<K extends SettingKey>(
  sql: Sql,
  ...keys: K[]
): Promise<Pick<CarteSettings, K>> {
  return settingsOf(await settingRows(sql.db, keys).execute(), keys);
}

/** Selects rows for {@link settingsOf}, as a part of another statement. */
export const settingRows = (db: Sql['db'], keys: readonly SettingKey[]) =>
  db.selectFrom('setting').select(['key', 'value']).where('key', '=', anyOf(keys, 'text'));

/** Parses rows; unset settings have their default. */
export function settingsOf<K extends SettingKey>(
  rows: readonly { key: string; value: unknown }[],
  keys: readonly K[],
): Pick<CarteSettings, K> {
  const stored = new Map(rows.map(({ key, value }) => [key, value]));
  return Object.fromEntries(
    keys.map((key) => [key, stored.get(key) ?? SETTING_DEFAULTS[key]]),
  ) as Pick<CarteSettings, K>;
}
