import { isProblem, type Problem, type ProblemDetails } from '../../kernel/problem.ts';

export function awaitRefusal(
  work: Promise<Response>,
): Promise<{ status: number } & Record<string, unknown>>;
export function awaitRefusal(
  work: Promise<unknown>,
): Promise<{ kind: Problem['kind'] } & ProblemDetails>;
export async function awaitRefusal(work: Promise<unknown>): Promise<object> {
  const outcome = await work.catch((error: unknown) => error);
  if (outcome instanceof Response && !outcome.ok)
    return { status: outcome.status, ...((await outcome.json()) as object) };
  if (isProblem(outcome)) return { kind: outcome.kind, ...outcome.details };
  throw new Error('Expected a refusal', { cause: outcome });
}
