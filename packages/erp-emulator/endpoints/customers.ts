import { randomUUID } from 'node:crypto';
import type { Guest } from '../guests.ts';
import type { Context } from '../state.ts';
import { loyaltyFailure, ok, wireDate } from '../wire.ts';
import type { Answer, Body } from '../wire.ts';
import { visibleOrganizations } from './organizations.ts';

const LONGEST_COMMENT = 60;
const PHONE = /^\+\d{10,15}$/;

const toText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Rejects an organization that the key cannot access or that has no loyalty program. */
function organizationFault(context: Context, { organizationId }: Body): Answer | null {
  const isKnown = visibleOrganizations(context).some(({ id }) => id === organizationId);
  const isOff = context.state.guests.settings.offFor.includes(String(organizationId));
  if (isKnown && !isOff) return null;

  return loyaltyFailure(
    'Transport_WrongCrmId',
    'Common_OrganizationNotFound',
    'The organization has no program.',
  );
}

/** Quotes the guest, as the real message does. */
function unknownGuest(key: string): Answer {
  return loyaltyFailure(
    'Transport_WrongCustomerNumber',
    'Validation_IncorrectPhone',
    `There is no guest ${key}.`,
  );
}

function toCard(context: Context, guest: Guest): object {
  const { guestCategories } = context.state.dataset.dictionaries;
  return {
    id: guest.id,
    referrerId: null,
    name: guest.name,
    surname: null,
    middleName: null,
    comment: guest.comment,
    phone: guest.phone,
    cultureName: 'ru-RU',
    birthday: null,
    email: null,
    sex: 0,
    consentStatus: 1,
    anonymized: false,
    cards: [],
    categories: guestCategories.filter(({ id }) => guest.categoryIds.includes(id)),
    walletBalances: [],
    userData: null,
    shouldReceivePromoActionsInfo: true,
    shouldReceiveLoyaltyInfo: true,
    shouldReceiveOrderStatusInfo: null,
    isDeleted: guest.isDeleted,
    whenRegistered: wireDate(new Date(0)),
  };
}

export function customerInfo(context: Context, body: Body): Answer {
  const fault = organizationFault(context, body);
  if (fault !== null) return fault;
  const { guests } = context.state;
  const key = body.type === 'id' ? { id: toText(body.id) } : { phone: toText(body.phone) };
  if (body.type !== 'id' && body.type !== 'phone')
    return loyaltyFailure(
      'Transport_WrongRequest',
      null,
      'Guests are looked for by id or phone here.',
    );

  const guest = guests.find({
    ...(key.id === undefined ? {} : { id: key.id }),
    ...(key.phone === undefined ? {} : { phone: key.phone }),
  });
  if (guest === undefined) return unknownGuest(String(key.id ?? key.phone));

  const answer = ok(Buffer.from(JSON.stringify(toCard(context, guest))));
  guests.passed(guest, 'after-read');

  return answer;
}

/**
 * Returns the new text. Missing and null change nothing. An empty text changes something only if
 * empty fields are erased.
 */
function changed(before: string | null, value: unknown, erases: boolean): string | null {
  if (typeof value !== 'string') return before;
  return value === '' ? (erases ? null : before) : value;
}

function stored(context: Context, comment: string | null): string | null {
  const { comments } = context.state.guests.settings;
  if (comments === 'trim') return comment?.trim() ?? null;
  return comments === 'truncate' ? (comment?.slice(0, LONGEST_COMMENT) ?? null) : comment;
}

/** Creates a guest by phone, or changes one by id or phone. Rejects an unknown id. */
export function createOrUpdateCustomer(context: Context, body: Body): Answer {
  const fault = organizationFault(context, body);
  if (fault !== null) return fault;
  const { guests } = context.state;
  const [id, phone] = [toText(body.id), toText(body.phone)];
  const existing = guests.find({
    ...(id === undefined ? {} : { id }),
    ...(phone === undefined ? {} : { phone }),
  });
  if (id !== undefined && existing === undefined) return unknownGuest(id);

  if (existing === undefined && (phone === undefined || !PHONE.test(phone)))
    return unknownGuest(String(phone));
  const guest: Guest = existing ?? {
    id: randomUUID(),
    phone: phone ?? null,
    name: null,
    comment: null,
    categoryIds: [],
    isDeleted: false,
  };

  const erases = body.nullifyEmptyFields === true;
  guest.name = changed(guest.name, body.name, erases);
  if (body.comment != null)
    guest.comment = stored(context, changed(guest.comment, body.comment, erases));
  guests.put(guest);
  guests.passed(guest, 'after-write');

  return ok({ id: guest.id });
}

const DONE_BODIES = {
  empty: Buffer.alloc(0),
  object: Buffer.from('{}'),
  null: Buffer.from('null'),
};

function assign(context: Context, body: Body, isWanted: boolean): Answer {
  const fault = organizationFault(context, body);
  if (fault !== null) return fault;
  const { guests, dataset } = context.state;
  const guest = guests.find({ id: String(body.customerId) });
  if (guest === undefined) return unknownGuest(String(body.customerId));
  const categoryId = String(body.categoryId);
  if (!dataset.dictionaries.guestCategories.some(({ id }) => id === categoryId))
    return loyaltyFailure('Transport_WrongCategory', null, `There is no category ${categoryId}.`);
  if (guest.categoryIds.includes(categoryId) === isWanted && guests.settings.repeats === '400')
    return loyaltyFailure(
      'Transport_CategoryUnchanged',
      null,
      `Guest ${guest.name ?? ''} has it so already.`,
    );

  guest.categoryIds = guest.categoryIds.filter((id) => id !== categoryId);
  if (isWanted) guest.categoryIds.push(categoryId);
  guests.passed(guest, 'after-write');

  return ok(DONE_BODIES[guests.settings.assignmentBody]);
}

export const addCustomerCategory = (context: Context, body: Body): Answer =>
  assign(context, body, true);

export const removeCustomerCategory = (context: Context, body: Body): Answer =>
  assign(context, body, false);

export function customerCategories(context: Context, body: Body): Answer {
  return (
    organizationFault(context, body) ??
    ok({ guestCategories: context.state.dataset.dictionaries.guestCategories })
  );
}
