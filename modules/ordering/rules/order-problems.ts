import type { CodeOf } from '../../../kernel/pure/codes.ts';

/** What holds an order up, or why it ended: a code of the row, for the guest and for operators. */
export type OrderProblem = CodeOf<'OrderProblem'>;
