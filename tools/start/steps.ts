/** Prints the progress of a start: one line when a step begins to take long, one with its time when it ends. */
export type Steps = {
  run<T>(title: string, work: (note: (line: string) => void) => Promise<T>): Promise<T>;
  say(line: string): void;
};

/** Steps on a terminal or in a log; times are in seconds. */
export function createSteps(write: (line: string) => void): Steps {
  return {
    say: write,
    async run(title, work) {
      const begun = performance.now();
      write(`  ${title} …`);
      const result = await work((line) => write(`      ${line}`));
      write(`  ${title}: done in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
      return result;
    },
  };
}
