import { Ajv, type ValidateFunction } from 'ajv';

const id = { type: 'integer', minimum: 1 };
const text = { type: 'string', minLength: 1 };
const price = { type: 'number', minimum: 0 };
const list = (items: object) => ({ type: 'array', items });
const record = (required: Record<string, object>, optional: Record<string, object> = {}) => ({
  type: 'object',
  required: Object.keys(required),
  properties: { ...required, ...optional },
});
const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] });

const uuid = { type: 'string', pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' };
const groupId = { type: 'string', pattern: '^mg_[0-9a-f]+$' };
const image = record({
  id,
  url: { type: 'string', pattern: '^/' },
  srcset: { type: 'string', pattern: '^\\S+ \\dx(, \\S+ \\dx)*$' },
});
const nutrition = record({ proteins: price, fats: price, carbs: price, energy: price });

const variant = record(
  {
    id,
    option: orNull(record({ code: text, name: text }, { shortName: text })),
    erpItemId: uuid,
    price,
    available: { type: 'boolean' },
    isDefault: { type: 'boolean' },
    modifierGroupIds: list(groupId),
  },
  { sku: text, weightGrams: price, nutritionPer100g: nutrition },
);
const product = record(
  {
    id,
    slug: text,
    name: text,
    categoryIds: list(id),
    primaryCategoryId: id,
    badges: list(text),
    images: record({ main: image, hover: orNull(image), gallery: list(image) }),
    variantAxis: orNull(record({ code: text, name: text, uiType: text })),
    variants: { type: 'array', items: variant, minItems: 1 },
    allergens: list(record({ code: text, name: text })),
  },
  { subtitle: text, description: text, composition: text },
);
const category = record({
  id,
  slug: text,
  name: text,
  parentId: orNull(id),
  position: { type: 'integer' },
  image: orNull(image),
  productIds: list(id),
});
const modifier = record(
  {
    id: uuid,
    name: text,
    price,
    image: orNull(image),
    available: { type: 'boolean' },
    isDefault: { type: 'boolean' },
  },
  { weightGrams: price },
);
const count = { type: 'integer', minimum: 0 };
const modifierGroup = record({
  id: groupId,
  name: text,
  uiType: text,
  min: count,
  max: count,
  free: count,
  collapsed: { type: 'boolean' },
  modifiers: list(modifier),
});

/** Independent of the product's own schema. */
export function compileMenuSchema(): ValidateFunction {
  return new Ajv({ allErrors: true }).compile(
    record({
      revision: { type: 'integer', minimum: 1 },
      organizationId: uuid,
      generatedAt: {
        type: 'string',
        pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$',
      },
      categories: list(category),
      products: list(product),
      modifierGroups: list(modifierGroup),
    }),
  );
}
