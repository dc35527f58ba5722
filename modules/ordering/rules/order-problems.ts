import type { CodeOf } from '../../../kernel/pure/codes.ts';

/** The problem of an order, or the reason why it ended: a code for the guest and operators. */
export type OrderProblem = CodeOf<'OrderProblem'>;
