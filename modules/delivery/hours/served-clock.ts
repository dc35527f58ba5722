import type { DeliverySlots } from '../schemas/hours.ts';
import type { StorefrontContext } from '../schemas/context.ts';
import type { ErpNames } from '../rules/erp-names.ts';
import type { GuestWords } from '../rules/guest-words.ts';
import { filledTemplate, type NoticeValues } from '../rules/notice-template.ts';
import { listFulfillmentTypes, PAYMENT_METHODS } from '../rules/payment-methods.ts';
import { MINUTE, type FulfillmentType } from '../rules/status.ts';
import { clockText, type OrganizationClock } from './organization-clock.ts';
import {
  computeExpectation,
  isFor,
  listExpectationSteps,
  type SharedFacts,
} from './shared-facts.ts';

export type OrganizationDetails = StorefrontContext['organization'] & {
  organizationId: number;
  city: string | null;
};

/** Replaced when the clock, the details or a shared fact changes. */
export type ServedClock = Pick<OrganizationClock, 'status' | 'schedule' | 'hours' | 'flags'> & {
  readonly organizationId: number;
  slots(type: FulfillmentType, at: number): DeliverySlots;
  context(at: number): StorefrontContext;
};

/** Combines a clock with chain-wide settings and names of the ERP. */
export function serveClock(
  clock: OrganizationClock,
  { organizationId, city, ...organization }: OrganizationDetails,
  shared: SharedFacts,
  { names, words }: { names: ErpNames | null; words: GuestWords },
): ServedClock {
  const notices = shared.notices.filter(isFor(organizationId));
  const busyModes = shared.expectations.filter(
    (rule) => rule.scope === 'BUSY' && isFor(organizationId)(rule),
  );
  const expectation = (at: number) => computeExpectation(shared, organizationId, at);
  const paymentMethods = shared.paymentMethods.flatMap((method) => {
    const { code, name, allowsLeaveAtDoor, requiresChange } = method;
    const { isCash, isOnline } = PAYMENT_METHODS[code];
    const fulfillmentTypes = [...listFulfillmentTypes(method, organizationId, names)];
    if (fulfillmentTypes.length === 0) return [];
    return [{ code, name, isCash, isOnline, allowsLeaveAtDoor, requiresChange, fulfillmentTypes }];
  });

  function noticesAt(at: number, values: NoticeValues): StorefrontContext['notices'] {
    return notices.flatMap(({ code, severity, ttlSeconds, activeFrom, activeTo, ...texts }) => {
      if ((activeFrom !== null && activeFrom > at) || (activeTo !== null && at >= activeTo))
        return [];
      const [title, text] = [
        filledTemplate(texts.title, values),
        filledTemplate(texts.text, values),
      ];

      return title === null || text === null ? [] : [{ code, severity, title, text, ttlSeconds }];
    });
  }

  /** FUL-67. */
  const busyNotices = (at: number): StorefrontContext['notices'] =>
    busyModes.flatMap(({ durationMinutes, activeTo }) => {
      if (activeTo === null || activeTo <= at) return [];
      const { title, text } = words.busy(
        durationMinutes,
        clockText(activeTo, organization.timeZone),
      );

      return [{ code: 'BUSY_MODE', severity: 'INFO', title, text, ttlSeconds: BUSY_TTL_SECONDS }];
    });

  return {
    organizationId,
    flags: clock.flags,
    schedule: clock.schedule,
    hours: clock.hours,
    status: (at) => clock.status(at),
    slots: (type, at) => clock.slots(type, at, listExpectationSteps(shared, organizationId, at)),
    context(at) {
      const status = clock.status(at);
      const [delivery, pickup] = (['DELIVERY', 'PICKUP'] as const).map((type) =>
        clock.eta(type, expectation(at)),
      );
      const closesAt =
        status.closingInMinutes === null
          ? null
          : wholeMinute(at + status.closingInMinutes * MINUTE);

      const openings = [status.delivery.opensAt, status.pickup.opensAt].flatMap((text) =>
        text === null || Date.parse(text) <= at ? [] : [Date.parse(text)],
      );
      const wallClock = (moment: number | null) =>
        moment === null ? null : clockText(moment, organization.timeZone);
      const notices = noticesAt(at, {
        organization: organization.name,
        city,
        deliveryMinutes: delivery!.minutes,
        pickupMinutes: pickup!.minutes,
        opensAt: wallClock(status.open || openings.length === 0 ? null : Math.min(...openings)),
        closesAt: wallClock(closesAt),
        closingInMinutes: status.closingInMinutes,
      });

      return {
        city: { name: city },
        organization,
        serverTime: status.serverTime,
        status,
        eta: { delivery: delivery!, pickup: pickup! },
        paymentMethods,
        notices: [...busyNotices(at), ...notices],
      };
    },
  };
}

const BUSY_TTL_SECONDS = 900;

/** Rounds up, because `closingInMinutes` excludes the current minute. */
const wholeMinute = (at: number): number => Math.ceil(at / MINUTE) * MINUTE;
