import type { ProblemKind } from './problems.ts';

/** A request that was rejected: the `detail` of the API's problem, and its kind. */
export type Rejection = { refusal: string; kind: ProblemKind };

/** The answer of an activity that runs a command for an operator: its result, or the rejection. */
export type Answer<Result extends object> = (Result & { refusal: null }) | Rejection;
