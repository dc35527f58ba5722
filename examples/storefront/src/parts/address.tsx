import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { AddedAddress, AddressSuggestion, NewAddress } from '@carte/client/storefront';
import { api, asCustomer, attempt } from '../api.ts';
import { clock, rubles } from '../format.ts';
import { shop } from '../store.ts';
import { t, textOfCode } from '../texts.ts';

const TYPING_MS = 300;
const DOOR = ['flat', 'entrance', 'floor', 'doorphone'] as const;

type Suggestions = ReadonlyMap<string, AddressSuggestion>;

export const focusAddress = (): void =>
  document.querySelector<HTMLElement>('[data-key=address]')?.focus();

/** Address fields. `onAddress` receives the id of an added address, or null if there is none. */
export function AddressFields({
  onAddress,
}: {
  onAddress: (addressId: string | null) => void;
}): ReactNode {
  const fields = useRef<HTMLFieldSetElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [suggestions, setSuggestions] = useState<Suggestions>(new Map());
  const [added, setAdded] = useState<AddedAddress | 'imprecise' | null>(null);
  useEffect(() => () => clearTimeout(timer.current), []);
  const readValue = (name: string) =>
    fields.current?.querySelector<HTMLInputElement>(`[name=${name}]`)?.value.trim() ?? '';

  async function suggest(): Promise<void> {
    const q = readValue('address');
    if (q.length < 3) return;
    const found = await attempt(() =>
      api.suggestAddresses({ q, organization_id: shop().organizationId, limit: 7 }),
    );
    if (found !== null) setSuggestions(new Map(found.data.items.map((each) => [each.text, each])));
  }

  async function save(known: Suggestions = suggestions): Promise<void> {
    const { cart } = shop();
    const text = readValue('address');
    if (cart === null || text === '') return;
    const place = toPlace(text, known.get(text));
    if (place === null) {
      setAdded('imprecise');
      return onAddress(null);
    }
    const door = Object.fromEntries(DOOR.map((name) => [name, readValue(name) || null]));
    const body = { ...place, cartId: cart.cartId, address: { ...place.address, ...door } };
    const answer = await attempt(() => api.addAddress(body, asCustomer()));
    setAdded(answer?.data ?? null);
    onAddress(answer?.data.addressId ?? null);
  }

  function change(): void {
    clearTimeout(timer.current);
    // The browser inserts the whole text of a selected suggestion.
    if (suggestions.has(readValue('address'))) void save();
    else timer.current = setTimeout(() => void suggest(), TYPING_MS);
  }

  function pick(candidate: AddressSuggestion): void {
    fields.current!.querySelector<HTMLInputElement>('[name=address]')!.value = candidate.text;
    const known = new Map([...suggestions, [candidate.text, candidate] as const]);
    setSuggestions(known);
    void save(known);
  }

  const candidates = added === null || added === 'imprecise' ? [] : added.candidates;
  return (
    <fieldset ref={fields}>
      <legend>{t('address.title')}</legend>
      <label>
        {t('address.line')}
        <input
          name="address"
          list="suggestions"
          maxLength={200}
          autoComplete="off"
          data-key="address"
          aria-describedby="address-answer"
          onInput={change}
        />
      </label>
      <datalist id="suggestions">
        {[...suggestions.keys()].map((text) => (
          <option key={text} value={text} />
        ))}
      </datalist>
      <div className="door">
        {DOOR.map((name) => (
          <label key={name}>
            {t(`address.${name}`)}
            <input name={name} maxLength={50} autoComplete="off" onBlur={() => void save()} />
          </label>
        ))}
      </div>
      <button type="button" data-key="address-use" onClick={() => void save()}>
        {t('address.check')}
      </button>
      <p role="status" id="address-answer">
        {describeAnswer(added)}
      </p>
      {candidates.map((candidate) => (
        <button key={candidate.text} type="button" onClick={() => pick(candidate)}>
          {candidate.text}
        </button>
      ))}
    </fieldset>
  );
}

/**
 * Returns the suggested address with its point, else the parts of the text between commas. Null if
 * a part is missing.
 */
function toPlace(
  text: string,
  known: AddressSuggestion | undefined,
): (Pick<NewAddress, 'coords'> & Place) | null {
  const words = text.split(',').map((part) => part.trim());
  const { city, street, house } = known?.address ?? {
    city: words[0],
    street: words[1],
    house: words[2],
  };
  if (!city || !street || !house) return null;
  return {
    address: { city, street, house },
    ...(known?.coords == null ? {} : { coords: known.coords }),
  };
}

type Place = { address: { city: string; street: string; house: string } };

function describeAnswer(added: AddedAddress | 'imprecise' | null): string {
  if (added === null) return '';
  if (added === 'imprecise') return t('address.ADDRESS_IMPRECISE');
  const { resolved, reason, minOrderSum, deliveryDurationMinutes, nextServedAt, candidates } =
    added;
  if (!resolved && candidates.length > 0) return t('address.which');
  if (!resolved) return textOfCode('address', reason ?? '') ?? t('address.ZONE_NOT_FOUND');
  const begin =
    nextServedAt === null
      ? t('address.delivered')
      : t('address.deliveredFrom', { time: clock(nextServedAt) });
  const count = deliveryDurationMinutes ?? null;
  const text = count === null ? begin : t('address.within', { text: begin, count });
  return `${minOrderSum === null ? text : t('address.leastSum', { text, sum: rubles(minOrderSum) })}.`;
}
