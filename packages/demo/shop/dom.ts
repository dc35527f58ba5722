/**
 * Attributes by name, properties of inputs (`checked`, `value`), and listeners by `onclick` and the
 * like.
 */
type Props = Record<string, string | number | boolean | null | undefined | ((event: Event) => void)>;
type Child = Node | string | null | undefined | false;

/**
 * An element with its children. Strings become text and never markup, whatever they contain;
 * attributes that are null, undefined or false are left out.
 */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (name === 'checked' || name === 'disabled' || name === 'selected')
      element.toggleAttribute(name, value === true);
    else if (value !== null && value !== undefined && value !== false)
      element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** The element of the page with this id. Throws when the page has none. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The page has no #${id}`);
  return element as T;
}

/** Replaces what an element shows; whatever had the focus by its `data-key` gets it back. */
export function show(element: HTMLElement, ...children: Child[]): void {
  const focused = element.contains(document.activeElement) ? (document.activeElement as HTMLElement) : null;
  const key = focused?.dataset['key'];
  element.replaceChildren(...children.filter((child) => child !== null && child !== undefined && child !== false));
  if (key !== undefined) element.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus();
}

/** A field with its label. */
export function field(label: string, props: Props, ...extra: Child[]): HTMLLabelElement {
  return h('label', {}, `${label} `, h('input', props), ...extra);
}

/** A choice of one, as a group with a legend. */
export function choice<T extends string>(
  legend: string,
  name: string,
  options: readonly { value: T; label: Child; disabled?: boolean }[],
  chosen: T | undefined,
  onChange: (value: T) => void,
): HTMLFieldSetElement {
  return h(
    'fieldset',
    {},
    h('legend', {}, legend),
    ...options.map(({ value, label, disabled = false }) =>
      h(
        'label',
        { class: 'option' },
        h('input', {
          type: 'radio',
          name,
          value,
          checked: value === chosen,
          disabled,
          'data-key': `${name}-${value}`,
          onchange: () => onChange(value),
        }),
        label,
      ),
    ),
  );
}

const ROUBLES = new Intl.NumberFormat('ru', { style: 'currency', currency: 'RUB', minimumFractionDigits: 0 });
export const roubles = (money: number): string => ROUBLES.format(money);

/**
 * Announces something without moving the focus: `messages` is read out at once, `news` when the
 * reader pauses.
 */
export function tell(where: 'messages' | 'news', text: string): void {
  byId(where).textContent = text;
}
