/** Passed to the worker outside of the history. */
export type SignalSinks = {
  signals: {
    /** `signal` is the name of the signal, or `unknown`. */
    rejected(rejection: { signal: string }): void;
  };
};
