import { EN } from './messages/en.ts';

/**
 * All codes of field errors with their meaning, in snake_case. The admin UI translates them, so
 * they are part of its contract.
 */
export const FIELD_CODES = {
  required: EN['field.required'],
  unknown_field: EN['field.unknown_field'],
  type: EN['field.type'],
  enum: EN['field.enum'],
  format: EN['field.format'],
  min_length: EN['field.min_length'],
  max_length: EN['field.max_length'],
  min: EN['field.min'],
  max: EN['field.max'],
  min_items: EN['field.min_items'],
  max_items: EN['field.max_items'],
  too_deep: EN['field.too_deep'],
  cycle: EN['field.cycle'],
  not_own: EN['field.not_own'],
  duplicate: EN['field.duplicate'],
  invalid: EN['field.invalid'],
  not_found: EN['field.not_found'],
  ambiguous: EN['field.ambiguous'],
  not_supported: EN['field.not_supported'],
  in_use: EN['field.in_use'],
  deleted: EN['field.deleted'],
  not_a_dish: EN['field.not_a_dish'],
  without_axis: EN['field.without_axis'],
  item_already_bound: EN['field.item_already_bound'],
  same: EN['field.same'],
  guessable: EN['field.guessable'],
  own_phone: EN['field.own_phone'],
  item_of_reward: EN['field.item_of_reward'],
  item_of_delivery_fee: EN['field.item_of_delivery_fee'],
  item_on_sale: EN['field.item_on_sale'],
  reward_broken: EN['field.reward_broken'],
  contains_secret: EN['field.contains_secret'],
  unsupported_format: EN['field.unsupported_format'],
  too_many_pixels: EN['field.too_many_pixels'],
  damaged: EN['field.damaged'],
} as const;
