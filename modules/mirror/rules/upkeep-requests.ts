/**
 * The sentence of a refusal of a request for steps of upkeep, which is an unvalidated payload; null
 * when it names only known steps, or none.
 */
export function refusedSteps(request: unknown, known: readonly { name: string }[]): string | null {
  const { steps = [] } = Object(request) as { steps?: unknown };
  const names = known.map(({ name }) => name);
  if (typeof request !== 'object' || request === null || Array.isArray(request))
    return 'The request must be an object, as {"steps": ["seal-audit"]}.';
  if (!Array.isArray(steps)) return 'steps: Must be a list of names.';
  const unknown = steps.filter((name) => !names.includes(name as string));
  return unknown.length === 0 ? null : `steps: Must be among ${names.join(', ')}.`;
}
