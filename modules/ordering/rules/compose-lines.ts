import { fieldError, type FieldError } from '../../../kernel/pure/field-errors.ts';
import type { CartLine, NamedChoice, OfferedVariant } from './cart-facts.ts';
import { erpText } from '../../../kernel/pure/erp-text.ts';
import { brokenLimits, withDefaults, type Chosen, type OfferedGroup } from './modifier-choice.ts';

export type WantedLine = {
  lineId?: string | undefined;
  variantId: number;
  quantity: number;
  modifiers: readonly { groupId: string; modifierId: string; quantity: number }[];
  comment?: string | null | undefined;
};

/**
 * Adds default modifiers and returns field errors (rules ORD-4, ORD-5). The evaluation removes
 * dishes that disappeared.
 */
export function composeLines(
  postedLines: readonly WantedLine[],
  cartLines: readonly CartLine[],
  variants: ReadonlyMap<number, OfferedVariant>,
  newId: () => string,
): { lines: CartLine[]; errors: FieldError[] } {
  const known = new Map(cartLines.map((line) => [line.lineId, line]));
  const seen = new Set<string>();
  const errors: FieldError[] = [];
  const lines = postedLines.flatMap((line, at): CartLine[] => {
    const field = `lines.${at}`;
    const lineId = line.lineId?.toLowerCase();
    if (lineId !== undefined && seen.has(lineId))
      errors.push(fieldError(`${field}.lineId`, 'duplicate', 'Another line has this id.'));
    if (lineId !== undefined) seen.add(lineId);
    const before = lineId === undefined ? undefined : known.get(lineId);
    const composed = composeLine(line, before, variants.get(line.variantId), field);
    errors.push(...composed.errors);
    if (composed.line === undefined) return [];

    return [{ ...composed.line, lineId: before?.lineId ?? newId() }];
  });

  return { lines, errors };
}

type Composed = { line?: Omit<CartLine, 'lineId'>; errors: FieldError[] };

function composeLine(
  line: WantedLine,
  before: CartLine | undefined,
  offered: OfferedVariant | undefined,
  field: string,
): Composed {
  const own = before?.variantId === line.variantId ? before : undefined;
  if (offered === undefined && own === undefined)
    return { errors: [fieldError(`${field}.variantId`, 'not_found', 'No such variant.')] };
  const base = {
    variantId: line.variantId,
    quantity: line.quantity,
    comment: erpText(line.comment ?? '', LONGEST_COMMENT) || null,
    unitPriceKopecks: own?.unitPriceKopecks ?? 0,
    seenPriceKopecks: null,
  };

  // The evaluation removes this line.
  if (offered === undefined || offered.unavailable !== null) {
    const { productId, itemId, name, variantName } = offered ?? own!;
    return {
      line: { ...base, productId, itemId, name, variantName, modifiers: own?.modifiers ?? [] },
      errors: [],
    };
  }

  const { chosen, errors } = readChoice(
    line.modifiers,
    own?.modifiers ?? [],
    offered.groups,
    field,
  );

  const modifiers = named(
    withDefaults(offered.groups, chosen),
    offered.groups,
    own?.modifiers ?? [],
  );

  const isAsBefore = own !== undefined && sameChoice(modifiers, own.modifiers);
  const { productId, itemId, name, variantName } = offered;

  return {
    line: {
      ...base,
      productId,
      itemId,
      name,
      variantName,
      modifiers,
      seenPriceKopecks: isAsBefore ? own.unitPriceKopecks : null,
    },
    errors:
      errors.length > 0 || isAsBefore ? errors : limitErrors(offered.groups, modifiers, field),
  };
}

/** A modifier that disappeared keeps its group key. */
function readChoice(
  choices: WantedLine['modifiers'],
  before: readonly NamedChoice[],
  groups: readonly OfferedGroup[],
  field: string,
): { chosen: Chosen[]; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const chosen = choices.flatMap(({ groupId, modifierId, quantity }, at): Chosen[] => {
    const id = modifierId.toLowerCase();
    const group = findGroup(groupId, choices, groups);
    if (group?.modifiers.some((modifier) => modifier.modifierId === id) === true)
      return [{ groupKey: group.groupKey, modifierId: id, quantity }];
    const formerChoice = before.find((choice) => choice.modifierId === id);
    if (formerChoice !== undefined)
      return [{ groupKey: formerChoice.groupKey, modifierId: id, quantity }];
    errors.push(
      group === undefined
        ? fieldError(
            `${field}.modifiers.${at}.groupId`,
            'not_found',
            'The variant has no such modifier group.',
          )
        : fieldError(
            `${field}.modifiers.${at}.modifierId`,
            'not_found',
            'The group has no such modifier.',
          ),
    );

    return [];
  });

  return { chosen, errors };
}

/**
 * Group ids change with names and prices. An old id matches the only group that contains all its
 * modifiers.
 */
function findGroup(
  groupId: string,
  choices: WantedLine['modifiers'],
  groups: readonly OfferedGroup[],
): OfferedGroup | undefined {
  const exact = groups.find((group) => group.groupId === groupId);
  if (exact !== undefined) return exact;
  const ids = choices
    .filter((entry) => entry.groupId === groupId)
    .map((entry) => entry.modifierId.toLowerCase());
  const possible = groups.filter((group) =>
    ids.every((id) => group.modifiers.some((modifier) => modifier.modifierId === id)),
  );

  return possible.length === 1 ? possible[0] : undefined;
}

function named(
  chosen: readonly Chosen[],
  groups: readonly OfferedGroup[],
  before: readonly NamedChoice[],
): NamedChoice[] {
  return chosen.map((entry) => {
    const offered = groups
      .find((group) => group.groupKey === entry.groupKey)
      ?.modifiers.find((modifier) => modifier.modifierId === entry.modifierId);
    const old = before.find((one) => one.modifierId === entry.modifierId);
    return { ...entry, name: offered?.name ?? old?.name ?? '' };
  });
}

function limitErrors(
  groups: readonly OfferedGroup[],
  chosen: readonly Chosen[],
  field: string,
): FieldError[] {
  return brokenLimits(groups, chosen).map(({ code, groupId, modifierId, min, max }) => {
    const what = modifierId === null ? `The group ${groupId}` : `The modifier ${modifierId}`;
    const limit = code === 'min' ? `needs at least ${min}` : `takes at most ${max ?? 0}`;
    return fieldError(`${field}.modifiers`, code, `${what} ${limit}.`);
  });
}

const buildKey = (chosen: readonly Chosen[]): string =>
  chosen
    .filter((entry) => entry.quantity > 0)
    .map((entry) => JSON.stringify([entry.groupKey, entry.modifierId, entry.quantity]))
    .toSorted()
    .join();

const sameChoice = (left: readonly Chosen[], right: readonly Chosen[]): boolean =>
  buildKey(left) === buildKey(right);

/** Characters. */
const LONGEST_COMMENT = 200;

const MOST_UNITS = 99;

/**
 * Merges two carts (rule ORD-15). Adds up equal lines, up to 99 units. Lines of `into` keep their
 * ids.
 */
export function mergeLines(into: readonly CartLine[], added: readonly CartLine[]): CartLine[] {
  const merged = [...into];

  for (const line of added) {
    const at = merged.findIndex(
      (entry) =>
        entry.variantId === line.variantId &&
        entry.comment === line.comment &&
        sameChoice(entry.modifiers, line.modifiers),
    );

    const equal = merged[at];
    if (equal === undefined) merged.push(line);
    else merged[at] = { ...equal, quantity: Math.min(MOST_UNITS, equal.quantity + line.quantity) };
  }

  return merged;
}
