import type { Guest } from '../guests.ts';
import type { Dice } from './dice.ts';
import { GIFT_CATEGORY } from './dictionaries.ts';
import { GIFT_DISHES } from './gifts.ts';

/** Guests with a promised gift: by a category, and by a block in the comment. */
export const PROMISED_PHONES = { category: '+79990001123', comment: '+79990001124' } as const;

export function firstGuests(dice: Dice): Guest[] {
  const guest = (phone: string, name: string, card: Partial<Guest>): Guest => ({
    id: dice.uuid(`guest/${phone}`),
    phone,
    name,
    comment: null,
    categoryIds: [],
    isDeleted: false,
    ...card,
  });

  return [
    guest(PROMISED_PHONES.category, 'Ольга', { categoryIds: [GIFT_CATEGORY.id] }),
    guest(PROMISED_PHONES.comment, 'Пётр', {
      comment: `Привезли не тот морс. [COMP]${GIFT_DISHES.juice}[/COMP] Домофон не работает.`,
    }),
  ];
}
