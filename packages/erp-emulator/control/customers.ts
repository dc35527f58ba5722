import { randomUUID } from 'node:crypto';
import { EDIT_MOMENTS } from '../guests.ts';
import type { Guest } from '../guests.ts';
import type { State } from '../state.ts';
import { ControlError } from './fields.ts';
import type { Fields } from './fields.ts';

const shown = (guest: Guest): object => ({ guest });

export function putCustomer({ guests }: State, fields: Fields): object {
  const guest: Guest = {
    id: (fields.optionalText('id') ?? randomUUID()).toLowerCase(),
    phone: fields.optionalText('phone') ?? null,
    name: fields.optionalText('name') ?? null,
    comment: fields.optionalText('comment') ?? null,
    categoryIds: fields.optionalTexts('categoryIds') ?? [],
    isDeleted: fields.flag('isDeleted', false),
  };

  guests.put(guest);

  return shown(guest);
}

/** Edits a customer like an operator, now or between two calls. */
export function editCustomer({ guests }: State, fields: Fields): object {
  const id = fields.text('id');
  const guest = guests.find({ id });
  if (!guest) throw new ControlError(`id: no guest ${id}`);
  const append = fields.optionalText('append');
  guests.edit(guest, fields.optionalOneOf('when', EDIT_MOMENTS) ?? 'now', {
    ...(fields.has('comment') ? { comment: fields.optionalText('comment') ?? null } : {}),
    ...(append === undefined ? {} : { append }),
    ...(fields.has('isDeleted') ? { isDeleted: fields.flag('isDeleted', false) } : {}),
    addCategoryIds: fields.optionalTexts('addCategoryIds') ?? [],
    removeCategoryIds: fields.optionalTexts('removeCategoryIds') ?? [],
  });

  return shown(guest);
}

/** Changes settings of the loyalty program. Missing fields stay unchanged. */
export function loyaltySettings({ guests: { settings } }: State, fields: Fields): object {
  settings.offFor = fields.optionalTexts('offFor') ?? settings.offFor;
  settings.repeats = fields.optionalOneOf('repeats', ['200', '400']) ?? settings.repeats;
  settings.assignmentBody =
    fields.optionalOneOf('assignmentBody', ['empty', 'object', 'null']) ?? settings.assignmentBody;
  settings.comments =
    fields.optionalOneOf('comments', ['exact', 'trim', 'truncate']) ?? settings.comments;

  return { ...settings };
}

export function readCustomers({ guests }: State): object {
  return { customers: guests.list() };
}
