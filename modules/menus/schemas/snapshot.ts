import { Author } from '../../access/schemas/author.ts';
import { Type, type Static } from 'typebox';
import { PRODUCT_CHECKS, VARIANT_CHECKS } from '../rules/snapshot/explain.ts';
import { DISPENSABLE } from '../rules/snapshot/fit-menu.ts';
import { ProductCard } from './menu.ts';
import { ProductReference } from '../../catalog/schemas/catalog.ts';
import {
  Count,
  Id,
  Money,
  Named,
  Nullable,
  NullableText,
  Strict,
  Timestamp,
  Uuid,
  Words,
} from '../../../kernel/pure/schemas.ts';

const NullableCount = Nullable(Type.Integer());
const Any = Type.Unsafe<unknown>({});

const MenuPin = Named(
  'MenuPin',
  Type.Object({
    id: Id,
    revision: Id,
    reason: Type.String(),
    until: Timestamp,
    pinnedAt: Timestamp,
    pinnedBy: Nullable(Author),
  }),
);

export type MenuPin = Static<typeof MenuPin>;

const Bytes = (description: string) => Type.Integer({ ...Count, description });

const MenuParts = Named(
  'MenuParts',
  Type.Object(
    {
      products: Bytes('Products without what the next five fields count.'),
      texts: Bytes('Subtitles, descriptions and compositions.'),
      images: Bytes('References of images: of products, categories and modifiers.'),
      variants: Bytes('Variants without their nutrition.'),
      nutrition: Bytes('Nutrition of variants.'),
      modifierGroups: Bytes('Modifier groups with their modifiers.'),
      categories: Bytes('Categories with the ids of their products.'),
      other: Bytes('Everything else: revision, organization and time.'),
    },
    { description: 'Bytes of the uncompressed menu by part. Their sum is the size of the menu.' },
  ),
);

const Reason = Type.String({ minLength: 1, maxLength: 500, description: 'Reason for the audit.' });

/** Pinning the served revision freezes the menu. */
export const NewPin = Named(
  'NewPin',
  Strict({ revision: Id, reason: Reason, until: Type.String({ format: 'date-time' }) }),
);

export type NewPin = Static<typeof NewPin>;

export const PinEnd = Named('PinEnd', Strict({ reason: Reason }));
export type PinEnd = Static<typeof PinEnd>;

export const SnapshotStatus = Named(
  'SnapshotStatus',
  Type.Object({
    organizationId: Id,
    revision: Nullable(Id),
    publishedAt: Nullable(Timestamp),
    patchedAt: Nullable(Timestamp),
    productCount: NullableCount,
    bytes: NullableCount,
    limitBytes: Type.Integer({ description: 'Size of the largest menu that is published.' }),
    parts: Nullable(MenuParts),
    leftOut: Type.Array(Words(DISPENSABLE), {
      description:
        'Fields that the published menu leaves out because it would be too large with them. Product cards, lists of products and ' +
        'the search have them.',
    }),
    pendingSince: Nullable(Timestamp),
    pendingReason: NullableText,
    tooLargeBytes: Nullable(
      Type.Integer({
        description:
          'Size of the menu that was not published because it is too large even without optional fields.',
      }),
    ),
    tooLargeParts: Nullable(MenuParts),
    pin: Nullable(MenuPin),
  }),
);

export type SnapshotStatus = Static<typeof SnapshotStatus>;

export const Revision = Named(
  'Revision',
  Type.Object({
    revision: Id,
    publishedAt: Timestamp,
    supersededAt: Nullable(Timestamp),
    restoredFrom: Nullable(
      Type.Integer({ description: 'The pinned revision whose content is shown.' }),
    ),
    productCount: Type.Integer(),
    bytes: Type.Integer(),
    isPinned: Type.Boolean(),
    causes: Type.Array(
      Named(
        'RevisionCause',
        Type.Object({
          source: Type.String({
            description: 'Kind of the change, for example `product-update` or `menu-import`.',
          }),
          author: Nullable(Named('RevisionAuthor', Type.Object({ id: Id, name: NullableText }))),
          at: Timestamp,
        }),
      ),
      {
        description:
          'Changes since the previous revision, the latest first. `author` is null for imports and processes. Empty for ' +
          'revisions of earlier releases and for the first menu of a restaurant.',
      },
    ),
  }),
);

export type Revision = Static<typeof Revision>;

/** The menu as published, without later stops. */
export const RevisionDetail = Named(
  'RevisionDetail',
  Type.Object({ ...Revision.properties, menu: Any }),
);

const entry = { id: Type.Union([Type.Integer(), Type.String()]), name: Type.String() };
const MenuEntry = Named('MenuEntry', Type.Object(entry));
export type MenuEntry = Static<typeof MenuEntry>;

const MenuFieldChange = Named(
  'MenuFieldChange',
  Type.Object({
    field: Type.String({
      description:
        'Path of the field, for example `variants.12.price` for the price of variant 12.',
    }),
    before: Any,
    after: Any,
  }),
);

export type MenuFieldChange = Static<typeof MenuFieldChange>;

const MenuSectionDiff = Named(
  'MenuSectionDiff',
  Type.Object({
    added: Type.Array(MenuEntry),
    removed: Type.Array(MenuEntry),
    changed: Type.Array(
      Named('ChangedMenuEntry', Type.Object({ ...entry, fields: Type.Array(MenuFieldChange) })),
    ),
  }),
);

export type MenuSectionDiff = Static<typeof MenuSectionDiff>;

export const RevisionDiff = Named(
  'RevisionDiff',
  Type.Object({
    from: Id,
    to: Id,
    products: MenuSectionDiff,
    categories: MenuSectionDiff,
    modifierGroups: MenuSectionDiff,
  }),
);

const ExplanationFact = Named(
  'ExplanationFact',
  Type.Object({
    code: Type.String(),
    holds: Nullable(
      Type.Boolean({
        description: 'True if the condition is met, false if not, null for information only.',
      }),
    ),
    value: Nullable(Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
    price: Nullable(Money),
    at: Nullable(Timestamp),
    source: Type.String({ description: 'Kind of the record that the fact was read from.' }),
    sourceId: Nullable(Type.Union([Type.String(), Type.Number()])),
  }),
);

export type ExplanationFact = Static<typeof ExplanationFact>;

const { revision, publishedAt, patchedAt, pendingSince, pendingReason } = SnapshotStatus.properties;

const Sentence = Type.String({
  description: 'The reason in words, in the language of `Accept-Language`.',
});

export const Explanation = Named(
  'Explanation',
  Type.Object({
    product: ProductReference,
    organization: Named(
      'ExplainedOrganization',
      Type.Object({ id: Id, erpId: Uuid, name: Type.String() }),
    ),
    explainedAt: Timestamp,
    inMenu: Type.Boolean(),
    sentence: Sentence,
    facts: Type.Array(ExplanationFact),
    snapshot: Named(
      'ExplainedSnapshot',
      Type.Object({
        revision,
        publishedAt,
        patchedAt,
        pendingSince,
        pendingReason,
        isBehind: Type.Boolean({
          description:
            'True when a rebuild is due. Until it is done, `served` may differ from the verdict.',
        }),
      }),
    ),
    variants: Type.Array(
      Named(
        'ExplainedVariant',
        Type.Object({
          id: Id,
          optionName: NullableText,
          isDefault: Type.Boolean(),
          inMenu: Type.Boolean(),
          available: Type.Boolean(),
          price: Nullable(Money),
          reason: Words([...PRODUCT_CHECKS, ...VARIANT_CHECKS, 'AVAILABLE'] as const),
          sentence: Sentence,
          served: Nullable(
            Named('ServedVariant', Type.Object({ available: Type.Boolean(), price: Money })),
          ),
          facts: Type.Array(ExplanationFact),
        }),
      ),
    ),
  }),
);

export type Explanation = Static<typeof Explanation>;

const ExplainedRestaurantName = Type.Object({ id: Id, erpId: Uuid, name: Type.String() });
const MenuReason = Words([...PRODUCT_CHECKS, ...VARIANT_CHECKS, 'AVAILABLE'] as const);

export const ExplanationOverview = Named(
  'ExplanationOverview',
  Type.Object({
    kind: Type.Literal('OVERVIEW'),
    product: ProductReference,
    explainedAt: Timestamp,
    items: Type.Array(
      Named(
        'ExplainedRestaurant',
        Type.Object({
          organization: ExplainedRestaurantName,
          inMenu: Type.Boolean(),
          available: Type.Boolean({
            description: 'True when guests can order at least one variant.',
          }),
          reason: MenuReason,
          sentence: Sentence,
        }),
      ),
    ),
    page: Type.Integer(),
    size: Type.Integer(),
    total: Type.Integer(),
  }),
);

export type ExplanationOverview = Static<typeof ExplanationOverview>;

export const ExplanationAnswer = Named(
  'ExplanationAnswer',
  Type.Union([ExplanationOverview, Explanation]),
);

export const MissingReason = Words([...PRODUCT_CHECKS, ...VARIANT_CHECKS] as const);

export const MissingProducts = Named(
  'MissingProducts',
  Type.Object({
    organization: ExplainedRestaurantName,
    explainedAt: Timestamp,
    counts: Type.Array(
      Named('MissingReasonCount', Type.Object({ reason: MenuReason, count: Type.Integer() })),
      {
        description:
          'Number of products by reason, the most frequent first. The filter `reason` does not change it.',
      },
    ),
    items: Type.Array(
      Named(
        'MissingProduct',
        Type.Object({
          product: ProductReference,
          inMenu: Type.Boolean({ description: 'True if guests see the product as sold out.' }),
          reason: MenuReason,
          sentence: Sentence,
        }),
      ),
    ),
    page: Type.Integer(),
    size: Type.Integer(),
    total: Type.Integer(),
  }),
);

export type MissingProducts = Static<typeof MissingProducts>;

const { revision: _revision, ...card } = ProductCard.properties;

export const ProductPreview = Named(
  'ProductPreview',
  Type.Object({
    product: ProductReference,
    organization: ExplainedRestaurantName,
    previewedAt: Timestamp,
    inMenu: Type.Boolean({ description: 'True if guests would see the product.' }),
    available: Type.Boolean({ description: 'True if guests could order at least one variant.' }),
    reason: MenuReason,
    sentence: Sentence,
    card: Type.Unsafe<Omit<Static<typeof ProductCard>, 'revision'> | null>({
      ...Nullable(Named('PreviewCard', Type.Object(card))),
      description:
        'The card as `GET /api/v1/products/{slug}` would return it. Null if guests would not see it.',
    }),
  }),
);

export type ProductPreview = Static<typeof ProductPreview>;
