import { Type, type Static } from 'typebox';
import { Author } from '../../access/schemas/author.ts';
import { BINDING_STATES } from '../../catalog/rules/states.ts';
import {
  INCIDENT_RESOLUTIONS,
  INCIDENT_SEVERITIES,
  INCIDENT_STATUSES,
  INCIDENT_TYPES,
  LOST_PARTS,
} from '../rules/incident-states.ts';
import { NOTE_LENGTH, REASON_LENGTH } from '../rules/operator-moves.ts';
import { REBIND_MATCHES, REBIND_REASONS } from '../rules/rebind-ranking.ts';
import { MATCH_KINDS } from '../rules/replacement.ts';
import { ProductReference, ProductStatus } from '../../catalog/schemas/catalog.ts';
import {
  Id,
  Money,
  Named,
  Nullable,
  NullableText,
  OrganizationId,
  Strict,
  Timestamp,
  Uuid,
  Version,
  Words,
} from '../../../kernel/pure/schemas.ts';

/** A dish is NEW until staff decide. */
export const TRIAGE_STATES = ['NEW', 'LINKED', 'IGNORED'] as const;
export type TriageState = (typeof TRIAGE_STATES)[number];

/** LINKED follows from a product that uses the dish. */
const TRIAGE_DECISIONS = ['IGNORED', 'NEW'] as const;
export type TriageDecision = (typeof TRIAGE_DECISIONS)[number];

const decision = {
  status: Words(TRIAGE_DECISIONS),
  note: Type.Optional(Nullable(Type.String({ maxLength: 1_000 }))),
};

export const Triage = Named('Triage', Strict(decision));

export const TRIAGE_BULK_LIMIT = 1_000;

export const TriageBulk = Named(
  'TriageBulk',
  Strict({
    itemIds: Type.Optional(Type.Array(Uuid, { minItems: 1, maxItems: TRIAGE_BULK_LIMIT })),
    filter: Type.Optional(
      Named(
        'TriageFilter',
        Strict({
          q: Type.Optional(Type.String({ maxLength: 200 })),
          bound: Type.Optional(Type.Boolean()),
          type: Type.Optional(Type.String({ maxLength: 50 })),
          productCategoryId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
          menuCategoryId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
          triage: Type.Optional(Words(TRIAGE_STATES)),
          organizationId: Type.Optional(OrganizationId),
          hasPrice: Type.Optional(Type.Boolean()),
          firstSeenSince: Type.Optional(Type.String({ format: 'date-time' })),
        }),
      ),
    ),
    dryRun: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'True to get the result without changing anything.',
      }),
    ),
    ...decision,
  }),
);

export type TriageBulk = Static<typeof TriageBulk>;

export const TriageBulkResult = Named(
  'TriageBulkResult',
  Type.Object({
    succeeded: Type.Array(Uuid),
    failed: Type.Array(
      Named(
        'TriageFailure',
        Type.Object({
          itemId: Uuid,
          reason: Type.Unsafe<'NOT_FOUND' | 'LINKED'>({
            ...Words(['NOT_FOUND', 'LINKED']),
            description: 'NOT_FOUND: the ERP never had the dish; LINKED: a product uses the dish.',
          }),
        }),
      ),
    ),
  }),
);

export type TriageBulkResult = Static<typeof TriageBulkResult>;

export const ErpCategory = Named(
  'ErpCategory',
  Type.Object({
    kind: Type.Unsafe<'PRODUCT' | 'MENU'>({
      ...Words(['PRODUCT', 'MENU']),
      description:
        'PRODUCT: filter `product_category_id` of `GET /erp/items`; MENU: filter `menu_category_id`.',
    }),
    id: Type.String({ description: 'Id of the category in the ERP.' }),
    name: Type.String(),
    itemCount: Type.Integer({ description: 'Number of its dishes that the ERP has now.' }),
    newItemCount: Type.Integer({ description: 'Number of those with triage NEW.' }),
  }),
);

export type ErpCategory = Static<typeof ErpCategory>;

const ErpItemSize = Named(
  'ErpItemSize',
  Type.Object({
    erpItemSizeId: Id,
    name: NullableText,
    code: NullableText,
    sku: NullableText,
    weightGrams: Nullable(Type.Number()),
    isDefault: Type.Boolean(),
    priceMin: Nullable(Money),
    priceMax: Nullable(Money),
  }),
);

export type ErpItemSize = Static<typeof ErpItemSize>;

export const ErpItem = Named(
  'ErpItem',
  Type.Object({
    itemId: Uuid,
    name: Type.String(),
    sku: NullableText,
    type: NullableText,
    orderItemType: Nullable(
      Type.String({
        description:
          'Type of the dish in orders, as stated by the ERP: Product, or Compound for a dish of a modifier scheme.',
      }),
    ),
    productCategory: Nullable(
      Named('ErpProductCategory', Type.Object({ id: Type.String(), name: NullableText })),
    ),
    triage: Words(TRIAGE_STATES),
    firstSeenAt: Timestamp,
    boundProduct: Nullable(ProductReference),
    sizes: Type.Array(ErpItemSize),
  }),
);

export type ErpItem = Static<typeof ErpItem>;

const ErpItemPrice = Named(
  'ErpItemPrice',
  Type.Object({
    erpItemSizeId: Id,
    organizationId: Id,
    organizationName: Type.String(),
    externalMenuId: Id,
    price: Money,
    lostAt: Nullable(Timestamp),
  }),
);

export type ErpItemPrice = Static<typeof ErpItemPrice>;

const quantities = { min: Type.Integer(), max: Type.Integer(), free: Type.Integer() };

const ErpItemModifierGroup = Named(
  'ErpItemModifierGroup',
  Type.Object({
    erpItemSizeId: Id,
    externalMenuId: Id,
    groupKey: Type.String(),
    name: Type.String(),
    ...quantities,
    isHidden: Type.Boolean(),
    modifiers: Type.Array(
      Named(
        'ErpItemModifier',
        Type.Object({
          erpItemId: Uuid,
          name: Type.String(),
          ...quantities,
          default: Type.Integer(),
          isHidden: Type.Boolean(),
          priceMin: Nullable(Money),
          priceMax: Nullable(Money),
        }),
      ),
    ),
  }),
);

export type ErpItemModifierGroup = Static<typeof ErpItemModifierGroup>;

export const ErpItemCard = Named(
  'ErpItemCard',
  Type.Object({
    ...ErpItem.properties,
    description: NullableText,
    deletedAt: Nullable(Timestamp),
    synchronizedAt: Timestamp,
    menuCategories: Type.Array(
      Named(
        'ErpMenuCategory',
        Type.Object({ id: Type.String(), name: Type.String(), externalMenuId: Id }),
      ),
    ),
    prices: Type.Array(ErpItemPrice),
    modifierGroups: Type.Array(ErpItemModifierGroup),
  }),
);

export type ErpItemCard = Static<typeof ErpItemCard>;

export const CreatedProduct = Named(
  'CreatedProduct',
  Type.Object({ id: Id, slug: Type.String(), status: ProductStatus }),
);

export type CreatedProduct = Static<typeof CreatedProduct>;

const bindable = { erpItemId: Uuid, erpItemSizeId: Id, sku: NullableText, name: Type.String() };
const Confidence = Type.Number({ minimum: 0, maximum: 1 });

const IncidentCandidate = Named(
  'IncidentCandidate',
  Type.Object({
    ...bindable,
    matchedBy: Words(MATCH_KINDS),
    confidence: Confidence,
    firstSeenAt: Timestamp,
  }),
);

export type IncidentCandidate = Static<typeof IncidentCandidate>;

export const Incident = Named(
  'Incident',
  Type.Object({
    id: Id,
    type: Words(INCIDENT_TYPES),
    severity: Words(INCIDENT_SEVERITIES),
    status: Words(INCIDENT_STATUSES),
    sentence: Type.String({
      description: 'The incident in words, in the language of `Accept-Language`.',
    }),
    resolution: Nullable(Words(INCIDENT_RESOLUTIONS)),
    detectedAt: Timestamp,
    detectedByRunId: Nullable(Id),
    product: ProductReference,
    variant: Named('IncidentVariant', Type.Object({ id: Id, optionName: NullableText })),
    lastKnown: Named(
      'LastKnownItem',
      Type.Object({
        erpItemId: Uuid,
        sku: NullableText,
        name: NullableText,
        price: Nullable(Money),
        lastSeenAt: Nullable(Timestamp),
      }),
    ),
    organizationIds: Type.Array(Id, {
      description: 'Active restaurants that sell the dish, or did when it was lost.',
    }),
    newName: Nullable(
      Type.String({ description: 'New name of the item. Only NAME_CHANGED has it.' }),
    ),
    /**
     * ITEM if the ERP deleted the dish, SIZE if it deleted only this size. Null for other types.
     */
    lost: Nullable(Words(LOST_PARTS)),
    candidates: Type.Array(IncidentCandidate),
    snoozedUntil: Nullable(Timestamp),
    escalatedAt: Nullable(Timestamp),
    closedAt: Nullable(Timestamp),
    closedBy: Nullable(Author),
    note: NullableText,
    version: Type.Integer(),
  }),
);

export type Incident = Static<typeof Incident>;

/** An outdated version is rejected. */
const settled = { version: Type.Optional(Version) };

export const IncidentDismissal = Named(
  'IncidentDismissal',
  Strict({ ...settled, note: Type.String({ minLength: 1, maxLength: NOTE_LENGTH }) }),
);

export type IncidentDismissal = Static<typeof IncidentDismissal>;

export const IncidentPostponement = Named(
  'IncidentPostponement',
  Strict({ ...settled, until: Type.String({ format: 'date-time' }) }),
);

export type IncidentPostponement = Static<typeof IncidentPostponement>;

export const Rebind = Named(
  'Rebind',
  Strict({
    erpItemSizeId: Id,
    reason: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: REASON_LENGTH,
        description: 'Reason for the history and the audit.',
      }),
    ),
  }),
);

export type Rebind = Static<typeof Rebind>;

const PreviousBinding = Named(
  'PreviousBinding',
  Type.Object({
    erpItemId: Uuid,
    erpItemSizeId: Id,
    sku: NullableText,
    name: NullableText,
    boundUntil: Timestamp,
  }),
);

const BoundItem = Named(
  'BoundItem',
  Type.Object({ erpItemId: Uuid, erpItemSizeId: Id, sku: NullableText, name: NullableText }),
);

export const BindingChange = Named(
  'BindingChange',
  Type.Object({
    id: Id,
    changedAt: Timestamp,
    changedBy: Type.Unsafe<Author | null>({
      ...Nullable(Author),
      description: 'Null if a process did it.',
    }),
    from: BoundItem,
    to: Type.Union([BoundItem, Type.Null()], { description: 'Null when the variant was removed.' }),
    reason: Nullable(Type.String({ description: 'Reason of the rebind.' })),
    incidents: Type.Array(
      Named('SettledIncident', Type.Object({ id: Id, type: Words(INCIDENT_TYPES) })),
      {
        description: 'Incidents that the change has closed.',
      },
    ),
  }),
);

export type BindingChange = Static<typeof BindingChange>;

export const Binding = Named(
  'Binding',
  Type.Object({
    id: Id,
    productId: Id,
    erpItemId: Uuid,
    erpItemSizeId: Id,
    bindingState: Words(BINDING_STATES),
    missingSince: Nullable(Timestamp),
    lastSeenName: NullableText,
    lastSeenSku: NullableText,
    lastSeenPrice: Nullable(Money),
    history: Type.Array(PreviousBinding, {
      description: 'Items that the variant was bound to before, the latest first.',
    }),
    version: Type.Integer(),
  }),
);

export type Binding = Static<typeof Binding>;

export const RebindCandidate = Named(
  'RebindCandidate',
  Type.Object({
    ...bindable,
    matchedBy: Words(REBIND_MATCHES),
    confidence: Confidence,
    firstSeenAt: Timestamp,
    reasons: Type.Array(
      Named(
        'RebindReason',
        Type.Object({
          code: Words(REBIND_REASONS),
          holds: Type.Boolean(),
          value: Nullable(
            Type.Number({
              description:
                'For NAME the likeness from 0 to 1, for PRICE the new price divided by the old one.',
            }),
          ),
        }),
      ),
    ),
  }),
);

export type RebindCandidate = Static<typeof RebindCandidate>;
