import { commonSpans, type Span } from '../../../kernel/pure/spans.ts';
import { listOpenings, openFrom, type WeeklyHours } from '../../mirror/rules/weekly-hours.ts';
import type { CartFacts, EvaluatedLine } from './cart-facts.ts';

/** `availableFrom` is the next time of sale in ms, or null if not within a week. */
export type LineOutsideHours = { lineId: string; name: string; availableFrom: number | null };

type Facts = Pick<CartFacts, 'variants' | 'timeZone' | 'isServed'>;
type Line = Pick<EvaluatedLine, 'lineId' | 'variantId' | 'name'>;

const findHours = ({ variantId }: Line, { variants, isServed }: Facts): WeeklyHours | null =>
  isServed ? (variants.get(variantId)?.hours ?? null) : null;

/** Returns the lines not sold at a time (rule ORD-157). */
export function linesOutsideHours(
  lines: readonly Line[],
  facts: Facts,
  at: number,
): LineOutsideHours[] {
  return lines.flatMap((line) => {
    const hours = findHours(line, facts);
    const availableFrom =
      hours === null ? at : openFrom(listOpenings(hours, at, facts.timeZone), at);
    return availableFrom === at ? [] : [{ lineId: line.lineId, name: line.name, availableFrom }];
  });
}

/** Returns the first time from `at` on when all lines are sold, or null if not within a week. */
export function allAvailableFrom(lines: readonly Line[], facts: Facts, at: number): number | null {
  const openings = lines.flatMap((line): Span[][] => {
    const hours = findHours(line, facts);
    return hours === null ? [] : [listOpenings(hours, at, facts.timeZone)];
  });
  const [first, ...others] = openings;

  return first === undefined ? at : openFrom(others.reduce(commonSpans, first), at);
}
