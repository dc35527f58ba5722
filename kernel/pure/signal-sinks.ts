/** Passed to the worker outside of the history. */
export type SignalSinks = {
  signals: {
    /** `signal`: its name, or `unknown`. */
    rejected(rejection: { signal: string }): void;
  };
};
