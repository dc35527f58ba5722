import type { Demand, Source, ValuesOf, Variable } from './variables.ts';

/** One problem per line. */
export class EnvironmentError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(
      `The environment is not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
    this.name = 'EnvironmentError';
    this.problems = problems;
  }
}

/**
 * Parses the environment. Requires only `needed` variables without a default. Throws
 * EnvironmentError, which contains no values of secrets.
 */
export function readVariables<
  V extends Record<string, Variable<unknown>>,
  Needed extends keyof V & string,
>(
  variables: V,
  demands: readonly Demand[],
  source: Source,
  needed: readonly Needed[],
): Pick<ValuesOf<V>, Needed> {
  const problems: string[] = [];
  const result: Record<string, unknown> = {};

  for (const name of needed) {
    const { fallback, describe, parse, secret, isConstant }: Variable<unknown> = variables[name]!;
    const sourceText = isConstant === true && source[name] === '' ? undefined : source[name];
    const raw = sourceText ?? fallback;
    if (raw === null) {
      problems.push(`${name} is missing: ${describe}`);
      continue;
    }

    try {
      result[name] = parse(raw);
    } catch (error) {
      problems.push(
        `${name}${secret === true ? '' : ` is "${raw}" but`} ${(error as Error).message}`,
      );
    }
  }

  const isProduction = (source['NODE_ENV'] || 'production') === 'production';
  if (isProduction) problems.push(...productionProblems(variables, source));

  for (const demand of demands.filter(({ when }) => when(source, isProduction))) {
    if ('problem' in demand) problems.push(demand.problem);
    else
      for (const name of demand.needs)
        if ((needed as readonly string[]).includes(name) && !source[name])
          problems.push(`${name} is missing: ${demand.because}`);
  }

  if (problems.length > 0) throw new EnvironmentError(problems);

  return result as Pick<ValuesOf<V>, Needed>;
}

/** Never contains values (OPS-24). Empty means absent. */
function productionProblems(
  variables: Record<string, Variable<unknown>>,
  source: Source,
): string[] {
  return Object.entries(variables).flatMap(([name, { production }]) => {
    const value = source[name];
    const isBroken = value !== undefined && value !== '' && production?.isBroken(value) === true;
    return isBroken ? [`${name} ${production.must} in production`] : [];
  });
}
