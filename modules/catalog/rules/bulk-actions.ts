import type { FieldError } from '../../../kernel/pure/field-errors.ts';
import type { ContentEdit, ProductContent } from './product-content.ts';
import type { ProductMove } from './states.ts';

/** CAT-7. */
export type BulkPayload = {
  categoryId?: number;
  badgeIds?: number[];
  isVisible?: boolean;
  organizationIds?: number[] | null;
};

type PayloadField = keyof BulkPayload;

type Rules = { readonly needs: readonly PayloadField[]; readonly allows?: readonly PayloadField[] };
type MoveAction = Rules & { readonly move: ProductMove };

type EditAction = Rules & {
  readonly edit: (before: ProductContent, payload: Required<BulkPayload>) => ContentEdit;
  readonly as: string;
};

const without = (ids: readonly number[], id: number) => ids.filter((value) => value !== id);

/** CAT-7. */
export const BULK_ACTIONS = {
  PUBLISH: { needs: [], move: 'publish' },
  UNPUBLISH: { needs: [], move: 'unpublish' },
  ARCHIVE: { needs: [], move: 'archive' },
  ADD_TO_CATEGORY: {
    needs: ['categoryId'],
    as: 'add-to-category',
    edit: ({ categoryIds }, { categoryId }) => ({
      categoryIds: categoryIds.includes(categoryId) ? categoryIds : [...categoryIds, categoryId],
    }),
  },
  REMOVE_FROM_CATEGORY: {
    needs: ['categoryId'],
    as: 'remove-from-category',
    edit: ({ categoryIds }, { categoryId }) => ({ categoryIds: without(categoryIds, categoryId) }),
  },
  SET_BADGES: { needs: ['badgeIds'], as: 'set-badges', edit: (_, { badgeIds }) => ({ badgeIds }) },
  SET_VISIBILITY: {
    needs: ['isVisible'],
    allows: ['organizationIds'],
    as: 'set-visibility',
    edit: visibility,
  },
} as const satisfies Record<string, MoveAction | EditAction>;

export type BulkAction = keyof typeof BULK_ACTIONS;
export const BULK_ACTION_NAMES = Object.keys(BULK_ACTIONS) as readonly BulkAction[];

function visibility(
  { organizationVisibility }: ProductContent,
  { isVisible, organizationIds }: Required<BulkPayload>,
): ContentEdit {
  if (organizationIds === null) return { isVisible, organizationVisibility: [] };
  const others = organizationVisibility.filter(
    (entry) => !organizationIds.includes(entry.organizationId),
  );

  return {
    organizationVisibility: [
      ...others,
      ...organizationIds.map((organizationId) => ({ organizationId, isVisible })),
    ],
  };
}

/** Reports missing fields, and fields that do not belong to the action. */
export function payloadErrors(action: BulkAction, payload: BulkPayload): FieldError[] {
  const { needs, allows = [] }: Rules = BULK_ACTIONS[action];
  const fields = (Object.keys(payload) as PayloadField[]).filter(
    (field) => payload[field] !== undefined,
  );

  return [
    ...needs
      .filter((field) => !fields.includes(field))
      .map((field) => ({
        field: `payload.${field}`,
        code: 'required',
        message: `${action} needs it.`,
      })),
    ...fields
      .filter((field) => !needs.includes(field) && !allows.includes(field))
      .map((field) => ({
        field: `payload.${field}`,
        code: 'unknown_field',
        message: `Means nothing to ${action}.`,
      })),
  ];
}

/** Reasons for failures, in addition to publication violations. */
export const BULK_REASONS = {
  NOT_FOUND: 'the product does not exist',
  INVALID_TRANSITION: 'not allowed in the current status',
  TARGET_GONE: 'the category, badge or organization disappeared meanwhile',
  BUSY: 'another user is changing it; try again',
  FAULT: 'an unexpected error; see the log',
} as const;

export type BulkReason = keyof typeof BULK_REASONS;
