import { describe, expect, test } from '@jest/globals';
import { DECIMAL_PLACES } from '../../../api/http/documents/document-schemas.ts';
import { openApiDocument } from '../../../api/http/documents/openapi.ts';
import { routes } from '../../../api/routes.ts';
import { breakingChanges } from '../../../packages/dev/openapi/breaking.ts';
import {
  drop,
  get,
  menu,
  named,
  product,
  readReleased,
  variant,
  type Description,
  type Operation,
  type Schema,
} from '../../support/released-description.ts';
import { describeWith, programForTests } from '../../support/unless-mandatory.ts';

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
describeWith(oasdiff, 'the comparison of descriptions by oasdiff', () => {
  describe('of the public API', () => {
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

  describe('of the admin API', () => {
    const current = JSON.parse(JSON.stringify(openApiDocument('admin', routes))) as Description;
    const ORDER = '/orders/{id}';

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
