/** Passed to the worker outside of the history. */
export type SignalSinks = {
  signals: {
    rejected(rejection: { signal: string }): void;
  };
};
