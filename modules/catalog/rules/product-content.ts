import { listErrors, type FieldError } from '../../../kernel/pure/field-errors.ts';
import type { ProductStatus } from './states.ts';
import { nameErrors } from '../../../kernel/pure/required-texts.ts';

export type OrganizationVisibility = { organizationId: number; isVisible: boolean };

/** A text added here is stored, compared and shown to staff. */
export const PRODUCT_TEXTS = [
  'subtitle',
  'description',
  'composition',
  'seoTitle',
  'seoDescription',
] as const;

type ProductText = (typeof PRODUCT_TEXTS)[number];

export type ProductContent = Readonly<Record<ProductText, string | null>> & {
  name: string;
  slug: string;
  mainImageId: number | null;
  hoverImageId: number | null;
  variantAxisId: number | null;
  /** Applies to organizations without an entry in `organizationVisibility`. */
  isVisible: boolean;
  /** Media ids in order. */
  gallery: readonly number[];
  /** The primary category first, others by id. */
  categoryIds: readonly number[];
  /** Ids in the order for guests. */
  badgeIds: readonly number[];
  /** Ascending by organization id. */
  organizationVisibility: readonly OrganizationVisibility[];
};

export type ContentField = keyof ProductContent;

/** An absent field is not changed; null clears it (HTTP-4). */
export type ContentEdit = { readonly [F in ContentField]?: ProductContent[F] | null };

function everyText<V>(value: V): Record<ProductText, V> {
  return Object.fromEntries(PRODUCT_TEXTS.map((text) => [text, value])) as Record<ProductText, V>;
}

export const EMPTY_CONTENT: ProductContent = {
  name: '',
  slug: '',
  ...everyText(null),
  mainImageId: null,
  hoverImageId: null,
  variantAxisId: null,
  isVisible: true,
  gallery: [],
  categoryIds: [],
  badgeIds: [],
  organizationVisibility: [],
};

export const CONTENT_FIELDS = Object.keys(EMPTY_CONTENT) as readonly ContentField[];

const asGiven = <T>(value: T): T => value;
const optionalText = (text: string | null) =>
  text === null || text.trim() === '' ? null : text.trim();

/** Normalizes values, so that equal content is not a change. */
const STORED: { readonly [F in ContentField]: (given: ProductContent[F]) => ProductContent[F] } = {
  name: (name) => name.trim(),
  slug: asGiven,
  ...everyText(optionalText),
  mainImageId: asGiven,
  hoverImageId: asGiven,
  variantAxisId: asGiven,
  isVisible: asGiven,
  gallery: asGiven,
  categoryIds: ([primary, ...others]) =>
    primary === undefined ? [] : [primary, ...others.toSorted((one, other) => one - other)],
  badgeIds: asGiven,
  organizationVisibility: (visibility) =>
    visibility.toSorted((one, other) => one.organizationId - other.organizationId),
};

export function mergeContent(before: ProductContent, edit: ContentEdit): ProductContent {
  const merged = CONTENT_FIELDS.map((field) => [field, storedValue(field, before, edit)] as const);
  return Object.fromEntries(merged) as ProductContent;
}

function storedValue<F extends ContentField>(
  field: F,
  before: ProductContent,
  edit: ContentEdit,
): ProductContent[F] {
  const fieldValue: ProductContent[F] | null | undefined = edit[field];
  if (fieldValue === undefined) return before[field];
  return fieldValue === null ? EMPTY_CONTENT[field] : STORED[field](fieldValue);
}

export function changedFields(before: ProductContent, after: ProductContent): ContentField[] {
  return CONTENT_FIELDS.filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
}

export type ContentFacts = {
  media: ReadonlySet<number>;
  /** Excludes archived categories. */
  categories: ReadonlySet<number>;
  badges: ReadonlySet<number>;
  axes: ReadonlySet<number>;
  organizations: ReadonlySet<number>;
  axesOfVariants: ReadonlySet<number>;
};

export function contentErrors(
  {
    before,
    given,
    after,
    status,
  }: { before: ProductContent; given: ContentEdit; after: ProductContent; status: ProductStatus },
  facts: ContentFacts,
): FieldError[] {
  const one = (
    field: ContentField,
    id: number | null,
    known: ReadonlySet<number>,
    what: string,
  ): FieldError[] =>
    id === null || id === before[field] || known.has(id)
      ? []
      : [{ field, code: 'not_found', message: `No such ${what}.` }];

  return [
    ...(after.name === before.name || after.name === '' ? [] : nameErrors('name', after.name)),
    ...required(before, after, status),
    ...one('mainImageId', after.mainImageId, facts.media, 'media'),
    ...one('hoverImageId', after.hoverImageId, facts.media, 'media'),
    ...one('variantAxisId', after.variantAxisId, facts.axes, 'variant axis'),
    ...axisInUse(before, after, facts),
    ...listErrors('gallery', given.gallery ?? [], facts.media, 'media'),
    // A product may stay in an archived category.
    ...listErrors(
      'categoryIds',
      given.categoryIds ?? [],
      facts.categories.union(new Set(before.categoryIds)),
      'category',
    ),
    ...listErrors('badgeIds', given.badgeIds ?? [], facts.badges, 'badge'),
    ...listErrors(
      'organizationVisibility',
      (given.organizationVisibility ?? []).map((visibility) => visibility.organizationId),
      facts.organizations,
      'organization',
    ).map((error) => ({ ...error, field: `${error.field}.organizationId` })),
  ];
}

/** Checks the publication requirements of published products. */
function required(
  before: ProductContent,
  after: ProductContent,
  status: ProductStatus,
): FieldError[] {
  const isPublished = status === 'PUBLISHED';
  const losesImage = before.mainImageId !== null && after.mainImageId === null;
  const losesPlacement = before.categoryIds.length > 0 && after.categoryIds.length === 0;
  const rules = [
    { field: 'name', isBroken: after.name === '', message: 'The name is empty.' },
    {
      field: 'mainImageId',
      isBroken: isPublished && losesImage,
      message: 'A published product keeps a main image.',
    },
    {
      field: 'categoryIds',
      isBroken: isPublished && losesPlacement,
      message: 'A published product keeps a category.',
    },
  ];

  return rules.flatMap(({ field, isBroken, message }) =>
    isBroken ? [{ field, code: 'required', message }] : [],
  );
}

function axisInUse(
  before: ProductContent,
  after: ProductContent,
  { axesOfVariants }: ContentFacts,
): FieldError[] {
  if (before.variantAxisId === after.variantAxisId) return [];
  const isInUse = [...axesOfVariants].some((axisId) => axisId !== after.variantAxisId);

  return isInUse
    ? [
        {
          field: 'variantAxisId',
          code: 'in_use',
          message: 'Variants have options of another axis.',
        },
      ]
    : [];
}

function isVisibleIn(
  {
    isVisible,
    organizationVisibility,
  }: Pick<ProductContent, 'isVisible' | 'organizationVisibility'>,
  organizationId: number,
): boolean {
  return (
    organizationVisibility.find((visibility) => visibility.organizationId === organizationId)
      ?.isVisible ?? isVisible
  );
}

export function organizationsThatDiffer(before: ProductContent, after: ProductContent): number[] {
  const named = [...before.organizationVisibility, ...after.organizationVisibility].map(
    (visibility) => visibility.organizationId,
  );
  return [...new Set(named)]
    .filter((id) => isVisibleIn(before, id) !== isVisibleIn(after, id))
    .toSorted((one, other) => one - other);
}
