/**
 * Every code a field error may have, with its meaning: part of the contract with the admin UI, which translates codes and not
 * sentences. Always snake_case; kinds of problems and violations of publication are other lists.
 */
export const FIELD_CODES = {
  required: 'missing, or empty',
  unknown_field: 'not a field of this request',
  type: 'another JSON type',
  enum: 'not one of the listed values',
  format: 'not of the expected form',
  min_length: 'too few characters',
  max_length: 'too many characters',
  min: 'too small',
  max: 'too large',
  min_items: 'too few elements',
  max_items: 'too many elements',
  too_deep: 'nested too deeply',
  cycle: 'would stand below itself',
  duplicate: 'named twice, or taken',
  invalid: 'breaks a rule that has no code of its own',
  not_found: 'names something that does not exist here',
  not_supported: 'not possible for this kind of thing',
  in_use: 'something else still needs it',
  deleted: 'names something the external system no longer has',
  not_a_dish: 'names a modifier',
  without_axis: 'an option without its axis',
  item_already_bound: 'the item belongs to another product',
  contains_secret: 'repeats a secret',
  unsupported_format: 'a file of another kind',
  too_many_pixels: 'a picture that is too large when decoded',
  damaged: 'a file that cannot be read',
} as const;
