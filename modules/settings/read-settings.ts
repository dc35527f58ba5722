import { SETTING_DEFAULTS, type CarteSettings, type SettingKey } from './schemas/settings.ts';
import { anyOf, type Sql } from '../../platform/db/database.ts';

/**
 * Reads settings, with defaults where unset. Call this at each use, so that changes apply
 * immediately.
 */
export async function readSettings<K extends SettingKey>(
  sql: Sql,
  ...keys: K[]
): Promise<Pick<CarteSettings, K>> {
  return toSettings(await settingRows(sql.db, keys).execute(), keys);
}

/** Selects rows for {@link toSettings}, as a part of another statement. */
export const settingRows = (db: Sql['db'], keys: readonly SettingKey[]) =>
  db.selectFrom('setting').select(['key', 'value']).where('key', '=', anyOf(keys, 'text'));

/** Parses rows, with defaults where unset. */
export function toSettings<K extends SettingKey>(
  rows: readonly { key: string; value: unknown }[],
  keys: readonly K[],
): Pick<CarteSettings, K> {
  const valueByKey = new Map(rows.map(({ key, value }) => [key, value]));
  return Object.fromEntries(
    keys.map((key) => [key, valueByKey.get(key) ?? SETTING_DEFAULTS[key]]),
  ) as Pick<CarteSettings, K>;
}
