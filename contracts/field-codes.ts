/**
 * Every code a field error may have, with its meaning: part of the contract with the admin UI, which translates codes and not
 * sentences. Always snake_case; kinds of problems and violations of publication are other lists.
 */
export const FIELD_CODES = {
  required: 'The field is missing or empty.',
  unknown_field: 'The request has no such field.',
  type: 'The value has another JSON type.',
  enum: 'The value is not one of the allowed values.',
  format: 'The value does not have the expected form.',
  min_length: 'The text has too few characters.',
  max_length: 'The text has too many characters.',
  min: 'The number is too small.',
  max: 'The number is too large.',
  min_items: 'The list has too few elements.',
  max_items: 'The list has too many elements.',
  too_deep: 'The value is nested too deeply.',
  cycle: 'The category would stand below itself.',
  duplicate: 'The value is named twice or is already taken.',
  invalid: 'The value breaks a rule that has no special code.',
  not_found: 'The value names something that does not exist.',
  not_supported: 'The field cannot be used here.',
  in_use: 'Something else still needs it.',
  deleted: 'The value names something that the ERP no longer has.',
  not_a_dish: 'The value names a modifier and not a dish.',
  without_axis: 'An option was given without its axis.',
  item_already_bound: 'The item belongs to another product.',
  contains_secret: 'The text repeats a secret.',
  unsupported_format: 'The file is of another kind.',
  too_many_pixels: 'The image has too many pixels.',
  damaged: 'The file cannot be read.',
} as const;
