/** The events about signals that a workflow passes to its worker, outside of its history. */
export type SignalSinks = {
  signals: {
    /** A signal was rejected: its name, or `unknown` for one that the workflow does not have. */
    rejected(rejection: { signal: string }): void;
  };
};
