import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { DECIMAL_PLACES, OPEN_ENUM } from '../../../api/http/documents/document-schemas.ts';
import { openApiDocument } from '../../../api/http/documents/openapi.ts';
import { routes } from '../../../api/routes.ts';
import { breakingChanges, removedCodes } from '../../../packages/dev/openapi/breaking.ts';
import { describeWith, programForTests } from '../../support/unless-mandatory.ts';

type Schema = {
  $ref?: string;
  type?: string;
  properties: Record<string, Schema>;
  required: string[];
  items: Schema;
  anyOf: Schema[];
};
type Operation = {
  operationId: string;
  parameters: { name: string; in: string; required?: boolean; schema: Record<string, unknown> }[];
  responses: Record<string, { content: Record<string, { schema: Schema }> }>;
};
type Description = {
  paths: Record<string, { get: Operation }>;
  components: { schemas: Record<string, Schema> };
};

async function readReleased(api: 'public' | 'admin'): Promise<Description> {
  const file = new URL(`../../../api/openapi/released/${api}.json`, import.meta.url);
  return JSON.parse(await readFile(file, 'utf8')) as Description;
}
const released = await readReleased('public');
const oasdiff = await programForTests('oasdiff');
const text = { type: 'string' } as Schema;

/** Paths that the negative controls edit: oasdiff takes a second for all paths. */
const EDITED = ['/menu', '/search', '/products', '/checkout/preflight'];
const sample: Description = {
  ...released,
  paths: Object.fromEntries(EDITED.map((path) => [path, released.paths[path]!])),
};

/** The breaks between the released description and an edited copy, of these paths. */
function breaksOf(edit: (copy: Description) => void): Promise<string[]> {
  const copy = structuredClone(sample);
  edit(copy);
  return breakingChanges(oasdiff!, sample, copy);
}
const operationsOf = (described: object): string[] =>
  Object.entries((described as { paths: Record<string, object> }).paths).flatMap(
    ([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`),
  );
const get = (copy: Description, path: string) => copy.paths[path]!.get;
const named = ({ components }: Description, schema: Schema): Schema =>
  schema.$ref === undefined ? schema : components.schemas[schema.$ref.split('/').at(-1)!]!;
const menu = (copy: Description) =>
  named(copy, get(copy, '/menu').responses['200']!.content['application/json']!.schema);
const product = (copy: Description) => named(copy, menu(copy).properties['products']!.items);
const variant = (copy: Description) => named(copy, product(copy).properties['variants']!.items);
const drop = (schema: Schema, name: string) => {
  delete schema.properties[name];
  schema.required = schema.required.filter((entry) => entry !== name);
};

describe('the public contract', () => {
  test('contains every operation of the code in its release', () => {
    const missing = (described: object) =>
      operationsOf(described).filter((operation) => !operationsOf(released).includes(operation));

    expect(missing(openApiDocument('public', routes))).toEqual([]);
    expect(missing({ paths: { '/more': { get: {} } } })).toEqual(['get /more']);
  });

  describe('[HTTP-27] the codes of the public contract', () => {
    const current = openApiDocument('public', routes);
    const withCodes = (list: string, edit: (codes: string[]) => string[]): Description => {
      const copy = JSON.parse(JSON.stringify(current)) as Description;
      const schema = copy.components.schemas[list] as Schema & { [OPEN_ENUM]: string[] };
      schema[OPEN_ENUM] = edit(schema[OPEN_ENUM]);
      return copy;
    };

    test('include all released ones', () => {
      expect(removedCodes(released, current)).toEqual([]);
    });

    test('reject the removal of a code', () => {
      const found = removedCodes(
        current,
        withCodes('DiscountReason', (codes) => codes.filter((code) => code !== 'MIN_SUM')),
      );

      expect(found).toContain(
        'GET /cart.discounts[].reason: the code MIN_SUM was removed (response-code-removed)',
      );
    });

    test('reject a new name for a code', () => {
      const found = removedCodes(
        current,
        withCodes('OrderStatus', (codes) =>
          codes.map((code) => (code === 'READY' ? 'DONE' : code)),
        ),
      );

      expect(found.join('\n')).toContain('GET /orders.items[].status: the code READY was removed');
    });

    test('reject the removal of a blocker from the enumeration and from the union', () => {
      const copy = withCodes('BlockerCode', (codes) => codes.filter((code) => code !== 'NO_SLOT'));
      const union = copy.components.schemas['CheckoutBlocker']!;
      union.anyOf = union.anyOf.filter(({ $ref = '' }) => !$ref.endsWith('NoSlot'));

      expect(removedCodes(current, copy).join('\n')).toContain(
        'POST /checkout/preflight.blockers[].code: the code NO_SLOT was removed',
      );
    });

    test('reject the removal of a value from a closed enumeration', () => {
      const edit = (values: string[]) => {
        const copy = structuredClone(released);
        menu(copy).properties['kind'] = { type: 'string', enum: values } as unknown as Schema;
        return copy;
      };

      expect(removedCodes(edit(['A', 'B']), edit(['A'])).join()).toContain(
        'the code B was removed',
      );
      expect(removedCodes(edit(['A']), edit(['A', 'B']))).toEqual([]);
    });

    test('accept a new code', () => {
      expect(
        removedCodes(
          current,
          withCodes('DiscountReason', (codes) => [...codes, 'NEW']),
        ),
      ).toEqual([]);
    });
  });

  describeWith(oasdiff, 'according to oasdiff', () => {
    test('[HTTP-17] agrees with every release', async () => {
      expect(await breakingChanges(oasdiff!, released, openApiDocument('public', routes))).toEqual(
        [],
      );
    });

    test.each<[string, (copy: Description) => void, string]>([
      ['a path that goes', (copy) => delete copy.paths['/search'], 'GET /search'],
      [
        'a method that goes',
        (copy) => delete (copy.paths['/menu'] as { get?: Operation }).get,
        'GET /menu',
      ],
      ['a field that goes', (copy) => drop(menu(copy), 'revision'), 'revision'],
      ['a deep field that goes', (copy) => drop(product(copy), 'slug'), 'products/items/slug'],
      [
        'a deep field that is often absent and goes',
        (copy) => drop(product(copy), 'subtitle'),
        'subtitle',
      ],
      [
        'a field inside something that may be null and goes',
        (copy) => drop(named(copy, product(copy).properties['variantAxis']!.anyOf[0]!), 'code'),
        'variantAxis',
      ],
      [
        'a field that may be absent now',
        (copy) =>
          (menu(copy).required = menu(copy).required.filter((entry) => entry !== 'revision')),
        'revision',
      ],
      ['a field of another type', (copy) => (menu(copy).properties['revision'] = text), 'revision'],
      [
        'a field that may be null now',
        (copy) =>
          (product(copy).properties['slug'] = { anyOf: [text, { type: 'null' }] } as Schema),
        'slug',
      ],
      ['a parameter that goes', (copy) => get(copy, '/search').parameters.splice(0), '/search'],
      [
        'a new parameter that is demanded',
        (copy) =>
          get(copy, '/menu').parameters.push({
            name: 'x',
            in: 'query',
            required: true,
            schema: text,
          }),
        'x',
      ],
      [
        'a parameter that is demanded now',
        (copy) => (get(copy, '/menu').parameters[0]!.required = true),
        '/menu',
      ],
      [
        'a page that may be smaller only',
        (copy) =>
          (get(copy, '/products').parameters.find(({ name }) => name === 'size')!.schema[
            'maximum'
          ] = 10),
        'size',
      ],
      [
        'money that may have more decimals',
        (copy) =>
          delete (variant(copy).properties['price'] as { [DECIMAL_PLACES]?: number })[
            DECIMAL_PLACES
          ],
        'price',
      ],
      [
        'a field of every problem that goes',
        (copy) => drop(copy.components.schemas['Problem']!, 'type'),
        '/Problem',
      ],
      [
        'a field of one alternative of a union by code that goes',
        (copy) => drop(copy.components.schemas['CheckoutBlockerMinSumNotReached']!, 'minSum'),
        'code=MIN_SUM_NOT_REACHED/minSum',
      ],
      [
        'a field of one alternative that may be absent now',
        (copy) => {
          const finding = copy.components.schemas['CheckoutBlockerMinSumNotReached']!;
          finding.required = finding.required.filter((entry) => entry !== 'minSum');
        },
        'code=MIN_SUM_NOT_REACHED/minSum',
      ],
      ['a status that goes', (copy) => delete get(copy, '/menu').responses['304'], '304'],
    ])('rejects %s', async (_, edit, place) => {
      const found = await breaksOf(edit);

      expect(found.length).toBeGreaterThan(0);
      expect(found.join('\n')).toContain(place);
    });

    test('accepts names for an inlined schema', async () => {
      const unnamed = structuredClone(sample);
      product(unnamed).properties['variants']!.items = structuredClone(variant(unnamed));
      const lacking = structuredClone(sample);
      drop(variant(lacking), 'sku');

      expect(await breakingChanges(oasdiff!, unnamed, sample)).toEqual([]);
      expect((await breakingChanges(oasdiff!, unnamed, lacking)).join('\n')).toContain('sku');
    });

    test.each<[string, (copy: Description) => void]>([
      ['nothing', () => undefined],
      ['a new field', (copy) => (product(copy).properties['calories'] = text)],
      [
        'a new parameter',
        (copy) => get(copy, '/menu').parameters.push({ name: 'x', in: 'query', schema: text }),
      ],
      [
        'a new path',
        (copy) =>
          (copy.paths['/more'] = { get: { ...get(copy, '/menu'), operationId: 'getMore' } }),
      ],
      [
        'a field that is never null any more',
        (copy) =>
          (product(copy).properties['variantAxis'] =
            product(copy).properties['variantAxis']!.anyOf[0]!),
      ],
    ])('accepts %s', async (_, edit) => {
      expect(await breaksOf(edit)).toEqual([]);
    });
  });
});

describe('the admin contract', () => {
  let admin: Description;
  let current: Description;
  beforeAll(async () => {
    admin = await readReleased('admin');
    current = JSON.parse(JSON.stringify(openApiDocument('admin', routes))) as Description;
  });
  const ORDER = '/orders/{id}';

  test('[HTTP-112] contains each operation of the code in its release', () => {
    expect(
      operationsOf(current).filter((operation) => !operationsOf(admin).includes(operation)),
    ).toEqual([]);
  });

  test('[HTTP-112] keeps released codes, and rejects the removal of one', () => {
    const copy = structuredClone(current);
    const codes = copy.components.schemas['OrderStatus'] as Schema & { [OPEN_ENUM]: string[] };
    codes[OPEN_ENUM] = codes[OPEN_ENUM].filter((code) => code !== 'READY');

    expect(removedCodes(admin, current)).toEqual([]);
    expect(removedCodes(current, copy).join('\n')).toContain(
      'GET /orders.items[].status: the code READY was removed',
    );
  });

  describeWith(oasdiff, 'according to oasdiff', () => {
    test('[HTTP-112] agrees with every release', async () => {
      expect(await breakingChanges(oasdiff!, admin, current)).toEqual([]);
    }, 120_000);

    test.each<[string, (copy: Description) => void, string]>([
      ['an operation that goes', (copy) => delete copy.paths[ORDER], `GET ${ORDER}`],
      [
        'a field that goes',
        (copy) => drop(copy.components.schemas['StaffOrder']!, 'sentAgain'),
        'sentAgain',
      ],
      [
        'a new parameter that is demanded',
        (copy) =>
          get(copy, ORDER).parameters.push({
            name: 'x',
            in: 'query',
            required: true,
            schema: text,
          }),
        'x',
      ],
      [
        'a field that goes from an event that receivers get',
        (copy) => drop(copy.components.schemas['OrderAcceptedEvent']!, 'occurredAt'),
        'occurredAt',
      ],
    ])('[HTTP-112] rejects %s', async (_, edit, place) => {
      const { webhooks, ...others } = current as Description & {
        webhooks: Record<string, unknown>;
      };
      const part = {
        ...others,
        paths: { [ORDER]: current.paths[ORDER]!, '/badges': current.paths['/badges']! },
        webhooks: { 'order.accepted': webhooks['order.accepted'] },
      };
      const copy = structuredClone(part);
      edit(copy);

      expect((await breakingChanges(oasdiff!, part, copy)).join('\n')).toContain(place);
    });
  });
});
