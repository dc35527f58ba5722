import { SETTING_DEFAULTS, type CarteSettings, type SettingKey } from './schemas/settings.ts';
import { anyOf, type Sql } from '../../platform/db/database.ts';

/**
 * The values of these settings, with the defaults of unset ones. Read at each use, so that a change
 * applies immediately; stored values were validated when they were written.
 */
export async function readSettings<K extends SettingKey>(
  sql: Sql,
  ...keys: K[]
): Promise<Pick<CarteSettings, K>> {
  return settingsOf(await settingRows(sql.db, keys).execute(), keys);
}

/**
 * The rows of these settings, for a statement that reads more than them; {@link settingsOf} parses
 * them.
 */
export const settingRows = (db: Sql['db'], keys: readonly SettingKey[]) =>
  db.selectFrom('setting').select(['key', 'value']).where('key', '=', anyOf(keys, 'text'));

/** The values of settings by their rows, with the default of each that has none. */
export function settingsOf<K extends SettingKey>(
  rows: readonly { key: string; value: unknown }[],
  keys: readonly K[],
): Pick<CarteSettings, K> {
  const stored = new Map(rows.map(({ key, value }) => [key, value]));
  return Object.fromEntries(
    keys.map((key) => [key, stored.get(key) ?? SETTING_DEFAULTS[key]]),
  ) as Pick<CarteSettings, K>;
}
