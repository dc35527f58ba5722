import type { GuestLanguage } from '../../kernel/guest-language.ts';
import type { SettingKey, SettingUnit } from './schemas/settings.ts';

/** The title and the unit of each setting for staff (rule OPS-200). */
export const SETTING_TITLES: {
  readonly [K in SettingKey]: Readonly<Record<GuestLanguage, string>> & { unit: SettingUnit | null };
} = {
  stoplist_behaviour: { RU: 'Блюда в стоп-листе', EN: 'Stopped items', unit: null },
  stoplist_terminals: { RU: 'Когда блюдо считается остановленным', EN: 'When an item counts as stopped', unit: null },
  'sync.shrink_threshold_percent': {
    RU: 'Наибольшая доля удалений при импорте',
    EN: 'Largest share of deletions of an import',
    unit: 'PERCENT',
  },
  'binding.missing_grace': { RU: 'Отсрочка для пропавшего блюда', EN: 'Grace period of a vanished dish', unit: null },
  'binding.escalation_minutes': { RU: 'Напоминание о пропавшем блюде', EN: 'Reminder of a lost dish', unit: 'MINUTES' },
  'snapshot.revision_days': {
    RU: 'Хранение прежних версий меню',
    EN: 'Storage of former menu revisions',
    unit: 'DAYS',
  },
  console: { RU: 'Консоль персонала', EN: 'Console for staff', unit: null },
  guest_language: { RU: 'Язык для гостей', EN: 'Language for guests', unit: null },
  overlapping_zones: { RU: 'Адрес в нескольких зонах', EN: 'Address in several zones', unit: null },
  imprecise_address: { RU: 'Адрес без дома', EN: 'Address without a house', unit: null },
  quote_minutes: { RU: 'Срок действия расчёта', EN: 'Validity of a quote', unit: 'MINUTES' },
  order_send_minutes: { RU: 'Время на передачу заказа в ERP', EN: 'Time to send an order to the ERP', unit: 'MINUTES' },
  gifts_per_order: { RU: 'Подарков в одном заказе', EN: 'Gifts in one order', unit: 'GIFTS' },
  order_limits: { RU: 'Ограничения числа заказов', EN: 'Limits of orders', unit: 'ORDERS' },
  guest_order_sum: { RU: 'Сумма, с которой нужен вход', EN: 'Total that requires signing in', unit: 'ROUBLES' },
  gift_return_days: { RU: 'Срок возвращённого подарка', EN: 'Validity of a returned gift', unit: 'DAYS' },
  order_watch_days: { RU: 'Наблюдение за незавершённым заказом', EN: 'Time to follow an order', unit: 'DAYS' },
  delivery_fee: { RU: 'Стоимость доставки', EN: 'Delivery fee', unit: 'ROUBLES' },
  serving_organization: {
    RU: 'Как выбирается ресторан для адреса',
    EN: 'How a restaurant is chosen for an address',
    unit: null,
  },
  call_center_organization: { RU: 'Ресторан колл-центра', EN: 'Call-center restaurant', unit: null },
  structured_cutlery: { RU: 'Как передаётся число персон', EN: 'How the number of persons is sent', unit: null },
  order_personal_days: { RU: 'Хранение данных гостя', EN: 'Storage of guest data', unit: 'DAYS' },
  gift_markers: { RU: 'Где операторы обещают подарки', EN: 'Where operators promise gifts', unit: null },
  gift_phrases: { RU: 'Фразы, которые означают подарок', EN: 'Phrases that mean a gift', unit: null },
  gifts_per_client: { RU: 'Подарки по категориям гостя', EN: 'Gifts from categories of a client', unit: null },
  compensation_grants_per_day: {
    RU: 'Подарков от одного сотрудника за сутки',
    EN: 'Gifts of one member of staff in 24 hours',
    unit: 'GIFTS',
  },
};
