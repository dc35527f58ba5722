import type { SettingKey, SettingUnit } from './schemas/settings.ts';

/** OPS-200. */
export const SETTING_UNIT: { readonly [K in SettingKey]?: SettingUnit } = {
  'sync.shrink_threshold_percent': 'PERCENT',
  'binding.escalation_minutes': 'MINUTES',
  'snapshot.revision_days': 'DAYS',
  quote_minutes: 'MINUTES',
  order_send_minutes: 'MINUTES',
  gifts_per_order: 'GIFTS',
  order_limits: 'ORDERS',
  guest_order_sum: 'ROUBLES',
  gift_return_days: 'DAYS',
  order_watch_days: 'DAYS',
  delivery_fee: 'ROUBLES',
  order_personal_days: 'DAYS',
  compensation_grants_per_day: 'GIFTS',
};
