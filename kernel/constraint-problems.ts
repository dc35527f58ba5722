import type { ProblemKind } from './pure/problems.ts';
import { Problem } from './problem.ts';

type BrokenRule = { kind: ProblemKind; field: string; code: string; message: string };

const duplicate = (field: string, message: string): BrokenRule => ({
  kind: 'duplicate',
  field,
  code: 'duplicate',
  message,
});

/** Excludes tables that only imports write, because a violation there is a bug. */
export const CONSTRAINT_PROBLEMS: Readonly<Record<string, BrokenRule>> = {
  access_user_email_unique: duplicate('email', 'Another user has this e-mail'),
  access_role_code_unique: duplicate('code', 'Another role has this code'),
  franchisee_name_unique: duplicate('name', 'Another franchisee has this name'),
  legal_entity_tax_id_unique: duplicate('taxId', 'Another legal entity has this tax id'),
  import_pause_open_unique: duplicate('job', 'This import is paused already'),
  media_sha256_unique: duplicate('file', 'This file is stored already'),
  catalog_category_slug_unique: duplicate('slug', 'Another category has this slug'),
  catalog_variant_axis_code_unique: duplicate('code', 'Another axis has this code'),
  catalog_variant_option_code_unique: duplicate('code', 'Another option of the axis has this code'),
  catalog_badge_code_unique: duplicate('code', 'Another badge has this code'),
  catalog_product_slug_unique: duplicate('slug', 'Another product has this slug'),
  catalog_product_primary_category_unique: duplicate(
    'categories',
    'A product has one primary category',
  ),
  catalog_variant_size_unique: duplicate(
    'erpItemSizeId',
    'The product has a variant of this size already',
  ),
  catalog_variant_option_unique: duplicate(
    'variantOptionId',
    'Another variant of the product has this option',
  ),
  catalog_variant_default_unique: duplicate('isDefault', 'A product has one default variant'),
  reward_code_unique: duplicate('code', 'Another reward has this code'),
  reward_category_unique: duplicate('categoryId', 'Another reward has this category'),
  guest_notice_code_unique: duplicate('code', 'Another notice has this code'),
  schedule_exception_date_unique: duplicate(
    'date',
    'The date has an exception of this channel already',
  ),
  discount_code_unique: duplicate('code', 'Another discount has this code'),
  promocode_code_unique: duplicate('code', 'Another promo code has the same code'),
  composition_rule_role_unique: duplicate('role', 'Another rule is about this role'),
  service_role_pkey: duplicate('items', 'Another user has just assigned these roles'),
  catalog_item_binding_item_unique: {
    kind: 'item-already-bound',
    field: 'erpItemId',
    code: 'item_already_bound',
    message: 'The item is bound to another product',
  },
};

const noMedia = (field: string): BrokenRule => ({
  kind: 'validation',
  field,
  code: 'not_found',
  message: 'No such media.',
});

const usedDiscount: BrokenRule = {
  kind: 'invalid-transition',
  field: 'id',
  code: 'in_use',
  message: 'Promocodes lead to the discount, or orders have used it. Switch it off instead.',
};

/**
 * References to rows that may be deleted concurrently. Edits check them before writing, but only
 * the foreign key is safe from races.
 */
const REFERENCE_PROBLEMS: Readonly<Record<string, BrokenRule>> = {
  catalog_product_main_image_id_fkey: noMedia('mainImageId'),
  catalog_product_hover_image_id_fkey: noMedia('hoverImageId'),
  catalog_product_image_media_id_fkey: noMedia('gallery'),
  catalog_category_image_id_fkey: noMedia('imageId'),
  reward_image_id_fkey: noMedia('imageId'),
  catalog_modifier_profile_image_id_fkey: noMedia('imageId'),
  delivery_address_cart_id_fkey: {
    kind: 'validation',
    field: 'cartId',
    code: 'not_found',
    message: 'The cart has become an order.',
  },
  promocode_discount_id_fkey: usedDiscount,
  discount_use_discount_id_fkey: usedDiscount,
};

const RULES_BY_CODE: Readonly<Record<string, Readonly<Record<string, BrokenRule>>>> = {
  '23505': CONSTRAINT_PROBLEMS,
  '23503': REFERENCE_PROBLEMS,
};

type DriverError = { code?: unknown; constraint?: unknown; cause?: unknown } | null | undefined;

/** Returns null for constraints that are not listed. */
export function problemOfConstraint(error: unknown): Problem | null {
  for (let entry = error as DriverError; entry != null; entry = entry.cause as DriverError) {
    const rules = RULES_BY_CODE[String(entry.code)];
    if (rules === undefined) continue;
    const rule = rules[String(entry.constraint)];
    if (rule === undefined) return null;
    const { kind, field, code, message } = rule;

    return new Problem(kind, { detail: message, errors: [{ field, code, message }] });
  }

  return null;
}

/** Runs `work`, and throws violated constraints as Problems. */
export async function withConstraintProblems<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw problemOfConstraint(error) ?? error;
  }
}
