import type { NewVariant } from '../schemas/catalog-requests.ts';
import { fieldError, type FieldError } from '../../../kernel/pure/field-errors.ts';

export type VariantOfProduct = { id: number; itemSizeId: number; optionId: number | null };

export type VariantsOfProduct = { axisId: number | null; variants: readonly VariantOfProduct[] };

export type NewVariantFacts = VariantsOfProduct & {
  itemExists: boolean;
  size: { erpItemId: string; role: 'DISH' | 'MODIFIER'; isDeleted: boolean } | null;
  option: OptionFacts | null;
};

export type OptionFacts = { id: number; axisId: number };

const SIZE = 'erpItemSizeId';
const OPTION = 'variantOptionId';

export function newVariantErrors(request: NewVariant, facts: NewVariantFacts): FieldError[] {
  return [
    ...sizeErrors(request, facts),
    ...optionErrors(request.variantOptionId ?? null, facts.option, facts, null),
    ...(facts.variants.some((variant) => variant.optionId === null)
      ? [
          fieldError(
            OPTION,
            'invalid',
            'Give the variant that is there an option first: guests choose by options.',
          ),
        ]
      : []),
  ];
}

function sizeErrors(
  request: NewVariant,
  { size, itemExists, variants }: NewVariantFacts,
): FieldError[] {
  if (!itemExists) return [fieldError('erpItemId', 'not_found', 'No such item.')];
  if (size === null) return [fieldError(SIZE, 'not_found', 'No such item size.')];
  if (size.erpItemId !== request.erpItemId.toLowerCase())
    return [fieldError(SIZE, 'invalid', 'The size belongs to another item.')];
  if (size.role !== 'DISH')
    return [fieldError(SIZE, 'not_a_dish', 'A modifier cannot be a variant.')];
  if (size.isDeleted) return [fieldError(SIZE, 'deleted', 'The ERP no longer has this item.')];

  return variants.some((variant) => variant.itemSizeId === request.erpItemSizeId)
    ? [fieldError(SIZE, 'duplicate', 'The product has a variant of this size already.')]
    : [];
}

/**
 * Returns the errors of assigning an option; `ownId` is null for a new variant. Only a single
 * variant may lack an option, because guests choose by option. A product without an axis gets the
 * option's axis.
 */
export function optionErrors(
  optionId: number | null,
  option: OptionFacts | null,
  { axisId, variants }: VariantsOfProduct,
  ownId: number | null,
): FieldError[] {
  const others = variants.filter((variant) => variant.id !== ownId);
  if (optionId === null)
    return others.length === 0
      ? []
      : [fieldError(OPTION, 'required', 'Several variants need an option each.')];

  if (option === null) return [fieldError(OPTION, 'not_found', 'No such option.')];
  if (axisId !== null && option.axisId !== axisId)
    return [fieldError(OPTION, 'not_found', 'The axis of the product has no such option.')];

  return others.some((other) => other.optionId === optionId)
    ? [fieldError(OPTION, 'duplicate', 'Another variant has this option.')]
    : [];
}

export function orderErrors(
  variantIds: readonly number[],
  variants: readonly { id: number }[],
): FieldError[] {
  const known = new Set(variants.map((variant) => variant.id));
  const named = new Set(variantIds);

  return [
    ...variantIds.flatMap((id, at) => {
      const field = `variantIds.${at}`;
      if (variantIds.indexOf(id) < at) return [fieldError(field, 'duplicate', 'Named twice.')];
      return known.has(id)
        ? []
        : [fieldError(field, 'not_found', 'Not a variant of this product.')];
    }),
    ...variants.flatMap(({ id }) =>
      named.has(id)
        ? []
        : [fieldError('variantIds', 'required', `Variant ${id} is missing: name all of them.`)],
    ),
  ];
}
