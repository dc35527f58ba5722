/** One lock, unique rule, fence or retry, taken away in one line, and the test that must notice. */
export type Mutation = {
  /** `capability/what`, unique. */
  id: string;
  /** What goes wrong without it. */
  protects: string;
  file: string;
  /** Text inside one line; occurs once in the file. */
  from: string;
  to: string;
  test: {
    file: string;
    /** A part of the full name of one or more tests: of a table of tests, the part before the placeholder. */
    title: string;
  };
};

/** The text of a file after the mutation; throws when `from` is not there exactly once. */
export function mutated(mutation: Pick<Mutation, 'id' | 'file' | 'from' | 'to'>, text: string): string {
  const found = text.split(mutation.from).length - 1;
  if (found !== 1) throw new Error(`${mutation.id}: ${mutation.file} has ${found} times "${mutation.from}"`);
  return text.replace(mutation.from, () => mutation.to);
}
