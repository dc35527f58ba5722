import type { AddressSuggestion, NewAddress } from '../../client/src/storefront.ts';
import { api, asCustomer, attempt } from './api.ts';
import { h, roubles, show } from './dom.ts';
import { store } from './store.ts';

const PARTS = [
  ['flat', 'Квартира'],
  ['entrance', 'Подъезд'],
  ['floor', 'Этаж'],
  ['doorphone', 'Домофон'],
] as const;
const suggestions = new Map<string, AddressSuggestion>();
const list = h('datalist', { id: 'suggestions' });
const answer = h('p', { role: 'status' });
const inputs = new Map<string, HTMLInputElement>();
const line = h('input', { list: 'suggestions', maxlength: 200, autocomplete: 'off', 'data-key': 'address' });

/**
 * Shows the fields of an address; `onAddress` gets the id of a new one, or null when there is none
 * to deliver to.
 */
export function startAddress(element: HTMLElement, onAddress: (addressId: string | null) => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  line.oninput = () => {
    clearTimeout(timer);
    // Whoever has picked a suggestion has typed all of it at once.
    if (suggestions.has(line.value)) void save(onAddress);
    else timer = setTimeout(() => void suggest(), 300);
  };
  for (const [name] of PARTS)
    inputs.set(name, h('input', { name, maxlength: 50, onchange: () => void save(onAddress) }));
  show(
    element,
    h(
      'fieldset',
      {},
      h('legend', {}, 'Куда привезти'),
      h('label', {}, 'Город, улица, дом ', line),
      list,
      ...PARTS.map(([name, label]) => h('label', {}, `${label} `, inputs.get(name)!)),
      h(
        'button',
        { type: 'button', 'data-key': 'address-use', onclick: () => void save(onAddress) },
        'Проверить адрес',
      ),
      answer,
    ),
  );
}

/** Leads to the field of the address. */
export const wantedAddress = (): void => line.focus();

async function suggest(): Promise<void> {
  const q = line.value.trim();
  if (q.length < 3) return;
  const found = await attempt(() => api.suggestAddresses({ q, organization_id: store.organizationId, limit: 7 }));
  if (found === null) return;
  suggestions.clear();
  for (const each of found.data.items) suggestions.set(each.text, each);
  show(list, ...[...suggestions.keys()].map((text) => h('option', { value: text })));
}

const REASONS: Readonly<Record<string, string>> = {
  ZONE_NOT_FOUND: 'Сюда мы не возим.',
  ADDRESS_NOT_FOUND: 'Такой адрес не нашёлся. Выберите его из подсказок.',
  ADDRESS_IMPRECISE: 'Укажите улицу и дом.',
  ZONES_OVERLAP: 'Не получилось выбрать ресторан для этого адреса.',
  GEOCODER_BUDGET_SPENT: 'Сегодня не получается проверять новые адреса. Повторите позже.',
  GEOCODER_UNAVAILABLE: 'Сейчас не получается проверить адрес. Повторите позже.',
};

/**
 * A suggestion as it was picked, with the point of its house, else the line in its parts between
 * commas; null when one is missing.
 */
function placeOf(text: string): Pick<NewAddress, 'address' | 'coords'> | null {
  const known = suggestions.get(text);
  const words = text.split(',').map((part) => part.trim());
  const { city, street, house } = known?.address ?? { city: words[0], street: words[1], house: words[2] };
  if (!city || !street || !house) return null;
  return { address: { city, street, house }, ...(known?.coords == null ? {} : { coords: known.coords }) };
}

async function save(onAddress: (addressId: string | null) => void): Promise<void> {
  const { cart } = store;
  if (cart === null || line.value.trim() === '') return;
  const door = Object.fromEntries([...inputs].map(([name, input]) => [name, input.value.trim() || null]));
  const place = placeOf(line.value);
  if (place === null) answer.textContent = REASONS['ADDRESS_IMPRECISE']!;
  const added =
    place === null
      ? null
      : await attempt(() =>
          api.addAddress({ ...place, cartId: cart.cartId, address: { ...place.address, ...door } }, asCustomer()),
        );
  if (added === null) return onAddress(null);
  const { addressId, resolved, reason, minOrderSum, deliveryDurationMinutes, nextServedAt, candidates } = added.data;
  for (const candidate of candidates) suggestions.set(candidate.text, candidate);
  const choices = candidates.map(({ text }) => text).join(' или ');
  answer.textContent = resolved
    ? `${nextServedAt === null ? 'Привезём' : `Возим с ${nextServedAt.slice(11, 16)}`} за ${deliveryDurationMinutes ?? '—'} мин${minOrderSum === null ? '' : `, заказ от ${roubles(minOrderSum)}`}.`
    : choices === ''
      ? (REASONS[reason ?? ''] ?? 'Сюда мы не возим.')
      : `Какой из адресов ваш: ${choices}?`;
  onAddress(addressId);
}
