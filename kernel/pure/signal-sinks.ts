/** Signal events that a workflow passes to its worker, outside of its history. */
export type SignalSinks = {
  signals: {
    /** `signal`: its name, or `unknown`. */
    rejected(rejection: { signal: string }): void;
  };
};
