import { sql, type RawBuilder } from 'kysely';
import { SWITCH_FIELDS } from './rules/organization-switches.ts';

/** Selects the fields that {@link organizationSwitches} reads. */
export const switchFields = (raw: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`jsonb_build_object(${sql.join(SWITCH_FIELDS.flatMap((field) => [sql.lit(field), sql`${raw} -> ${sql.lit(field)}`]))})`;
