import { sql } from 'kysely';
import { toKopecks } from '../../../kernel/pure/money.ts';
import type { CarteSettings } from '../../settings/schemas/settings.ts';
import type { DeliveryDefaults, ZoneOverride, ZoneRestriction } from '../rules/zones/zone-terms.ts';

/** Columns for queries on `zone` and `defaults`. */

export const DEFAULTS = sql<DeliveryDefaults>`
  jsonb_build_object(
    'useSameDuration', defaults.use_same_duration, 'durationMinutes', defaults.duration_minutes,
    'useSameMinSum', defaults.use_same_min_sum, 'minSumKopecks', defaults.min_sum_kopecks,
    'useSameInterval', defaults.use_same_interval, 'fromMinute', defaults.from_minute, 'toMinute', defaults.to_minute,
    'useSameWeek', defaults.use_same_week)`;

/** Sorted as in the ERP. */
export const RESTRICTIONS = sql<ZoneRestriction[]>`
  coalesce((
    select jsonb_agg(jsonb_build_object(
             'position', term.ordinal, 'weekMap', term.week_map, 'fromMinute', term.from_minute, 'toMinute', term.to_minute,
             'priority', term.priority, 'minSumKopecks', term.min_sum_kopecks, 'durationMinutes', term.duration_minutes,
             'terminalGroupId', terminal.id, 'terminalGroupErpId', term.terminal_group_erp_id) order by term.ordinal)
      from mirror_zone_terms term
      left join mirror_terminal_group terminal
        on terminal.organization_id = zone.organization_id and terminal.erp_id = term.terminal_group_erp_id
     where term.zone_id = zone.id), '[]')`;

/** Sorted by precedence. Times are in ms. */
export const OVERRIDES = sql<ZoneOverride[]>`
  coalesce((
    select jsonb_agg(jsonb_build_object(
             'minSumKopecks', min_sum_kopecks, 'deliveryFeeKopecks', delivery_fee_kopecks,
             'from', extract(epoch from valid_from) * 1000, 'to', extract(epoch from valid_to) * 1000)
             order by valid_from desc nulls last, id desc)
      from zone_override where zone_id = zone.id), '[]')`;

export const feeKopecks = (fee: CarteSettings['delivery_fee']): number | null =>
  fee === null ? null : toKopecks(fee);
