import type { Provoked, RunbookProduct } from './fixture.ts';

export type Provocation = {
  provoke: (fixture: RunbookProduct) => Promise<Provoked>;
  /** The reason for inserting rows instead of causing the state. */
  made?: string;
  /** Linked procedures, whose statements are run as well. */
  procedures?: readonly string[];
  /** True if the alert measures an age that grows in Temporal alone. */
  ages?: true;
};
export type Provocations = Readonly<Record<string, Provocation>>;
