import type { FieldError } from '../../kernel/problem.ts';
import type { CarteSettings, MarkerVariant, SettingKey } from './schemas/settings.ts';
import { toKopecks } from '../../kernel/pure/money.ts';
import { phraseKey } from '../../kernel/pure/phrases.ts';
import type { Check, Rule } from './rule.ts';
import { baseUrl, nullable, text, tilesUrl } from './text-rules.ts';

type SettingRule = {
  rule: Rule;
  /** True if the menus of all restaurants depend on the value. */
  outdatesMenus: boolean;
};

const MOST_PHRASES = 50;
const LONGEST_PHRASE = 60;

const MARKER_VARIANT = oneOf<MarkerVariant>('OFF', 'CATEGORY', 'COMMENT');

const ORDER_LIMIT = fields({ open: wholeNumber(0, 100_000), day: wholeNumber(0, 100_000) });

/** Valid values of each setting, and the effects of a change. */
export const SETTING_RULES: { readonly [K in SettingKey]: SettingRule } = {
  stoplist_behaviour: {
    rule: oneOf<CarteSettings['stoplist_behaviour']>('SHOW', 'HIDE'),
    outdatesMenus: true,
  },
  stoplist_terminals: {
    rule: oneOf<CarteSettings['stoplist_terminals']>('ANY', 'ALL'),
    outdatesMenus: true,
  },
  'sync.shrink_threshold_percent': { rule: wholeNumber(0, 100), outdatesMenus: false },
  'binding.missing_grace': {
    rule: fields({ imports: wholeNumber(1, 1_000), minutes: wholeNumber(0, 10_080) }),
    outdatesMenus: false,
  },
  'binding.escalation_minutes': { rule: wholeNumber(5, 10_080), outdatesMenus: false },
  'snapshot.revision_days': { rule: wholeNumber(1, 3_650), outdatesMenus: false },
  guest_language: {
    rule: oneOf<CarteSettings['guest_language']>('RU', 'EN'),
    outdatesMenus: false,
  },
  staff_language: {
    rule: oneOf<CarteSettings['staff_language']>('RU', 'EN'),
    outdatesMenus: false,
  },
  imprecise_address: {
    rule: oneOf<CarteSettings['imprecise_address']>('REFUSE', 'ACCEPT'),
    outdatesMenus: false,
  },
  delivery_fee: { rule: rubles(100_000), outdatesMenus: false },
  quote_minutes: { rule: wholeNumber(1, 120), outdatesMenus: false },
  gifts_per_order: { rule: wholeNumber(1, 10), outdatesMenus: false },
  order_limits: {
    rule: fields({
      GUEST: ORDER_LIMIT,
      CUSTOMER: ORDER_LIMIT,
      ADDRESS: ORDER_LIMIT,
      NETWORK: ORDER_LIMIT,
      POINT: ORDER_LIMIT,
    }),
    outdatesMenus: false,
  },
  guest_order_sum: { rule: rubles(1_000_000), outdatesMenus: false },
  gift_return_days: { rule: wholeNumber(1, 365), outdatesMenus: false },
  order_send_minutes: { rule: wholeNumber(1, 180), outdatesMenus: false },
  serving_organization: {
    rule: oneOf<CarteSettings['serving_organization']>('ZONE', 'ERP'),
    outdatesMenus: false,
  },
  call_center_organization: { rule: uuid(), outdatesMenus: false },
  structured_cutlery: {
    rule: oneOf<CarteSettings['structured_cutlery']>('COMMENT', 'FIELDS'),
    outdatesMenus: false,
  },
  order_personal_days: { rule: wholeNumber(30, 1_825), outdatesMenus: false },
  compensation_grants_per_day: { rule: wholeNumber(0, 1_000), outdatesMenus: false },
  console: { rule: oneOf<CarteSettings['console']>('ON', 'OFF'), outdatesMenus: false },
  chain_name: { rule: text(100), outdatesMenus: false },
  map_tiles: {
    rule: nullable(fields({ url: tilesUrl(), attribution: nullable(text(500)) })),
    outdatesMenus: false,
  },
  temporal_ui_url: { rule: nullable(baseUrl()), outdatesMenus: false },
  order_watch_days: { rule: wholeNumber(1, 60), outdatesMenus: false },
  gift_markers: {
    rule: fields({ usual: MARKER_VARIANT, connections: eachNumber(MARKER_VARIANT) }),
    outdatesMenus: false,
  },
  gift_phrases: {
    rule: fields({ usual: phrases(), connections: eachNumber(phrases()) }),
    outdatesMenus: false,
  },
  gifts_per_client: {
    rule: oneOf<CarteSettings['gifts_per_client']>('ONE', 'SEVERAL'),
    outdatesMenus: false,
  },
  overlapping_zones: {
    rule: oneOf<CarteSettings['overlapping_zones']>('REFUSE', 'PRIORITY'),
    outdatesMenus: false,
  },
};

function oneOf<Word extends string>(...words: Word[]): Rule {
  return {
    schema: { type: 'string', enum: words },
    check: (value, field) =>
      words.includes(value as Word)
        ? []
        : [{ field, code: 'enum', message: `must be one of ${words.join(', ')}` }],
  };
}

function wholeNumber(least: number, most: number): Rule {
  const check: Check = (value, field) => {
    if (!Number.isInteger(value))
      return [{ field, code: 'type', message: 'must be a whole number' }];
    if ((value as number) < least)
      return [{ field, code: 'min', message: `must be at least ${least}` }];
    if ((value as number) > most)
      return [{ field, code: 'max', message: `must be at most ${most}` }];

    return [];
  };

  return { check, schema: { type: 'integer', minimum: least, maximum: most } };
}

/** Accepts at most two decimals; null means none. */
function rubles(most: number): Rule {
  const check: Check = (value, field) => {
    if (value === null) return [];
    if (typeof value !== 'number')
      return [{ field, code: 'type', message: 'must be a number of rubles' }];
    if (value < 0) return [{ field, code: 'min', message: 'must be at least 0' }];
    if (value > most) return [{ field, code: 'max', message: `must be at most ${most}` }];
    if (toKopecks(value) === null)
      return [{ field, code: 'invalid', message: 'must have at most two decimals' }];

    return [];
  };

  return {
    check,
    schema: { type: ['number', 'null'], minimum: 0, maximum: most, multipleOf: 0.01 },
  };
}

/** Rejects equivalent phrases. */
function checkPhrases(value: unknown, field: string): FieldError[] {
  if (!Array.isArray(value)) return [{ field, code: 'type', message: 'must be a list of phrases' }];
  if (value.length > MOST_PHRASES)
    return [{ field, code: 'max_items', message: `must be at most ${MOST_PHRASES} phrases` }];
  const known = new Set<string>();

  return value.flatMap((entry: unknown, index): FieldError[] => {
    const at = `${field}.${index}`;
    if (typeof entry !== 'string')
      return [{ field: at, code: 'type', message: 'must be a phrase' }];
    if (entry.length > LONGEST_PHRASE)
      return [
        {
          field: at,
          code: 'max_length',
          message: `must have at most ${LONGEST_PHRASE} characters`,
        },
      ];

    const key = phraseKey(entry);
    if (Array.from(key).length < 3)
      return [
        { field: at, code: 'min_length', message: 'must have at least three letters or digits' },
      ];

    if (known.has(key))
      return [{ field: at, code: 'duplicate', message: 'is in the list already' }];
    known.add(key);

    return [];
  });
}

function phrases(): Rule {
  return {
    check: checkPhrases,
    schema: {
      type: 'array',
      maxItems: MOST_PHRASES,
      items: { type: 'string', maxLength: LONGEST_PHRASE },
    },
  };
}

function uuid(): Rule {
  const check: Check = (value, field) => {
    if (value === null) return [];
    const isUuid =
      typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);
    return isUuid ? [] : [{ field, code: 'format', message: 'must be a uuid' }];
  };

  return { check, schema: { type: ['string', 'null'], format: 'uuid' } };
}

/** Validates an object whose names are numbers. */
function eachNumber(rule: Rule): Rule {
  const check: Check = (value, field) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return [{ field, code: 'type', message: 'must be an object' }];
    return Object.entries(value).flatMap(([name, each]) =>
      /^[1-9]\d{0,14}$/.test(name)
        ? rule.check(each, `${field}.${name}`)
        : [
            {
              field: `${field}.${name}`,
              code: 'invalid',
              message: 'must be named by the number of a connection',
            },
          ],
    );
  };

  const schema = {
    type: 'object',
    propertyNames: { pattern: '^[1-9][0-9]{0,14}$' },
    additionalProperties: rule.schema,
  };

  return { check, schema };
}

function fields(members: Readonly<Record<string, Rule>>): Rule {
  const check: Check = (value, field) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return [{ field, code: 'type', message: 'must be an object' }];
    const record = value as Readonly<Record<string, unknown>>;
    const unknown = Object.keys(record).filter((name) => !Object.hasOwn(members, name));

    return [
      ...unknown.map((name) => ({
        field: `${field}.${name}`,
        code: 'unknown_field',
        message: 'is unknown',
      })),
      ...Object.entries(members).flatMap(([name, rule]) =>
        Object.hasOwn(record, name)
          ? rule.check(record[name], `${field}.${name}`)
          : [{ field: `${field}.${name}`, code: 'required', message: 'is required' }],
      ),
    ];
  };

  const schema = {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(members),
    properties: Object.fromEntries(
      Object.entries(members).map(([name, rule]) => [name, rule.schema]),
    ),
  };

  return { check, schema };
}
