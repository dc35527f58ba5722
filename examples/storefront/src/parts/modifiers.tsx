import type { ReactNode } from 'react';
import type { CartLine, MenuModifierGroup } from '@carte/client/storefront';
import { rubles } from '../format.ts';
import { t } from '../texts.ts';
import { isRadio, toFieldName } from './choice.ts';

/** The fields of a group of modifiers, with the units of `line` or the default units. */
export function Group({
  group,
  line,
}: {
  group: MenuModifierGroup;
  line: CartLine | undefined;
}): ReactNode {
  const inCart = line?.modifiers.filter(({ groupId }) => groupId === group.id);
  const findQuantity = (id: string, isDefault: boolean) =>
    inCart === undefined
      ? Number(isDefault)
      : (inCart.find(({ modifierId }) => modifierId === id)?.quantity ?? 0);
  const first = group.modifiers.find(({ available }) => available);
  const hasDefault = group.modifiers.some(({ id, isDefault }) => findQuantity(id, isDefault) > 0);
  return (
    <fieldset>
      <legend>
        {isRadio(group) ? group.name : t(group.min > 0 ? 'dish.limits' : 'dish.limitMax', group)}
      </legend>
      {group.modifiers.map(({ id, name, price, isDefault, available, max = group.max }) => {
        const quantity = available ? findQuantity(id, isDefault) : 0;
        const isChosen = quantity > 0 || (isRadio(group) && !hasDefault && first?.id === id);
        const text = price > 0 ? `${name} — ${rubles(price)}` : name;
        const common = { name: toFieldName(group, id), disabled: !available };
        return (
          <label key={id} className="option">
            {group.uiType === 'COUNTER' ? (
              <input {...common} type="number" min={0} max={max} defaultValue={quantity} />
            ) : (
              <input
                {...common}
                type={isRadio(group) ? 'radio' : 'checkbox'}
                value={isRadio(group) ? id : 1}
                defaultChecked={isChosen}
              />
            )}
            {available ? text : t('dish.optionSoldOut', { name: text })}
          </label>
        );
      })}
    </fieldset>
  );
}
