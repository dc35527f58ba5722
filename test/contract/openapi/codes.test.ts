import { describe, expect, test } from '@jest/globals';
import { OPEN_ENUM } from '../../../api/http/documents/document-schemas.ts';
import { openApiDocument } from '../../../api/http/documents/openapi.ts';
import { routes } from '../../../api/routes.ts';
import { CODE_LISTS, codeEntry, listCodes, type CodeListName } from '../../../kernel/pure/codes.ts';
import type { BlockerCode, CheckoutBlocker } from '../../../packages/client/src/storefront.ts';

type Schema = {
  $ref?: string;
  anyOf?: Schema[];
  required?: string[];
  properties?: Record<string, Schema>;
  description?: string;
  enum?: unknown[];
  const?: string;
  [OPEN_ENUM]?: string[];
  'x-enumDescriptions'?: Record<string, string>;
};
type Description = {
  paths: Record<string, Record<string, { responses: Record<string, { content?: object }> }>>;
  components: { schemas: Record<string, Schema> };
};

const { paths, components } = JSON.parse(
  JSON.stringify(openApiDocument('public', routes)),
) as Description;
const { schemas } = components;
const named = ({ $ref = '' }: Schema): Schema => schemas[$ref.slice($ref.lastIndexOf('/') + 1)]!;

function answered(): Schema[] {
  const found: Schema[] = [];
  const names = new Set<string>();
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const schema = value as Schema;
    found.push(schema);
    const name =
      schema.$ref?.startsWith('#/components/schemas/') === true
        ? schema.$ref.split('/').at(-1)!
        : undefined;
    if (name !== undefined && !names.has(name)) walk(names.add(name) && schemas[name]);
    for (const [key, member] of Object.entries(value))
      if (key !== 'example' && key !== 'examples') walk(member);
  };
  for (const methods of Object.values(paths))
    for (const { responses } of Object.values(methods))
      for (const { content } of Object.values(responses)) walk(content);
  return found;
}

/** Lists whose codes distinguish objects of a union. */
const UNIONS = [
  { list: 'BlockerCode', union: 'CheckoutBlocker', key: 'code', shared: ['code', 'message'] },
  { list: 'WarningCode', union: 'CheckoutWarning', key: 'code', shared: ['code', 'message'] },
  { list: 'AdjustmentCode', union: 'CheckoutAdjustment', key: 'code', shared: ['code', 'message'] },
  { list: 'RepairAction', union: 'CheckoutRepair', key: 'action', shared: ['action'] },
] as const;

describe('[HTTP-27] the codes of the storefront API', () => {
  test('appear as open enumerations in every answer', () => {
    const closed = answered().filter((schema) => Array.isArray(schema.enum) && !('not' in schema));
    // A list of codes in `not` is the condition of the alternative for newer codes, not an
    // enumeration.
    const conditions = answered().flatMap((schema) =>
      'not' in schema ? [(schema as { not: Schema }).not] : [],
    );

    expect(conditions.length).toBeGreaterThan(0);
    expect(closed.filter((schema) => !conditions.includes(schema))).toEqual([]);
  });

  test.each(CODE_LISTS)('[HTTP-28] match the table for %s, with meanings and pages', (list) => {
    const lists = answered().filter(
      (schema) => schema[OPEN_ENUM]?.join() === listCodes(list).join(),
    );
    const { [list]: own = lists[0] } = schemas;
    const described = Object.fromEntries(
      listCodes(list).map((code) => [
        code,
        `${codeEntry(list, code)!.meaning} See [/codes/${code}](/codes/${code}).`,
      ]),
    );

    const inUnions = answered().flatMap((schema) => schema[OPEN_ENUM] ?? []);
    expect(inUnions).toEqual(expect.arrayContaining(listCodes(list)));
    if (own === undefined) return;
    expect(own[OPEN_ENUM]).toEqual(listCodes(list));
    expect(own['x-enumDescriptions']).toEqual(described);
  });

  test('disappear from the description with the table', () => {
    const known: string[] = listCodes(...CODE_LISTS);

    expect(
      answered()
        .flatMap((schema) => schema[OPEN_ENUM] ?? [])
        .filter((code) => !known.includes(code)),
    ).toEqual([]);
  });

  test('form types of the client that also accept a newer code', () => {
    const codes: BlockerCode[] = ['CART_EMPTY', 'A_CODE_OF_TOMORROW'];

    expect(codes).toHaveLength(2);
  });
});

describe('[ORD-96] a union by code', () => {
  const listAlternatives = (union: string): Schema[] => schemas[union]!.anyOf!.map(named);

  test.each(UNIONS)(
    'contains for $union one alternative per code of $list, and one for future codes',
    (entry) => {
      const alternatives = listAlternatives(entry.union);
      const constants = alternatives.map(({ properties = {} }) => properties[entry.key]!.const);

      expect(constants).toEqual([...listCodes(entry.list), undefined]);
      expect(alternatives.at(-1)!.properties![entry.key]).toMatchObject({
        not: { enum: listCodes(entry.list) },
      });
    },
  );

  test.each(UNIONS.flatMap((entry) => listCodes(entry.list).map((code) => ({ ...entry, code }))))(
    'lists for $union $code exactly the fields of the table',
    ({ list, union, key, shared, code }) => {
      const { fields = [], ...entry } = codeEntry(list as CodeListName, code)!;
      const repair = typeof entry.repair === 'object' ? entry.repair : undefined;
      const alternative = listAlternatives(union).find(
        ({ properties = {} }) => properties[key]!.const === code,
      )!;
      const always = [
        ...shared,
        ...fields,
        ...(repair !== undefined && repair.when === undefined ? ['repair'] : []),
      ];
      const all = [...shared, ...fields, ...(repair === undefined ? [] : ['repair'])];

      expect(Object.keys(alternative.properties!).toSorted()).toEqual(all.toSorted());
      expect([...alternative.required!].toSorted()).toEqual(always.toSorted());
      expect(schemas[union]!.properties).toMatchObject(
        Object.fromEntries(all.map((name) => [name, expect.anything()])),
      );
    },
  );

  test('gives a client the fields of a code after it has compared the code', () => {
    const shortfallOf = (blocker: CheckoutBlocker): number =>
      blocker.code === 'MIN_SUM_NOT_REACHED' ? blocker.minSum - blocker.shortfall : 0;
    const blocker: CheckoutBlocker = {
      code: 'MIN_SUM_NOT_REACHED',
      message: 'Too small.',
      minSum: 500,
      shortfall: 100,
      repair: { action: 'ADD_ITEMS' },
    };

    expect(shortfallOf(blocker)).toBe(400);
  });
});
