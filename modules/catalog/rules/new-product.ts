import type { NewProductOfItems } from '../schemas/catalog-requests.ts';
import { fieldError, type FieldError } from '../../../kernel/pure/field-errors.ts';
import { nameErrors } from '../../../kernel/pure/required-texts.ts';

export type NewProductFacts = {
  axis: { id: number; options: readonly { id: number; code: string }[] } | null;
  mainImageExists: boolean;
  /** Excludes archived categories. */
  categoryIds: ReadonlySet<number>;
  sizes: ReadonlyMap<
    number,
    { itemId: number; role: 'DISH' | 'MODIFIER'; isDeleted: boolean; isErpDefault: boolean }
  >;
};

export type NewProductPlan = {
  name: string;
  axisId: number | null;
  mainImageId: number | null;
  /** The first category is primary. */
  categoryIds: readonly number[];
  /** Exactly one variant is the default. */
  variants: { erpItemSizeId: number; optionId: number | null; isDefault: boolean }[];
  /** Whole dishes to claim, ascending. */
  itemIds: number[];
};

export type NewProductDecision =
  | { kind: 'plan'; plan: NewProductPlan }
  | { kind: 'invalid'; errors: FieldError[] };

/**
 * Returns all errors, or the plan. The default variant is the requested one, else the ERP's default
 * size, else the first.
 */
export function planNewProduct(
  request: NewProductOfItems,
  facts: NewProductFacts,
): NewProductDecision {
  const errors = [
    ...nameErrors('name', request.name),
    ...axisErrors(request, facts),
    ...(request.mainImageId == null || facts.mainImageExists
      ? []
      : [fieldError('mainImageId', 'not_found', 'No such media.')]),
    ...request.categoryIds.flatMap((id, at) => categoryErrors(request.categoryIds, id, at, facts)),
    ...request.variants.flatMap((variant, at) => [
      ...sizeErrors(request, variant.erpItemSizeId, at, facts),
      ...optionErrors(request, variant.variantOptionCode ?? null, at, facts),
    ]),
    ...defaultErrors(request),
  ];

  return errors.length > 0
    ? { kind: 'invalid', errors }
    : { kind: 'plan', plan: buildPlan(request, facts) };
}

function axisErrors(
  { variantAxisCode, variants }: NewProductOfItems,
  { axis }: NewProductFacts,
): FieldError[] {
  if (variantAxisCode == null)
    return variants.length > 1
      ? [fieldError('variantAxisCode', 'required', 'Several variants need an axis to choose by.')]
      : [];

  return axis === null ? [fieldError('variantAxisCode', 'not_found', 'No such variant axis.')] : [];
}

function categoryErrors(
  all: readonly number[],
  id: number,
  at: number,
  facts: NewProductFacts,
): FieldError[] {
  const field = `categoryIds.${at}`;
  if (all.indexOf(id) < at) return [fieldError(field, 'duplicate', 'The category is named twice.')];
  return facts.categoryIds.has(id) ? [] : [fieldError(field, 'not_found', 'No such category.')];
}

function sizeErrors(
  request: NewProductOfItems,
  sizeId: number,
  at: number,
  facts: NewProductFacts,
): FieldError[] {
  const field = `variants.${at}.erpItemSizeId`;
  if (request.variants.findIndex((variant) => variant.erpItemSizeId === sizeId) < at)
    return [fieldError(field, 'duplicate', 'The size is named twice.')];
  const size = facts.sizes.get(sizeId);
  if (size === undefined) return [fieldError(field, 'not_found', 'No such item size.')];
  if (size.role !== 'DISH')
    return [fieldError(field, 'not_a_dish', 'A modifier cannot be a product.')];

  return size.isDeleted ? [fieldError(field, 'deleted', 'The ERP no longer has this item.')] : [];
}

function optionErrors(
  request: NewProductOfItems,
  code: string | null,
  at: number,
  { axis }: NewProductFacts,
): FieldError[] {
  const field = `variants.${at}.variantOptionCode`;
  if (request.variantAxisCode == null)
    return code === null
      ? []
      : [fieldError(field, 'without_axis', 'An option needs variantAxisCode.')];

  if (code === null) return [fieldError(field, 'required', 'Name an option of the axis.')];
  if (request.variants.findIndex((variant) => variant.variantOptionCode === code) < at)
    return [fieldError(field, 'duplicate', 'Another variant has this option.')];
  if (axis === null || axis.options.some((option) => option.code === code)) return [];

  return [fieldError(field, 'not_found', 'The axis has no such option.')];
}

function defaultErrors({ variants }: NewProductOfItems): FieldError[] {
  const chosen = variants.flatMap((variant, at) => (variant.isDefault === true ? [at] : []));
  return chosen
    .slice(1)
    .map((at) =>
      fieldError(`variants.${at}.isDefault`, 'duplicate', 'Only one variant is the default.'),
    );
}

function buildPlan(request: NewProductOfItems, facts: NewProductFacts): NewProductPlan {
  const { variants } = request;
  const chosen = variants.findIndex((variant) => variant.isDefault === true);
  const erpDefault = variants.findIndex(
    (variant) => facts.sizes.get(variant.erpItemSizeId)?.isErpDefault === true,
  );
  const defaultAt = [chosen, erpDefault, 0].find((at) => at >= 0);
  const itemIds = variants.flatMap(
    (variant) => facts.sizes.get(variant.erpItemSizeId)?.itemId ?? [],
  );

  return {
    name: request.name.trim(),
    axisId: facts.axis?.id ?? null,
    mainImageId: request.mainImageId ?? null,
    categoryIds: request.categoryIds,
    variants: variants.map((variant, at) => ({
      erpItemSizeId: variant.erpItemSizeId,
      optionId:
        facts.axis?.options.find((option) => option.code === variant.variantOptionCode)?.id ?? null,
      isDefault: at === defaultAt,
    })),
    itemIds: [...new Set(itemIds)].toSorted((one, other) => one - other),
  };
}
