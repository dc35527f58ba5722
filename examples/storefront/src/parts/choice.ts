import type { MenuModifierGroup, PostedCartModifier } from '@carte/client/storefront';

// What a form with groups of modifiers contains.

export const isRadio = (group: MenuModifierGroup): boolean => group.uiType === 'RADIO';

/** The name of the field of a modifier; a group with one choice is one field. */
export const fieldOf = (group: MenuModifierGroup, modifierId: string): string =>
  isRadio(group) ? `group ${group.id}` : `modifier ${group.id} ${modifierId}`;

function quantityIn(form: FormData, group: MenuModifierGroup, modifierId: string): number {
  const value = form.get(fieldOf(group, modifierId));
  return isRadio(group) ? Number(value === modifierId) : Number(value ?? 0);
}

/** Every chosen unit. Declined default units have 0, so that the server does not add them. */
export function chosenModifiers(form: FormData, groups: readonly MenuModifierGroup[]): PostedCartModifier[] {
  return groups.flatMap((group) =>
    group.modifiers.flatMap(({ id, isDefault, available }) => {
      const quantity = quantityIn(form, group, id);
      return quantity > 0 || (isDefault && available) ? [{ groupId: group.id, modifierId: id, quantity }] : [];
    }),
  );
}

/** The first group whose limits the choice breaks, as a sentence; empty if there is none. */
export function wrongGroup(form: FormData, groups: readonly MenuModifierGroup[]): string {
  for (const group of groups) {
    const sum = group.modifiers.reduce((total, { id }) => total + quantityIn(form, group, id), 0);
    if (sum < group.min) return `«${group.name}»: выберите не меньше ${group.min}.`;
    if (sum > group.max) return `«${group.name}»: выберите не больше ${group.max}.`;
  }
  return '';
}
