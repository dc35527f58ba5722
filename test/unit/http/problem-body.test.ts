import { expect, test } from '@jest/globals';
import { problemText } from '../../../api/http/problems/problem-body.ts';
import { moneyJson } from '../../../api/http/serializer.ts';
import { Problem } from '../../../kernel/problem.ts';

const context = { instance: '/api/v1/orders', requestId: 'request' };
const writeProblem = (extra: Record<string, unknown>) =>
  problemText(new Problem('checkout-blocked', { extra }), context);

test('[HTTP-7] a problem has money with two decimals at every depth', () => {
  const total = { items: 32_890, discount: 0, delivery: 9_900, toPay: 42_790 };
  const text = writeProblem({
    preflight: { canSubmit: false, total, lines: [{ unitPrice: { before: 29_900, after: 5 } }] },
  });

  expect(text).toContain('"items":328.90,"discount":0.00,"delivery":99.00');
  expect(text).toContain('"toPay":427.90');
});

test('[HTTP-7] a problem has amounts of differences with two decimals, and other numbers unchanged', () => {
  const differences = [
    { field: 'total.toPay', quoted: moneyJson(29_900), now: moneyJson(32_890) },
    { field: 'lines.one.quantity', quoted: 1, now: null },
  ];

  expect(writeProblem({ differences })).toContain(
    '"differences":[{"field":"total.toPay","quoted":299.00,"now":328.90},{"field":"lines.one.quantity","quoted":1,"now":null}]',
  );
});

test('[HTTP-10] a problem keeps members that its schema does not name', () => {
  expect(
    JSON.parse(writeProblem({ usageCount: 2, usages: [{ kind: 'product', id: 7 }] })),
  ).toMatchObject({
    usageCount: 2,
    usages: [{ kind: 'product', id: 7 }],
    status: 409,
    instance: '/api/v1/orders',
    requestId: 'request',
  });
});
