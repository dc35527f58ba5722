import { Type, type Static } from 'typebox';
import {
  Codes,
  Id,
  Money,
  Named,
  Nullable,
  NullableText,
  Strict,
  Timestamp,
  Uuid,
  Version,
  Words,
} from '../../../kernel/pure/schemas.ts';
import { TERMS_SOURCES } from '../rules/zones/zone-terms.ts';

/** GeoJSON order. */
export const Coordinates = Type.Unsafe<[number, number]>({
  ...Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }),
  description: 'Longitude and latitude in degrees.',
});

export const SentCoordinates = Type.Unsafe<[number, number]>({
  ...Type.Array(Type.Number({ minimum: -180, maximum: 180 }), { minItems: 2, maxItems: 2 }),
  description: 'Longitude and latitude in degrees.',
});

const Part = Type.String({ minLength: 1, maxLength: 200 });
const Building = Type.Optional(
  Nullable(Type.String({ maxLength: 50, description: 'A part of the house number.' })),
);

export const PlaceToResolve = Named(
  'PlaceToResolve',
  Strict({
    address: Type.Optional(
      Named(
        'AddressToResolve',
        Strict({ city: Part, street: Part, house: Part, building: Building }),
      ),
    ),
    coords: Type.Optional(SentCoordinates),
  }),
);

export type PlaceToResolve = Static<typeof PlaceToResolve>;

const AddressSuggestion = Named(
  'AddressSuggestion',
  Type.Object({
    text: Type.String({ description: 'The address in one line.' }),
    address: Type.Object({ city: Type.String(), street: NullableText, house: NullableText }),
    coords: Nullable(Coordinates),
    precision: Codes('AddressPrecision'),
  }),
);

/** Fields about the delivery are null without a serving zone. */
export const DeliveryResolution = Named(
  'DeliveryResolution',
  Type.Object({
    resolved: Type.Boolean(),
    reason: Nullable(Codes('ResolveReason')),
    servedNow: Type.Boolean({
      description:
        'True while an order for as soon as possible can be delivered there. Also false if no zone covers the place.',
    }),
    nextServedAt: Nullable(
      Type.String({
        format: 'date-time',
        description:
          'Next moment at which the zone is served, with the offset of the organization. The terms are those of that moment. Null while the zone is served, and if no zone covers the place.',
      }),
    ),
    zoneId: Nullable(Id),
    zoneName: NullableText,
    organizationId: Nullable(Uuid),
    minOrderSum: Nullable(Money),
    deliveryFee: Nullable(Money),
    deliveryDurationMinutes: Nullable(Type.Integer()),
    coords: Nullable(Coordinates),
    addressPrecision: Nullable(Codes('AddressPrecision')),
    candidates: Type.Array(AddressSuggestion, {
      description:
        'With ADDRESS_IMPRECISE: places of different kinds of streets that the address may be. Else empty.',
    }),
  }),
);

export type DeliveryResolution = Static<typeof DeliveryResolution>;

export const AddressSuggestions = Named(
  'AddressSuggestions',
  Type.Object({
    items: Type.Array(AddressSuggestion),
    degraded: Type.Boolean({
      description:
        'True when the geocoder does not answer: only streets of the ERP are suggested, without points.',
    }),
  }),
);

export type AddressSuggestions = Static<typeof AddressSuggestions>;

/** Rings are closed; the outer ring is first and counter-clockwise. */
export const GeoPolygon = Named(
  'GeoPolygon',
  Type.Object({ type: Words(['Polygon']), coordinates: Type.Array(Type.Array(Coordinates)) }),
);

export type GeoPolygon = Static<typeof GeoPolygon>;

const Minute = Nullable(
  Type.Integer({ description: 'Minutes from local midnight; null has no bound.' }),
);

/** FUL-57. */
const EffectiveTerms = Named(
  'EffectiveTerms',
  Type.Object(
    {
      weekMap: Type.Integer({ description: 'Weekdays as bits: 1 is Monday, 64 is Sunday.' }),
      fromMinute: Minute,
      toMinute: Minute,
      minOrderSum: Money,
      deliveryFee: Money,
      deliveryDurationMinutes: Type.Integer(),
      sources: Type.Object(
        {
          minOrderSum: Words(TERMS_SOURCES),
          deliveryFee: Words(TERMS_SOURCES),
          deliveryDuration: Words(TERMS_SOURCES),
        },
        {
          description:
            'Source of each part: OVERRIDE (staff, for the zone), ZONE (the ERP, in the rule), ORGANIZATION (the ERP, ' +
            'for all zones), SETTING (staff, for all deliveries), or NOBODY: then it is 0.',
        },
      ),
    },
    {
      description:
        'Current terms for guests while the rule applies, including defaults, overrides and settings.',
    },
  ),
);

const ZoneDefaults = Named(
  'ZoneDefaults',
  Type.Object({
    useSameMinSum: Type.Boolean({
      description: 'True when `minOrderSum` replaces that of every rule.',
    }),
    minOrderSum: Nullable(Money),
    useSameDuration: Type.Boolean({
      description: 'True when `deliveryDurationMinutes` replaces that of every rule.',
    }),
    deliveryDurationMinutes: Type.Integer(),
    selfServiceDurationMinutes: Type.Integer({
      description: 'Minutes until an order for pickup is ready.',
    }),
    useSameInterval: Type.Boolean({
      description: 'True when `fromMinute` and `toMinute` replace those of every rule.',
    }),
    fromMinute: Minute,
    toMinute: Minute,
    useSameWeek: Type.Boolean({ description: 'True if every rule applies on all weekdays.' }),
  }),
);

const ZoneRule = Named(
  'ZoneRule',
  Type.Object({
    weekMap: Type.Integer({ description: 'Weekdays as bits: 1 is Monday, 64 is Sunday.' }),
    fromMinute: Minute,
    toMinute: Minute,
    priority: Type.Integer({
      description: 'Of several matching rules, the one with the lowest number applies.',
    }),
    minOrderSum: Nullable(Money),
    deliveryDurationMinutes: Type.Integer(),
    terminalErpId: Nullable(Uuid),
    effective: EffectiveTerms,
  }),
);

const ZoneStyle = Named(
  'ZoneStyle',
  Strict({
    color: Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: 'Colour such as `#33aa55`.' }),
    opacity: Type.Number({ minimum: 0, maximum: 1 }),
  }),
);

export type ZoneStyle = Static<typeof ZoneStyle>;

const ZoneText = Type.Optional(Type.String({ maxLength: 2000 }));
const ZoneTexts = Named('ZoneTexts', Strict({ description: ZoneText, notice: ZoneText }));
export type ZoneTexts = Static<typeof ZoneTexts>;

export const DeliveryZone = Named(
  'DeliveryZone',
  Type.Object({
    id: Id,
    organizationId: Id,
    name: Type.String({ description: 'Name in the ERP.' }),
    displayName: NullableText,
    priority: Type.Integer({
      description:
        'Of overlapping zones, the lowest number serves if the setting `overlapping_zones` is PRIORITY.',
    }),
    style: Nullable(ZoneStyle),
    texts: ZoneTexts,
    isActive: Type.Boolean({ description: 'False when the ERP no longer lists the zone.' }),
    geometry: Nullable(GeoPolygon),
    defaults: ZoneDefaults,
    rules: Type.Array(ZoneRule),
    currentTerms: Nullable(
      Named(
        'CurrentZoneTerms',
        Type.Object(
          {
            minOrderSum: Money,
            deliveryFee: Money,
            deliveryDurationMinutes: Type.Integer(),
            terminalErpId: Nullable(Uuid),
            sources: EffectiveTerms.properties.sources,
          },
          { description: 'Terms of the rule that applies now. Null while the zone is not served.' },
        ),
      ),
    ),
    changedAt: Timestamp,
    version: Type.Integer({ minimum: 0, description: '0 when staff have never changed the zone.' }),
  }),
);

export type DeliveryZone = Static<typeof DeliveryZone>;

export const DeliveryZoneEdit = Named(
  'DeliveryZoneEdit',
  Strict({
    version: Type.Integer({
      minimum: 0,
      description: 'Version that the caller has read; 0 if the zone was never changed.',
    }),
    displayName: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 200 }))),
    priority: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
    style: Type.Optional(Nullable(ZoneStyle)),
    texts: Type.Optional(ZoneTexts),
  }),
);

export type DeliveryZoneEdit = Static<typeof DeliveryZoneEdit>;

const Rubles = Type.Number({
  minimum: 0,
  maximum: 10_000_000,
  description: 'Rubles with at most two decimals.',
});

const Moment = Type.String({ format: 'date-time' });

const terms = {
  minOrderSum: Type.Optional(Nullable(Rubles)),
  deliveryFee: Type.Optional(Nullable(Rubles)),
  validFrom: Type.Optional(Nullable(Moment)),
  validTo: Type.Optional(Nullable(Moment)),
};

export const ZoneOverride = Named(
  'ZoneOverride',
  Type.Object({
    id: Id,
    zoneId: Id,
    minOrderSum: Nullable(Money),
    deliveryFee: Nullable(Money),
    validFrom: Nullable(Timestamp),
    validTo: Nullable(Timestamp),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    version: Type.Integer(),
  }),
);

export type ZoneOverride = Static<typeof ZoneOverride>;

export const NewZoneOverride = Named('NewZoneOverride', Strict({ zoneId: Id, ...terms }));
export type NewZoneOverride = Static<typeof NewZoneOverride>;

export const ZoneOverrideEdit = Named('ZoneOverrideEdit', Strict({ version: Version, ...terms }));
export type ZoneOverrideEdit = Static<typeof ZoneOverrideEdit>;

const RESOLVE_RULES = [
  'NOT_LOCATED',
  'NO_ZONE',
  'NOT_SERVED_NOW',
  'ONLY_ZONE',
  'PRIORITY',
  'ERP',
  'SEVERAL_ZONES',
  'EQUAL_PRIORITIES',
] as const;

const CandidateZone = Named(
  'CandidateZone',
  Type.Object({
    zoneId: Id,
    organizationId: Id,
    name: Type.String(),
    priority: Type.Integer(),
    isServedNow: Type.Boolean({ description: 'False if no rule of the zone applies now.' }),
    minOrderSum: Nullable(Money),
    deliveryFee: Nullable(Money),
    deliveryDurationMinutes: Nullable(Type.Integer()),
    terminalId: Nullable(Id),
  }),
);

const GeoFeature = Type.Object({
  type: Words(['Feature']),
  geometry: Type.Union([
    GeoPolygon,
    Named('GeoPoint', Type.Object({ type: Words(['Point']), coordinates: Coordinates })),
  ]),
  properties: Type.Record(Type.String(), Type.Unknown()),
});

export const DeliveryExplanation = Named(
  'DeliveryExplanation',
  Type.Object({
    resolution: Named(
      'ExplainedResolution',
      Type.Object({
        ...DeliveryResolution.properties,
        organizationId: Nullable(Id),
        organizationErpId: Type.Unsafe<string | null>({
          ...Nullable(Uuid),
          description: 'UUID of the restaurant at the ERP, which guests get as `organizationId`.',
        }),
      }),
    ),
    rule: Words(RESOLVE_RULES),
    sentence: Type.String({
      description: 'The rule in words, in the language of `Accept-Language`.',
    }),
    candidates: Type.Array(CandidateZone),
    geojson: Named(
      'GeoFeatures',
      Type.Object(
        { type: Words(['FeatureCollection']), features: Type.Array(GeoFeature) },
        { description: 'The point and the candidate zones, for any viewer of GeoJSON.' },
      ),
    ),
  }),
);

export type DeliveryExplanation = Static<typeof DeliveryExplanation>;
