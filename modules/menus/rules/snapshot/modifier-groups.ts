import type { ImageReference } from '../../../media/rules/image-reference.ts';
import type { Slot } from './availability.ts';
import type { ModifierGroupUiType } from '../../../catalog/rules/states.ts';
import type { GroupFact, LinkFact, ModifierFact } from '../offers/facts.ts';
import type { GroupProfileFact, ModifierProfileFact } from './facts.ts';
import type { MenuModifier, MenuModifierGroup } from './menu-parts.ts';
import { requiredGroups, type RequiredGroup } from '../offers/required-groups.ts';
import { by } from '../../../../kernel/pure/lists.ts';

export type Digest = (text: string) => string;

export type Choice = {
  link: LinkFact;
  modifier: ModifierFact;
  profile?: ModifierProfileFact | undefined;
};

export type GroupView = {
  profile?: GroupProfileFact | undefined;
  imageOf: (mediaId: number | null) => ImageReference | null;
};

/** 96 bits, part of the contract (decision 38). */
const ID_CHARACTERS = 24;

export type BuiltGroup = {
  position: number;
  /** Unlike the id, not affected by visible changes. */
  groupKey: string;
  group: MenuModifierGroup;
  /** The id is its prefix. */
  digest: string;
  /** Parallel to `group.modifiers`. */
  slots: Slot[];
  defaults: number[];
};

/**
 * Builds a group; undefined if it is hidden or never had prices. `leaveOut` removes and collects
 * modifiers for HIDE.
 */
function buildGroup(
  fact: GroupFact,
  choices: readonly Choice[],
  { profile, imageOf }: GroupView,
  digest: Digest,
  leaveOut: (slot: Slot) => boolean,
): { required: RequiredGroup[]; built?: BuiltGroup } {
  if (fact.isHidden) return { required: [] };
  const isOffered = (choice: Choice) =>
    profile?.isHidden !== true && !choice.link.isHidden && choice.profile?.isHidden !== true;
  const group = { ...fact, name: profile?.displayName ?? fact.name };
  // The ERP adds units of modifiers that it hides. Units that staff hide stay required, but guests
  // cannot choose them.
  const required = requiredGroups(
    group.min,
    choices.map((choice) => {
      const { min, max } =
        group.hasChildRestrictions && !choice.link.isHidden
          ? choice.link
          : { min: null, max: null };
      const { erpId, sizeErpId, isLive } = choice.modifier;

      return { itemErpId: erpId, sizeErpId, isSellable: isLive && isOffered(choice), min, max };
    }),
  );

  const visible = inOrder(choices, profile?.itemOrder ?? [])
    .filter(isOffered)
    .map((choice) => ({
      ...choice,
      link: { ...choice.link, name: choice.profile?.displayName ?? choice.link.name },
    }))
    .map((choice) => ({ ...choice, slot: toSlot(choice.modifier) }))
    .filter(({ slot }) => !leaveOut(slot));
  if (visible.length === 0) return { required };

  const shown = { ...group, uiType: profile?.uiType ?? chooseUiType(group, visible) };
  const identity = digest(identityText(shown, visible));
  const built = {
    position: group.position,
    groupKey: group.groupKey,
    digest: identity,
    group: {
      id: `mg_${identity.slice(0, ID_CHARACTERS)}`,
      name: group.name,
      uiType: shown.uiType,
      min: group.min,
      max: group.max,
      free: group.free,
      collapsed: profile?.isCollapsed ?? false,
      modifiers: visible.map((entry) => toModifier(entry, group.hasChildRestrictions, imageOf)),
    },
    slots: visible.map(({ slot }) => slot),
    defaults: visible.map(({ link }) => link.default),
  };

  return { required, built };
}

export type OfferGroups = { groups: BuiltGroup[]; required: RequiredGroup[] };

export type GroupFacts = {
  groups: readonly GroupFact[];
  links: readonly LinkFact[];
  modifiers: readonly ModifierFact[];
  groupProfiles: readonly GroupProfileFact[];
  modifierProfiles: readonly ModifierProfileFact[];
};

export function groupReader(
  facts: GroupFacts,
  digest: Digest,
  leaveOut: (slot: Slot) => boolean,
  imageOf: GroupView['imageOf'],
): (offer: { externalMenuId: number; itemSizeId: number }) => OfferGroups {
  const pair = (entry: { externalMenuId: number; itemSizeId: number }) =>
    `${entry.externalMenuId}/${entry.itemSizeId}`;
  const groups = Map.groupBy(facts.groups, pair);
  const links = Map.groupBy(facts.links, (fact) => fact.groupId);
  const modifiers = new Map(
    facts.modifiers.map((modifier) => [`${modifier.externalMenuId}/${modifier.itemId}`, modifier]),
  );
  const groupProfiles = new Map(facts.groupProfiles.map((profile) => [profile.groupKey, profile]));
  const profiles = new Map(facts.modifierProfiles.map((profile) => [profile.itemId, profile]));
  const listChoices = (group: GroupFact) =>
    (links.get(group.id) ?? []).flatMap((link) => {
      const modifier = modifiers.get(`${group.externalMenuId}/${link.itemId}`);
      return modifier === undefined ? [] : [{ link, modifier, profile: profiles.get(link.itemId) }];
    });

  return (offer) => {
    const entries = (groups.get(pair(offer)) ?? [])
      .toSorted(
        by(
          (fact) => fact.position,
          (fact) => fact.groupKey,
        ),
      )
      .map((group) => {
        const view = { profile: groupProfiles.get(group.groupKey), imageOf };
        return buildGroup(group, listChoices(group), view, digest, leaveOut);
      });

    return {
      groups: entries.flatMap((entry) => entry.built ?? []),
      required: entries.flatMap((entry) => entry.required),
    };
  };
}

/** Sorts items as staff ordered them, then by position. */
function inOrder(choices: readonly Choice[], itemOrder: readonly number[]): Choice[] {
  const place = new Map(itemOrder.map((itemId, at) => [itemId, at]));
  return choices.toSorted(
    by(
      ({ modifier }) => place.get(modifier.itemId) ?? itemOrder.length,
      ({ link, profile }) => profile?.position ?? link.position,
      ({ modifier }) => modifier.erpId,
    ),
  );
}

/**
 * Merges groups with the same id (SNP-8). A modifier whose price is not current in every menu is
 * unavailable, because a missing extra is better than a rejected cart. Throws if different groups
 * share an id, because a guest could get the prices of another dish.
 */
export function collapseGroups(
  built: readonly BuiltGroup[],
): { group: MenuModifierGroup; digest: string; slots: Slot[] }[] {
  const entries = new Map<string, { group: MenuModifierGroup; digest: string; slots: Slot[] }>();

  for (const { group, digest, slots } of built) {
    const existing = entries.get(group.id);
    if (existing === undefined) {
      entries.set(group.id, { group, digest, slots });
      continue;
    }

    if (existing.digest !== digest) throw new Error(`Two modifier groups have the id ${group.id}`);
    const sellable = new Map(slots.map(([item, , isSellable]) => [item, isSellable]));
    existing.slots = existing.slots.map(([item, size, isSellable, variantId]) => [
      item,
      size,
      isSellable && sellable.get(item) !== false,
      variantId,
    ]);
  }

  return [...entries.values()].toSorted(by(({ group }) => group.id));
}

/** Excludes availability and order, so that stops never change the id. */
function identityText(
  group: GroupFact & { uiType: ModifierGroupUiType },
  choices: readonly Choice[],
): string {
  const { groupKey, name, uiType, min, max, free, hasChildRestrictions } = group;
  const composition = choices
    .toSorted(by(({ modifier }) => modifier.erpId))
    .map(({ link, modifier }) => [
      modifier.erpId,
      modifier.priceKopecks,
      link.name,
      link.weightGrams,
      // Guests do not see unused limits.
      ...(hasChildRestrictions ? [link.min, link.max] : [null, null]),
      link.free,
      link.default,
    ]);

  return JSON.stringify([
    groupKey,
    name,
    uiType,
    min,
    max,
    free,
    hasChildRestrictions,
    composition,
  ]);
}

/** COUNTER: a modifier several times. */
function chooseUiType(group: GroupFact, choices: readonly Choice[]): ModifierGroupUiType {
  if (group.min === 1 && group.max === 1) return 'RADIO';
  if (group.max <= 1) return 'CHECKBOX';
  const repeatable = group.hasChildRestrictions ? choices.some(({ link }) => link.max > 1) : true;
  return repeatable ? 'COUNTER' : 'CHECKBOX';
}

function toSlot(modifier: ModifierFact): Slot {
  return [modifier.erpId, modifier.sizeErpId, modifier.isLive, null];
}

function toModifier(
  { link, modifier, profile }: Choice,
  isLimited: boolean,
  imageOf: GroupView['imageOf'],
): MenuModifier {
  return {
    id: modifier.erpId,
    name: link.name,
    price: modifier.priceKopecks,
    image: imageOf(profile?.imageId ?? null),
    ...(link.weightGrams === null ? {} : { weightGrams: link.weightGrams }),
    available: modifier.isLive,
    isDefault: link.default > 0,
    ...(isLimited ? { min: link.min, max: link.max } : {}),
    ...(link.free > 0 ? { free: link.free } : {}),
  };
}
