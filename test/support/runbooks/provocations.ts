import type { Provoked, RunbookProduct } from './world.ts';

/** A provocation of an alert. */
export type Provocation = {
  provoke: (world: RunbookProduct) => Promise<Provoked>;
  /** Why rows are made instead of what leads to them in life. */
  made?: string;
  /** Procedures that the section refers to: what they name is run as well. */
  procedures?: readonly string[];
  /** True if the alert is about an age that grows in Temporal alone. */
  ages?: true;
};
export type Provocations = Readonly<Record<string, Provocation>>;
