import { SETTING_DEFAULTS, type CarteSettings, type SettingKey } from '../../contracts/settings.ts';
import { anyOf, type Sql } from '../../db/database.ts';

/**
 * The values of these settings, with the default of each that nobody has set. Read when they are used, so that a change acts
 * at once; what is stored was validated when it was written.
 */
export async function readSettings<K extends SettingKey>(sql: Sql, ...keys: K[]): Promise<Pick<CarteSettings, K>> {
  const rows = await sql.db
    .selectFrom('setting')
    .select(['key', 'value'])
    .where('key', '=', anyOf(keys, 'text'))
    .execute();
  const stored = new Map(rows.map(({ key, value }) => [key, value]));
  return Object.fromEntries(keys.map((key) => [key, stored.get(key) ?? SETTING_DEFAULTS[key]])) as Pick<
    CarteSettings,
    K
  >;
}
