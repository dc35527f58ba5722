import { Author } from '../../access/schemas/author.ts';
import { Type, type Static } from 'typebox';
import {
  Named,
  Nullable,
  NullableText,
  Strict,
  Timestamp,
  Words,
} from '../../../kernel/pure/schemas.ts';

/** Settings that administrators change while the product runs. A missing row means the default. */
export type CarteSettings = {
  /** SNP-11. */
  stoplist_behaviour: 'SHOW' | 'HIDE';
  /** ANY: one active terminal group stops an item; ALL: all of them must. */
  stoplist_terminals: 'ANY' | 'ALL';
  /** Largest share of a menu's items that a full import may delete. */
  'sync.shrink_threshold_percent': number;
  /** Grace period of a missing item: the limit reached first applies. */
  'binding.missing_grace': { imports: number; minutes: number };
  /** Time until staff are notified about a missing item that was not handled. */
  'binding.escalation_minutes': number;
  /** Retention of superseded menu revisions. */
  'snapshot.revision_days': number;
  /** Language of opening hours and weekdays. */
  guest_language: 'RU' | 'EN';
  /** Language of mails and webhooks about notifications (NOT-7). */
  staff_language: 'RU' | 'EN';
  /** PRIORITY: the zone with the lowest priority number serves the address. */
  overlapping_zones: 'REFUSE' | 'PRIORITY';
  /** Applies if only the street of an address is found. ACCEPT uses the middle of the street. */
  imprecise_address: 'REFUSE' | 'ACCEPT';
  /** Validity of the totals that preflight guarantees. */
  quote_minutes: number;
  /** Time for retries of a new order while the ERP is unreachable. */
  order_send_minutes: number;
  gifts_per_order: number;
  /**
   * Guests are counted by phone, delivery address, network and restaurant; customers by account.
   */
  order_limits: OrderLimits;
  /** Total in rubles above which a guest must sign in; null for none. */
  guest_order_sum: number | null;
  /** Minimum validity of a gift that a canceled order returns. */
  gift_return_days: number;
  /** Days after its time until an order that the ERP does not end is ended here. */
  order_watch_days: number;
  /** Default price of a delivery in rubles; null while deliveries are free. */
  delivery_fee: number | null;
  /** With ERP, our zones define only the terms. */
  serving_organization: 'ZONE' | 'ERP';
  /** UUID of the organization that receives all orders at the ERP and forwards them. */
  call_center_organization: string | null;
  /** Format of the number of persons: words in the comment, or the ERP's field for cutlery. */
  structured_cutlery: 'COMMENT' | 'FIELDS';
  /** Days until personal data of ended orders is deleted. */
  order_personal_days: number;
  /** Sources of gift promises by operators, in general and by connection. */
  gift_markers: GiftMarkers;
  /** Phrases by which operators promise a gift, in general and by connection. */
  gift_phrases: GiftPhrases;
  /** Limits gifts of a category while another gift is unused. */
  gifts_per_client: 'ONE' | 'SEVERAL';
  /** Manual grants per member of staff within 24 hours. */
  compensation_grants_per_day: number;
  /** CSL-2. */
  console: 'ON' | 'OFF';
  /** Name shown in the console. */
  chain_name: string;
  /** Map background in the console. */
  map_tiles: MapTiles | null;
  /** URL for links from the console to executions. */
  temporal_ui_url: string | null;
};

/**
 * `url` is a template with `{z}`, `{x}` and `{y}`, or a map style. `attribution` is the text that
 * its license requires.
 */
export type MapTiles = { url: string; attribution: string | null };

/** `day` limits orders within 24 hours; 0 means no limit. */
type OrderLimit = { open: number; day: number };
export type OrderLimits = Readonly<
  Record<'GUEST' | 'CUSTOMER' | 'ADDRESS' | 'NETWORK' | 'POINT', OrderLimit>
>;

export type MarkerVariant = 'OFF' | 'CATEGORY' | 'COMMENT';

export type GiftMarkers = {
  usual: MarkerVariant;
  connections: Readonly<Record<string, MarkerVariant>>;
};

export type GiftPhrases = {
  usual: readonly string[];
  connections: Readonly<Record<string, readonly string[]>>;
};

export type SettingKey = keyof CarteSettings;

export const SETTING_DEFAULTS: Readonly<CarteSettings> = {
  stoplist_behaviour: 'SHOW',
  stoplist_terminals: 'ANY',
  'sync.shrink_threshold_percent': 30,
  'binding.missing_grace': { imports: 2, minutes: 30 },
  'binding.escalation_minutes': 120,
  'snapshot.revision_days': 14,
  guest_language: 'RU',
  staff_language: 'RU',
  overlapping_zones: 'REFUSE',
  imprecise_address: 'REFUSE',
  quote_minutes: 10,
  order_send_minutes: 15,
  gifts_per_order: 1,
  order_limits: {
    GUEST: { open: 3, day: 10 },
    CUSTOMER: { open: 5, day: 20 },
    ADDRESS: { open: 3, day: 10 },
    NETWORK: { open: 30, day: 300 },
    POINT: { open: 300, day: 3_000 },
  },
  guest_order_sum: null,
  gift_return_days: 7,
  order_watch_days: 3,
  delivery_fee: null,
  serving_organization: 'ZONE',
  call_center_organization: null,
  structured_cutlery: 'COMMENT',
  order_personal_days: 365,
  gift_markers: { usual: 'OFF', connections: {} },
  gift_phrases: { usual: [], connections: {} },
  gifts_per_client: 'ONE',
  compensation_grants_per_day: 20,
  console: 'ON',
  chain_name: 'Carte',
  map_tiles: null,
  temporal_ui_url: null,
};

const SettingValue = Type.Unsafe<unknown>({
  description: 'A word, a number or an object, depending on the setting.',
});

/** Units of settings that contain numbers. */
export const SETTING_UNITS = ['PERCENT', 'MINUTES', 'DAYS', 'ROUBLES', 'GIFTS', 'ORDERS'] as const;
export type SettingUnit = (typeof SETTING_UNITS)[number];

export const Setting = Named(
  'Setting',
  Type.Object({
    key: Type.String(),
    title: Type.String({
      description: 'Title in the language of `Accept-Language`, Russian or English.',
    }),
    unit: Type.Unsafe<SettingUnit | null>({
      ...Nullable(Words(SETTING_UNITS)),
      description: 'Unit of the number. Null for words and objects.',
    }),
    unitTitle: Type.Unsafe<string | null>({
      ...NullableText,
      description: 'Unit in the language of `Accept-Language`.',
    }),
    schema: Type.Record(Type.String(), Type.Unknown(), {
      description: 'JSON Schema of `value`, for a form.',
    }),
    value: SettingValue,
    defaultValue: SettingValue,
    updatedAt: Nullable(Timestamp),
    updatedBy: Nullable(Author),
    version: Type.Integer({ minimum: 0, description: '0 when the setting was never changed.' }),
  }),
);

export type Setting = Static<typeof Setting>;

/** Null restores the default. */
export const SettingEdit = Named(
  'SettingEdit',
  Strict({
    version: Type.Integer({
      minimum: 0,
      description: 'Version that the caller has read; 0 if the setting was never changed.',
    }),
    value: SettingValue,
  }),
);

export type SettingEdit = Static<typeof SettingEdit>;
