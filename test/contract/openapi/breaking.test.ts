import { beforeAll, describe, expect, test } from '@jest/globals';
import { OPEN_ENUM } from '../../../api/http/documents/document-schemas.ts';
import { openApiDocument } from '../../../api/http/documents/openapi.ts';
import { routes } from '../../../api/routes.ts';
import { breakingChanges, removedCodes } from '../../../packages/dev/openapi/breaking.ts';
import {
  menu,
  operationsOf,
  readReleased,
  type Description,
  type Schema,
} from '../../support/released-description.ts';
import { describeWith, programForTests } from '../../support/unless-mandatory.ts';

const released = await readReleased('public');
const oasdiff = await programForTests('oasdiff');

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
  });
});

describe('the admin contract', () => {
  let admin: Description;
  let current: Description;
  beforeAll(async () => {
    admin = await readReleased('admin');
    current = JSON.parse(JSON.stringify(openApiDocument('admin', routes))) as Description;
  });

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
  });
});
