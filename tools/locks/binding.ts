import type { Mutation } from './mutation.ts';

const AT_ONCE = 'test/integration/binding/at-once.test.ts';

/** Evaluations of bindings, incidents and rebinding. */
export const BINDING: readonly Mutation[] = [
  {
    id: 'binding/turn-of-transaction',
    protects: 'a turn lasts as long as its evaluation',
    file: 'app/binding/evaluate-bindings.ts',
    from: 'await takeTurn(tx)',
    to: 'await takeTurn({ ...tx, query: deps.db.query })',
    test: { file: AT_ONCE, title: 'evaluations at once take turns' },
  },
  {
    id: 'binding/rebind-turn',
    protects: 'a rebind is not undone by an evaluation that has read the item of before',
    file: 'app/binding/rebind-variant.ts',
    from: 'await holdEvaluations(tx);',
    to: '',
    test: { file: AT_ONCE, title: 'a rebind during an evaluation is not undone' },
  },
  {
    id: 'binding/held-turn',
    protects: 'a rebind takes the turn that is there',
    file: 'app/binding/evaluation-facts.ts',
    from: 'on conflict (only_row) do update set evaluations = last.evaluations`',
    to: '`',
    test: { file: AT_ONCE, title: 'a rebind during an evaluation is not undone' },
  },
  {
    id: 'binding/returned-item',
    protects: 'an item whose return has committed meanwhile is not missed',
    file: 'app/binding/judge-bindings.ts',
    from: 'const missing = lost.filter(({ variant }) => held.has(variant.itemId));',
    to: 'const missing = lost;',
    test: { file: AT_ONCE, title: 'is not missed when its import has committed' },
  },
  {
    id: 'binding/returning-item',
    protects: 'an item whose return has not committed yet is not missed, and nobody waits',
    file: 'app/binding/evaluation-facts.ts',
    from: 'order by id for share skip locked',
    to: 'order by id',
    test: { file: AT_ONCE, title: 'is not missed while its import has not committed' },
  },
  {
    id: 'binding/products-in-order',
    protects: 'an evaluation and moves of products do not deadlock',
    file: 'app/binding/evaluate-bindings.ts',
    from: 'select id from catalog_product where id = any ($1::bigint[]) order by id for update',
    to: 'select $1::bigint[]',
    test: { file: AT_ONCE, title: 'an evaluation and staff who move its products do not deadlock' },
  },
  {
    id: 'binding/settled-incident',
    protects: 'an incident ends once',
    file: 'app/binding/settle-incident.ts',
    from: 'from binding_incident where id = $1 for update',
    to: 'from binding_incident where id = $1',
    test: { file: AT_ONCE, title: 'a dismissal that loses against the return of the item is refused' },
  },
  {
    id: 'binding/rebound-product',
    protects: 'the menus of a product that is published at that moment learn of its new item',
    file: 'app/binding/rebind-variant.ts',
    from: 'where variant.id = $1 for update of product, variant',
    to: 'where variant.id = $1',
    test: { file: AT_ONCE, title: 'a rebind learns of a publication that commits just before it' },
  },
  {
    id: `binding/turn`,
    protects: `evaluations take turns and get a number each`,
    file: `app/binding/evaluation-facts.ts`,
    from: `do update set evaluations = last.evaluations + 1, evaluated_at = clock_timestamp()`,
    to: `do nothing`,
    test: { file: `test/integration/binding/state-table.test.ts`, title: `beyond two further imports becomes MISSING` },
  },
  {
    id: 'binding/incident-told-once',
    protects: 'an incident that is brought up to date is not told as a new one',
    file: 'app/binding/incident-rows.ts',
    from: 'xmax = 0 as "isNew"',
    to: 'true as "isNew"',
    test: { file: 'test/integration/binding/state-table.test.ts', title: 'under another name opens NAME_CHANGED once' },
  },
];
