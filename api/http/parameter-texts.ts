/**
 * What a parameter of this name means unless its route describes it; every parameter of the
 * documents has a text.
 */
export const PARAMETER_TEXTS: Readonly<Record<string, string>> = {
  id: 'Id of what the URL names.',
  session_id: 'Id of the session.',
  secret_id: 'Id of the secret.',
  item_id: 'Id of the dish in the ERP.',
  erp_item_id: 'Id of the modifier in the ERP.',
  group_key: 'Key of the modifier group. It stays the same between imports.',
  option_id: 'Id of the option, which must belong to this axis.',
  variant_id: 'Id of the variant.',
  revision: 'Number of a kept revision.',
  key: 'Key of the setting.',
  slug: 'Slug of the product, or a former slug.',

  q: 'A part of the text. Upper and lower case and blanks around it do not matter.',
  status: 'Keeps entries in this state.',
  severity: 'Keeps entries of this severity.',
  kind: 'Keeps entries of this kind.',
  job: 'Keeps runs of this job.',
  open: 'Keeps entries whose cause still exists (true) or is gone (false).',
  all: 'Lists entries that have ended as well.',
  tree: 'Answers all categories at once, nested.',
  subfolders: 'Includes the folders below.',
  bound: 'Keeps dishes that a product has (true) or that no product has (false).',
  triage: 'Keeps dishes in this state of triage.',
  has_variants: 'Keeps products with variants (true) or without variants (false).',
  is_active: 'Keeps users who may sign in (true) or who may not (false).',

  cart_id: 'Id of the cart. Whoever knows it may use the cart.',
  order_id: 'Id of the order, as its creation answered it.',

  category_id: 'Keeps products of this category.',
  badge_id: 'Keeps products with this badge.',
  product_id: 'Keeps entries of this product.',
  discount_id: 'Keeps promocodes of this discount.',
  terminal_id: 'Keeps entries of this terminal group.',
  connection_id: 'Keeps entries of this connection.',
  legal_entity_id: 'Keeps entries of this legal entity.',
  franchisee_id: 'Keeps entries of this franchisee.',
  user_id: 'Keeps changes by this user.',
  entity_type: 'Keeps changes of this kind of entity.',

  from: 'The older revision.',
  to: 'The newer revision. By default it is the one that is served.',

  state: 'Value that the sign-on was started with. The provider sends it back.',
  code: 'Code of the provider. It can be exchanged once.',
  iss: 'Issuer of the answer, when the provider names it.',
  error: 'Why the provider refused.',
};
