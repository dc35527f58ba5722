import type { ProblemKind } from './problems.ts';

/** `refusal`: the `detail` of the API's problem. */
export type Rejection = { refusal: string; kind: ProblemKind };

export type Answer<Result extends object> = (Result & { refusal: null }) | Rejection;
