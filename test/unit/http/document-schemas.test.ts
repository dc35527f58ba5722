import { describe, expect, test } from '@jest/globals';
import { Type } from 'typebox';
import { documentSchemas } from '../../../api/http/documents/document-schemas.ts';
import { Money, Named, Nullable, Page } from '../../../kernel/pure/schemas.ts';

const badge = () => Named('SampleBadge', Type.Object({ name: Type.String() }));

describe('the schemas of an API description', () => {
  test('appear once, under their names, even if they are used repeatedly', () => {
    const schemas = documentSchemas();
    const reference = { $ref: '#/components/schemas/SampleBadge' };
    const product = Type.Object({
      first: badge(),
      other: Nullable(badge()),
      all: Type.Array(badge()),
    });

    expect(schemas.show(product)).toMatchObject({
      properties: {
        first: reference,
        other: { anyOf: [reference, { type: 'null' }] },
        all: { items: reference },
      },
    });
    expect(schemas.show(Page(badge()))).toEqual({ $ref: '#/components/schemas/SampleBadgePage' });
    expect(schemas.components()).toEqual({
      SampleBadge: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
      SampleBadgePage: expect.objectContaining({ type: 'object' }),
    });
  });

  test('refer to themselves if they are recursive', () => {
    const schemas = documentSchemas();
    const node = Type.Cyclic(
      { SampleNode: Type.Object({ below: Type.Array(Type.Ref('SampleNode')) }) },
      'SampleNode',
    );

    expect(schemas.show(Type.Array(node))).toEqual({
      type: 'array',
      items: { $ref: '#/components/schemas/SampleNode' },
    });
    expect(schemas.components()).toEqual({
      SampleNode: {
        type: 'object',
        required: ['below'],
        properties: {
          below: { type: 'array', items: { $ref: '#/components/schemas/SampleNode' } },
        },
      },
    });
  });

  test('must be equal if they have one name', () => {
    const schemas = documentSchemas();
    schemas.show(badge());

    expect(() => schemas.show(badge())).not.toThrow();
    expect(() => schemas.show(Named('SampleBadge', Type.Object({ code: Type.String() })))).toThrow(
      'Two different schemas are named SampleBadge',
    );
  });

  test('describe that money has two decimals, in text and for programs', () => {
    expect(documentSchemas().show(Money)).toEqual({
      type: 'number',
      'x-decimal-places': 2,
      description: 'Rubles (RUB) with two decimals.',
      examples: [250],
    });
  });
});
