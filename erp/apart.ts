import { isErpFailure, type ErpFailure } from './failure.ts';

/** Rejected even when requested alone. */
export type RefusedOrganization = { organizationId: string; failure: ErpFailure };

export type Parts<T> = { answers: T[]; refused: RefusedOrganization[] };

/** Number of levels without an answer after which 5xx may mean an outage. */
const OUTAGE_LEVELS = 2;
/** Number of single organizations to request then. If all fail, it is an outage. */
const SAMPLES = 6;

/** `isSplit`: part of a rejected request. */
type AskPart<T> = (organizationIds: string[], options: { isSplit: boolean }) => Promise<T>;

/**
 * Requests halves of a rejected request (400, 403; 5xx on the last try) until each rejected
 * organization was requested alone (MIR-67). After two levels of 5xx, single organizations decide
 * if it is an outage (MIR-74). `rejection`: the failure of a request for all, which is then not
 * repeated.
 *
 * @throws the failure of the first request if no organization is answered, and any other failure
 */
export async function askApart<T>(
  organizationIds: readonly string[],
  ask: AskPart<T>,
  { isLastTry = false, rejection }: { isLastTry?: boolean; rejection?: ErpFailure } = {},
): Promise<Parts<T>> {
  const outcome: Parts<T> = { answers: [], refused: [] };
  let first = rejection ?? null;
  /**
   * Requests the parts concurrently, so that each level takes the time of one answer. Returns the
   * rejected parts that can be split.
   */
  const askParts = async (groups: readonly string[][], isSplit: boolean): Promise<string[][]> => {
    const results = await Promise.allSettled(groups.map((part) => ask(part, { isSplit })));
    return results.flatMap((result, at) => {
      if (result.status === 'fulfilled') {
        outcome.answers.push(result.value);
        return [];
      }

      const failure: unknown = result.reason;
      if (!isRefusal(failure, isLastTry)) throw failure;
      first ??= failure;
      const part = groups[at]!;
      if (part.length > 1) return [part];
      outcome.refused.push({ organizationId: part[0]!, failure });

      return [];
    });
  };

  if (rejection !== undefined && organizationIds.length === 1) throw rejection;
  let parts = rejection === undefined ? [[...organizationIds]] : halves(organizationIds);

  for (let level = rejection === undefined ? 0 : 1; parts.length > 0; level += 1) {
    const isSplit = level > 0;
    let refused = await askParts(parts, isSplit);
    const isMaybeOutage =
      first?.kind === 'SERVER' && level === OUTAGE_LEVELS && outcome.answers.length === 0;
    if (isMaybeOutage && refused.length > 0) {
      const samples = spread(refused.flat(), SAMPLES);
      await askParts(
        samples.map((id) => [id]),
        isSplit,
      );
      if (outcome.answers.length === 0) throw first;
      refused = refused.map((part) => part.filter((id) => !samples.includes(id)));
    }

    parts = refused.flatMap(halves).filter((part) => part.length > 0);
  }

  if (first !== null && outcome.answers.length === 0) throw first;

  return outcome;
}

/** Returns true if the failure may concern only one of several organizations. */
export function isRefusal(error: unknown, isLastTry: boolean): error is ErpFailure {
  if (!isErpFailure(error)) return false;
  return (
    error.kind === 'FORBIDDEN' || error.kind === 'CLIENT' || (isLastTry && error.kind === 'SERVER')
  );
}

/** Returns up to `count` elements, evenly spread over the list. */
function spread<T>(list: readonly T[], count: number): T[] {
  const length = Math.min(count, list.length);
  return Array.from({ length }, (_, at) => list[Math.floor(((at + 0.5) * list.length) / length)]!);
}

function halves<T>(list: readonly T[]): T[][] {
  const middle = Math.ceil(list.length / 2);
  return [list.slice(0, middle), list.slice(middle)];
}
