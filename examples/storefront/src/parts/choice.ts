import {
  problemsOf,
  type MenuModifierGroup,
  type PostedCartModifier,
} from '@carte/client/storefront';
import { t } from '../texts.ts';

export const isRadio = (group: MenuModifierGroup): boolean => group.uiType === 'RADIO';

/** The form field of a modifier. The modifiers of a radio group share a field. */
export const toFieldName = (group: MenuModifierGroup, modifierId: string): string =>
  isRadio(group) ? `group ${group.id}` : `modifier ${group.id} ${modifierId}`;

function quantityIn(form: FormData, group: MenuModifierGroup, modifierId: string): number {
  const value = form.get(toFieldName(group, modifierId));
  return isRadio(group) ? Number(value === modifierId) : Number(value ?? 0);
}

/** The selected modifiers. Removed default units have 0, so that the server does not add them. */
export function chosenModifiers(
  form: FormData,
  groups: readonly MenuModifierGroup[],
): PostedCartModifier[] {
  return groups.flatMap((group) =>
    group.modifiers.flatMap(({ id, isDefault, available }) => {
      const quantity = quantityIn(form, group, id);
      return quantity > 0 || (isDefault && available)
        ? [{ groupId: group.id, modifierId: id, quantity }]
        : [];
    }),
  );
}

/** The reason why the selection cannot be ordered, as a sentence; empty if it can be ordered. */
export function wrongGroup(form: FormData, groups: readonly MenuModifierGroup[]): string {
  const menu = { modifierGroups: [...groups] };
  const variant = { modifierGroupIds: groups.map(({ id }) => id) };
  const [problem] = problemsOf(menu, variant, chosenModifiers(form, groups));
  if (problem === undefined) return '';
  const { code, group, modifier, min, max } = problem;
  const { name } = modifier ?? group;
  return code === 'TOO_FEW'
    ? t('dish.tooFew', { name, min })
    : t('dish.tooMany', { name, max: max ?? group.max });
}
