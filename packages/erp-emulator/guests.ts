export type Guest = {
  readonly id: string;
  phone: string | null;
  name: string | null;
  comment: string | null;
  categoryIds: string[];
  isDeleted: boolean;
};

/** Now, after the next answer with this card, or after its next change. */
export const EDIT_MOMENTS = ['now', 'after-read', 'after-write'] as const;
type EditMoment = (typeof EDIT_MOMENTS)[number];

export type GuestEdit = {
  comment?: string | null;
  append?: string;
  addCategoryIds?: string[];
  removeCategoryIds?: string[];
  isDeleted?: boolean;
};

export type LoyaltySettings = {
  offFor: string[];
  /** Answer to a repeated assignment or removal of a category. */
  repeats: '200' | '400';
  assignmentBody: 'empty' | 'object' | 'null';
  /** The way in which comments from the API are stored. */
  comments: 'exact' | 'trim' | 'truncate';
};

export type Guests = {
  readonly settings: LoyaltySettings;
  find(key: { id?: string; phone?: string }): Guest | undefined;
  put(guest: Guest): void;
  list(): Guest[];
  edit(guest: Guest, moment: EditMoment, edit: GuestEdit): void;
  /** Applies one pending edit that is planned for this time. */
  passed(guest: Guest, moment: EditMoment): void;
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
