import type {
  CartLine,
  MenuModifierGroup,
  MenuProduct,
  MenuVariant,
  PostedCartLine,
  PostedCartModifier,
} from '../../client/src/storefront.ts';
import { byId, field, h, roubles, show } from './dom.ts';
import { groupsOf, isSold, store } from './store.ts';

/**
 * Opens the dish to choose a size and modifiers, and submits the choice. `line` is the line of the
 * cart that is edited, if any.
 */
export function openDish(
  product: MenuProduct,
  submit: (chosen: PostedCartLine) => Promise<void>,
  line?: CartLine,
): void {
  const dialog = byId<HTMLDialogElement>('dish');
  const { name, description, composition, images, variants } = product;
  const first =
    variants.find(({ id }) => id === line?.variantId) ??
    variants.find((each) => each.isDefault && isSold(each)) ??
    variants.find(isSold) ??
    variants[0]!;
  const modifiers = h('div', {});
  const problem = h('p', { role: 'alert' });
  let variant = first;
  const choose = (chosen: MenuVariant) => {
    variant = chosen;
    show(modifiers, ...groupsOf(chosen).map((group) => groupOf(group, line)));
  };
  const form = h(
    'form',
    {
      onsubmit: (event) => {
        event.preventDefault();
        const wrong = wrongGroup(form, variant);
        problem.textContent = wrong;
        if (wrong !== '') return;
        const quantity = Number(new FormData(form).get('quantity'));
        const wanted = { variantId: variant.id, quantity, modifiers: chosenModifiers(form, variant) };
        dialog.close();
        void submit(wanted);
      },
    },
    h('img', { src: images.main.url, srcset: images.main.srcset, alt: '' }),
    h('h2', { id: 'dish-title' }, name),
    h('p', {}, description ?? composition ?? ''),
    variants.length === 1 ? null : sizes(product, first, choose),
    modifiers,
    field('Количество', {
      type: 'number',
      name: 'quantity',
      min: 1,
      max: 99,
      value: line?.quantity ?? 1,
      required: true,
    }),
    problem,
    h(
      'div',
      { class: 'row' },
      h('button', { type: 'button', onclick: () => dialog.close() }, 'Закрыть'),
      h('button', { class: 'main' }, line === undefined ? 'В корзину' : 'Изменить'),
    ),
  );
  choose(first);
  show(dialog, form);
  dialog.showModal();
}

function sizes({ variantAxis, variants }: MenuProduct, first: MenuVariant, choose: (variant: MenuVariant) => void) {
  const option = (variant: MenuVariant) =>
    h(
      'label',
      { class: 'option' },
      h('input', {
        type: 'radio',
        name: 'variant',
        checked: variant === first,
        disabled: !isSold(variant),
        onchange: () => choose(variant),
      }),
      `${variant.option?.name ?? ''} — ${roubles(variant.price)}${isSold(variant) ? '' : ' (закончилось)'}`,
    );
  return h('fieldset', {}, h('legend', {}, variantAxis?.name ?? 'Размер'), ...variants.map(option));
}

const nameOf = (group: MenuModifierGroup, id: string) => `modifier ${group.id} ${id}`;

function groupOf(group: MenuModifierGroup, line: CartLine | undefined): HTMLElement {
  const inCart = line?.modifiers.filter(({ groupId }) => groupId === group.id);
  const quantityOf = (id: string, isDefault: boolean) =>
    inCart === undefined ? Number(isDefault) : (inCart.find(({ modifierId }) => modifierId === id)?.quantity ?? 0);
  const isRadio = group.uiType === 'RADIO';
  const firstSold = group.modifiers.find(({ id }) => !store.stopped.items.has(id));
  const hasDefault = group.modifiers.some(({ id, isDefault }) => quantityOf(id, isDefault) > 0);
  const option = ({ id, name, price, isDefault, max = group.max }: MenuModifierGroup['modifiers'][number]) => {
    const isOff = store.stopped.items.has(id);
    const quantity = isOff ? 0 : quantityOf(id, isDefault);
    const text = `${name}${price > 0 ? ` — ${roubles(price)}` : ''}${isOff ? ' (закончилось)' : ''}`;
    const input =
      group.uiType === 'COUNTER'
        ? h('input', { type: 'number', name: nameOf(group, id), min: 0, max, value: quantity, disabled: isOff })
        : h('input', {
            type: isRadio ? 'radio' : 'checkbox',
            name: isRadio ? `group ${group.id}` : nameOf(group, id),
            value: isRadio ? id : 1,
            checked: quantity > 0 || (isRadio && !hasDefault && firstSold?.id === id),
            disabled: isOff,
          });
    return h('label', { class: 'option' }, input, text);
  };
  const limits = group.uiType === 'RADIO' ? '' : ` (${group.min > 0 ? `от ${group.min} ` : ''}до ${group.max})`;
  return h('fieldset', {}, h('legend', {}, group.name + limits), ...group.modifiers.map(option));
}

function quantityIn(form: HTMLFormElement, group: MenuModifierGroup, id: string): number {
  const data = new FormData(form);
  if (group.uiType === 'RADIO') return Number(data.get(`group ${group.id}`) === id);
  return Number(data.get(nameOf(group, id)) ?? 0);
}

/**
 * Every chosen unit; default units that the guest does not want are named with 0, so that they are
 * not added.
 */
function chosenModifiers(form: HTMLFormElement, variant: MenuVariant): PostedCartModifier[] {
  return groupsOf(variant).flatMap((group) =>
    group.modifiers.flatMap(({ id, isDefault }) => {
      const quantity = quantityIn(form, group, id);
      return quantity > 0 || (isDefault && !store.stopped.items.has(id))
        ? [{ groupId: group.id, modifierId: id, quantity }]
        : [];
    }),
  );
}

/** Returns the error of the choice, in a sentence; empty without one. */
function wrongGroup(form: HTMLFormElement, variant: MenuVariant): string {
  for (const group of groupsOf(variant)) {
    const sum = group.modifiers.reduce((total, { id }) => total + quantityIn(form, group, id), 0);
    if (sum < group.min) return `«${group.name}»: выберите не меньше ${group.min}.`;
    if (sum > group.max) return `«${group.name}»: выберите не больше ${group.max}.`;
  }
  return '';
}
