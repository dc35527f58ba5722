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

/** Settings an administrator may change while the product runs; a missing row means the default. */
export type CarteSettings = {
  /** Stopped items are shown as unavailable, or left out of the menu (rule SNP-11). */
  stoplist_behaviour: 'SHOW' | 'HIDE';
  /** An item counts as stopped when any active terminal group stops it, or only when all do. */
  stoplist_terminals: 'ANY' | 'ALL';
  /** Largest share of a menu's items, in percent, that a full import may delete. */
  'sync.shrink_threshold_percent': number;
  /** The grace period of a vanished item: whichever of imports and minutes comes first. */
  'binding.missing_grace': { imports: number; minutes: number };
  /** Minutes after which staff are notified of a lost item that was not handled. */
  'binding.escalation_minutes': number;
  /** Days for which superseded menu revisions are kept. */
  'snapshot.revision_days': number;
  /** The language in which guests read opening hours and the names of days. */
  guest_language: 'RU' | 'EN';
  /** The language of mails and webhooks about notifications (rule NOT-7). */
  staff_language: 'RU' | 'EN';
  /**
   * The rule for an address in several delivery zones: it is rejected, or the zone of the lowest
   * priority number serves it.
   */
  overlapping_zones: 'REFUSE' | 'PRIORITY';
  /**
   * The rule for an address of which only the street is found: it is rejected, or the middle of the
   * street counts.
   */
  imprecise_address: 'REFUSE' | 'ACCEPT';
  /** Minutes for which preflight promises the sums of a checkout. */
  quote_minutes: number;
  /** Minutes for which a new order is sent to the ERP while the ERP cannot be reached. */
  order_send_minutes: number;
  /** Gifts that one order may have. */
  gifts_per_order: number;
  /**
   * Maximum of orders: of guests by phone, delivery address, network and restaurant, and of
   * customers by account.
   */
  order_limits: OrderLimits;
  /** Total in rubles above which a guest must sign in to order; null for none. */
  guest_order_sum: number | null;
  /** Days for which a gift that a canceled order returns is valid at least. */
  gift_return_days: number;
  /**
   * Days after its time for which an order that the ERP does not end is followed; then it is ended
   * here.
   */
  order_watch_days: number;
  /**
   * The price of a delivery in rubles where staff have set none for its zone; null while
   * deliveries are free.
   */
  delivery_fee: number | null;
  /**
   * The source of the organization that serves an address: our delivery zones, or the ERP; our
   * zones then define only the terms.
   */
  serving_organization: 'ZONE' | 'ERP';
  /**
   * Uuid of the organization in which all orders are created at the ERP, which passes them on; null
   * creates each in its own.
   */
  call_center_organization: string | null;
  /**
   * The form in which the ERP gets the number of persons of an order: in words, or in the field
   * that it has for sets of cutlery.
   */
  structured_cutlery: 'COMMENT' | 'FIELDS';
  /** Days after which the data of the guest of an ended order are deleted. */
  order_personal_days: number;
  /**
   * Places where operators promise gifts: in categories of clients, in their comments, or nowhere
   * that is read; for all connections and for single ones.
   */
  gift_markers: GiftMarkers;
  /**
   * Phrases in comments of clients by which operators mean a gift, where cards are read; for all
   * connections and for single ones.
   */
  gift_phrases: GiftPhrases;
  /** The rule for a category's gift while another gift is unused. */
  gifts_per_client: 'ONE' | 'SEVERAL';
  /** Gifts that one member of staff may grant manually within 24 hours. */
  compensation_grants_per_day: number;
  /** `OFF` when the API serves no console of staff under `/console` (rule CSL-2). */
  console: 'ON' | 'OFF';
  /** Name of the restaurant chain in the console. */
  chain_name: string;
  /** Background of maps in the console; null for maps without one. */
  map_tiles: MapTiles | null;
  /** URL of Temporal's UI, to which the console links executions; null for no links. */
  temporal_ui_url: string | null;
};

/**
 * A template of tiles with `{z}`, `{x}` and `{y}`, or else a map style; `attribution` is the text
 * that its license requires.
 */
export type MapTiles = { url: string; attribution: string | null };

/** Maximum of open orders, and of orders within 24 hours; 0 means no limit. */
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

/** The value of a setting. */
const SettingValue = Type.Unsafe<unknown>({
  description: 'A word, a number or an object, depending on the setting.',
});

/** Units of settings that are a number or consist of numbers. */
export const SETTING_UNITS = ['PERCENT', 'MINUTES', 'DAYS', 'ROUBLES', 'GIFTS', 'ORDERS'] as const;
export type SettingUnit = (typeof SETTING_UNITS)[number];

/** One setting as administrators see it. */
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

/** A new value of a setting; null restores the default. */
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
