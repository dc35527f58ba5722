import type { Anomalies } from './anomalies.ts';
import type { GroupRow, LinkRow } from './menu-rows.ts';
import type { GroupSource, LinkSource, ModifierSource } from './menu-source.ts';
import { cleanText, quantities, weightGrams } from './values.ts';

type Context = {
  /** Keys are lower-case ids. */
  modifiers: ReadonlyMap<string, ModifierSource>;
  digest: (text: string) => string;
  anomalies: Anomalies;
};

/**
 * The key of a group is its ERP id, otherwise a digest of name and SKU (most groups have no id),
 * plus an ordinal for duplicates. It excludes the composition, so that changes keep the storefront
 * profile.
 */
export function groupRows(
  itemErpId: string,
  groups: readonly GroupSource[],
  context: Context,
): { groups: GroupRow[]; links: LinkRow[] } {
  const uses = new Map<string, number>();
  const rows: { groups: GroupRow[]; links: LinkRow[] } = { groups: [], links: [] };

  for (const [position, group] of groups.entries()) {
    const erpId = cleanText(group.id);
    const sku = cleanText(group.sku);
    const name = cleanText(group.name) ?? sku;
    const base = erpId ?? `~${context.digest(`${name ?? ''}\n${sku ?? ''}`)}`;
    const ordinal = (uses.get(base) ?? 0) + 1;
    uses.set(base, ordinal);
    const groupKey = ordinal === 1 ? base : `${base}#${ordinal}`;
    const links = linkRows(itemErpId, groupKey, group.items ?? [], context);
    if (cleanText(group.name) === null) context.anomalies.add('BLANK_NAME', groupKey);
    rows.groups.push({
      itemErpId,
      groupKey,
      erpId,
      name: name ?? nameOfChoices(links) ?? groupKey,
      sku,
      position,
      isHidden: group.isHidden === true,
      hasChildRestrictions: group.childModifiersHaveMinMaxRestrictions === true,
      ...quantities(group.restrictions),
    });

    rows.links.push(...links);
  }

  return rows;
}

/** A menu with a nameless group is not published. */
function nameOfChoices(links: readonly LinkRow[]): string | null {
  return cleanText(
    links
      .slice(0, 3)
      .map((link) => link.name)
      .join(', '),
  );
}

function linkRows(
  itemErpId: string,
  groupKey: string,
  links: readonly LinkSource[],
  context: Context,
): LinkRow[] {
  const rows = new Map<string, LinkRow>();

  for (const [position, link] of links.entries()) {
    const modifierErpId = link.id.toLowerCase();
    const modifier = context.modifiers.get(modifierErpId);
    if (modifier === undefined) {
      context.anomalies.add('UNKNOWN_MODIFIER', modifierErpId);
      continue;
    }

    if (rows.has(modifierErpId)) continue;
    rows.set(modifierErpId, {
      itemErpId,
      groupKey,
      modifierErpId,
      position,
      name:
        cleanText(link.name) ??
        cleanText(modifier.name) ??
        cleanText(modifier.sku) ??
        modifierErpId,
      isHidden: link.isHidden ?? modifier.isHidden ?? false,
      weightGrams: weightGrams({
        weight: link.weight ?? modifier.weight,
        measureUnitType: link.measureUnitType ?? modifier.measureUnitType,
      }),
      ...quantities(link.restrictions ?? modifier.restrictions),
    });
  }

  return [...rows.values()];
}
