import { isErpFailure, type ErpFailure } from './failure.ts';

/** An organization that the ERP refuses when it is asked alone. */
export type RefusedOrganization = { organizationId: string; failure: ErpFailure };

/** The answers about the organizations that are not refused. */
export type Parts<T> = { answers: T[]; refused: RefusedOrganization[] };

/** Levels of halves without an answer after which 5xx means an outage, and not one organization. */
const OUTAGE_LEVELS = 2;

/**
 * Asks about organizations together. If the ERP refuses them (400 or 403; 5xx on the last try of
 * the caller), asks about halves until every refused organization has been asked alone (rule
 * MIR-67). One organization that is refused must not keep the others from being read.
 *
 * @throws the failure of the first request if no organization is answered, and any other failure.
 */
export async function askApart<T>(
  organizationIds: readonly string[],
  ask: (organizationIds: string[]) => Promise<T>,
  { isLastTry = false }: { isLastTry?: boolean } = {},
): Promise<Parts<T>> {
  const found: Parts<T> = { answers: [], refused: [] };
  let first: ErpFailure | null = null;
  let parts = [[...organizationIds]];
  for (let level = 0; parts.length > 0; level += 1) {
    const refused: string[][] = [];
    // The parts of a level are asked at once: levels are few, and each costs the time of one
    // answer.
    const results = await Promise.allSettled(parts.map(ask));
    for (const [at, result] of results.entries()) {
      if (result.status === 'fulfilled') {
        found.answers.push(result.value);
        continue;
      }
      const failure: unknown = result.reason;
      if (!isRefusal(failure, isLastTry)) throw failure;
      first ??= failure;
      const part = parts[at]!;
      if (part.length === 1) found.refused.push({ organizationId: part[0]!, failure });
      else refused.push(part);
    }
    const isOutage = first?.kind === 'SERVER' && level === OUTAGE_LEVELS && found.answers.length === 0;
    if (isOutage) throw first;
    parts = refused.flatMap(halves);
  }
  if (first !== null && found.answers.length === 0) throw first;
  return found;
}

/** True for a failure that may be about one organization of several. */
export function isRefusal(error: unknown, isLastTry: boolean): error is ErpFailure {
  if (!isErpFailure(error)) return false;
  return error.kind === 'FORBIDDEN' || error.kind === 'CLIENT' || (isLastTry && error.kind === 'SERVER');
}

function halves<T>(list: readonly T[]): T[][] {
  const middle = Math.ceil(list.length / 2);
  return [list.slice(0, middle), list.slice(middle)];
}
