import type {
  ErpCityAddress,
  ErpDeliveryPoint,
  ErpLegacyAddress,
} from '../../../erp/schemas/order-body.ts';
import { erpText, namedText } from '../../../kernel/pure/erp-text.ts';

export type AddressFormat = 'LEGACY' | 'CITY';

export type AddressToSend = {
  city: string;
  street: string;
  /** In the ERP's street dictionary, if found. */
  streetErpId: string | null;
  house: string;
  building: string | null;
  flat: string | null;
  entrance: string | null;
  floor: string | null;
  doorphone: string | null;
  /** Note for the courier. */
  comment: string | null;
  /** Longitude and latitude. */
  coords: readonly [number, number] | null;
};

/** Limits of the ERP. */
const LONGEST_PART = 10;
const LONGEST_LINE = 250;
const LONGEST_COMMENT = 500;

const PART_WORDS = {
  flat: 'кв.',
  entrance: 'подъезд',
  floor: 'этаж',
  doorphone: 'домофон',
  building: 'корп.',
  house: 'дом',
};

type Part = keyof typeof PART_WORDS;

const isTooLong = (address: AddressToSend, part: Part): boolean =>
  erpText(address[part] ?? '', LONGEST_COMMENT).length > LONGEST_PART;

/**
 * Moves a part that is too long for its field to the courier's note, because half a door code is
 * useless (rule ORD-33).
 */
export function erpDeliveryPoint(address: AddressToSend, format: AddressFormat): ErpDeliveryPoint {
  const { coords } = address;
  const door = ['flat', 'entrance', 'floor', 'doorphone'] as const;
  const parts: readonly Part[] = format === 'LEGACY' ? ['house', 'building', ...door] : door;
  const notes = parts
    .filter((part) => isTooLong(address, part))
    .map((part) => `${PART_WORDS[part]} ${address[part]}`);
  const partField = (part: Part) =>
    isTooLong(address, part) ? {} : namedText(part, address[part], LONGEST_PART);
  const comment = [...notes, address.comment ?? ''].filter((text) => text !== '').join('. ');

  return {
    ...(coords === null ? {} : { coordinates: { latitude: coords[1], longitude: coords[0] } }),
    address: {
      ...(format === 'LEGACY' ? legacy(address, partField('building')) : oneLine(address)),
      ...partField('flat'),
      ...partField('entrance'),
      ...partField('floor'),
      ...partField('doorphone'),
    },
    ...namedText('comment', comment, LONGEST_COMMENT),
  };
}

export function addressInWords(address: Omit<AddressToSend, 'streetErpId' | 'coords'>): string {
  const { city, street, house, comment } = address;
  const parts = (['building', 'entrance', 'floor', 'flat', 'doorphone'] as const).flatMap((part) =>
    address[part] === null || address[part] === '' ? [] : [`${PART_WORDS[part]} ${address[part]}`],
  );

  return [
    city,
    street,
    house,
    ...parts,
    ...(comment === null || comment === '' ? [] : [comment]),
  ].join(', ');
}

function legacy(
  { streetErpId, street, city, house }: AddressToSend,
  building: Partial<Record<Part, string>>,
): ErpLegacyAddress {
  return {
    type: 'legacy',
    street:
      streetErpId === null
        ? { name: erpText(street, LONGEST_LINE), city: erpText(city, LONGEST_LINE) }
        : { id: streetErpId },
    house: erpText(house, LONGEST_PART),
    ...building,
  };
}

function oneLine({ city, street, house, building }: AddressToSend): ErpCityAddress {
  const line = [city, street, house, building ?? ''].filter((text) => text !== '').join(', ');
  return { type: 'city', line1: erpText(line, LONGEST_LINE) };
}
