import { selectAuthor } from '../access/authors.ts';
import type { Setting } from './schemas/settings.ts';
import { Problem } from '../../kernel/problem.ts';
import { staffText } from '../../kernel/staff-text.ts';
import { SETTING_DEFAULTS, type SettingKey } from './schemas/settings.ts';
import { SETTING_RULES } from './setting-rules.ts';
import { SETTING_UNIT } from './setting-units.ts';
import { anyOf, type Sql } from '../../platform/db/database.ts';
import { pageOfItems, type Page, type Paging } from '../../kernel/pages.ts';

type SettingRow = Pick<Setting, 'key' | 'value' | 'updatedAt' | 'updatedBy' | 'version'>;

const COLUMNS = ['key', 'value', 'updatedAt', 'version'] as const;
const UPDATED_BY = selectAuthor('setting.updatedBy').as('updatedBy');
const KEYS = Object.keys(SETTING_DEFAULTS).toSorted() as SettingKey[];

/** Returns one page of settings by key, with defaults where unset. */
export async function listSettings({ db }: Sql, paging: Paging): Promise<Page<Setting>> {
  const rows = await db
    .selectFrom('setting')
    .select([...COLUMNS, UPDATED_BY])
    .where('key', '=', anyOf(KEYS, 'text'))
    .execute();

  const rowByKey = new Map(rows.map((row) => [row.key, row]));
  const all = KEYS.map((key) => toView(key, rowByKey.get(key)));

  return pageOfItems(all, paging, {
    key: ({ key }) => key,
    updatedAt: ({ updatedAt }) => (updatedAt === null ? null : new Date(updatedAt)),
  });
}

/** Problem `not-found`. */
export async function getSetting({ db }: Sql, key: string): Promise<Setting> {
  const known = settingKey(key);
  const row = await db
    .selectFrom('setting')
    .select([...COLUMNS, UPDATED_BY])
    .where('key', '=', known)
    .executeTakeFirst();

  return toView(known, row);
}

/** Problem `not-found`. */
export function settingKey(key: string): SettingKey {
  const existing = KEYS.find((entry) => entry === key);
  if (existing === undefined) throw new Problem('not-found', { detail: 'No such setting.' });
  return existing;
}

function toView(key: SettingKey, row: SettingRow | undefined): Setting {
  const defaultValue = SETTING_DEFAULTS[key];
  const unit = SETTING_UNIT[key] ?? null;
  const unitTitle = unit === null ? null : staffText(`unit.${unit}`);
  const shown = {
    title: staffText(`setting.${key}`),
    unit,
    unitTitle,
    schema: SETTING_RULES[key].rule.schema,
  };

  return row === undefined
    ? {
        key,
        ...shown,
        value: defaultValue,
        defaultValue,
        updatedAt: null,
        updatedBy: null,
        version: 0,
      }
    : { ...row, ...shown, defaultValue };
}
