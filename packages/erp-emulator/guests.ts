/** A client of the loyalty program. */
export type Guest = {
  readonly id: string;
  phone: string | null;
  name: string | null;
  comment: string | null;
  categoryIds: string[];
  isDeleted: boolean;
};

/**
 * Moments of an operator's edit: at once, right after the next answer with this card, or right
 * after the next change of it.
 */
export const EDIT_MOMENTS = ['now', 'after-read', 'after-write'] as const;
type EditMoment = (typeof EDIT_MOMENTS)[number];

export type GuestEdit = {
  comment?: string | null;
  append?: string;
  addCategoryIds?: string[];
  removeCategoryIds?: string[];
  isDeleted?: boolean;
};

/** Settings of the loyalty program. */
export type LoyaltySettings = {
  /** Organizations without one: every call is rejected. */
  offFor: string[];
  /**
   * The answer to the second assignment of a category, and to the removal of one that is not
   * assigned.
   */
  repeats: '200' | '400';
  /** The body of an assignment's answer. */
  assignmentBody: 'empty' | 'object' | 'null';
  /** The treatment of comments that are written over the API. */
  comments: 'exact' | 'trim' | 'truncate';
};

export type Guests = {
  readonly settings: LoyaltySettings;
  find(key: { id?: string; phone?: string }): Guest | undefined;
  put(guest: Guest): void;
  list(): Guest[];
  edit(guest: Guest, moment: EditMoment, edit: GuestEdit): void;
  /** Makes the edits that wait for this moment of a card, one of them each time. */
  passed(guest: Guest, moment: EditMoment): void;
  /** Puts everything back to these clients. */
  reset(first: readonly Guest[]): void;
};

const settingsAtFirst = (): LoyaltySettings => ({
  offFor: [],
  repeats: '200',
  assignmentBody: 'empty',
  comments: 'exact',
});

function apply(
  guest: Guest,
  { comment, append, addCategoryIds = [], removeCategoryIds = [], isDeleted }: GuestEdit,
): void {
  if (comment !== undefined) guest.comment = comment;
  if (append !== undefined) guest.comment = `${guest.comment ?? ''}${append}`;
  if (isDeleted !== undefined) guest.isDeleted = isDeleted;
  guest.categoryIds = [...new Set([...guest.categoryIds, ...addCategoryIds])].filter(
    (id) => !removeCategoryIds.includes(id),
  );
}

/** Returns a loyalty program with these clients. */
export function createGuests(first: readonly Guest[]): Guests {
  const guests = new Map<string, Guest>();
  const fill = (all: readonly Guest[]): void => {
    for (const guest of all) guests.set(guest.id, { ...guest });
  };
  fill(first);
  const settings = settingsAtFirst();
  let waiting: { guest: Guest; moment: EditMoment; edit: GuestEdit }[] = [];
  return {
    settings,
    find: ({ id, phone }) =>
      id === undefined
        ? [...guests.values()].find((guest) => phone !== undefined && guest.phone === phone)
        : guests.get(id.toLowerCase()),
    put: (guest) => void guests.set(guest.id, guest),
    list: () => [...guests.values()],
    edit(guest, moment, edit) {
      if (moment === 'now') apply(guest, edit);
      else waiting.push({ guest, moment, edit });
    },
    passed(guest, moment) {
      const index = waiting.findIndex((entry) => entry.guest === guest && entry.moment === moment);
      const next = waiting[index];
      if (next === undefined) return;
      waiting = waiting.toSpliced(index, 1);
      apply(guest, next.edit);
    },
    reset(all) {
      guests.clear();
      fill(all);
      waiting = [];
      Object.assign(settings, settingsAtFirst());
    },
  };
}
