import type { CodeOf } from '../../../kernel/pure/codes.ts';
import type { Acceptance, FulfillmentType } from '../../delivery/rules/status.ts';
import type { ZoneTerms } from '../../delivery/rules/zones/zone-terms.ts';
import type { DiscountReason } from './discounts.ts';
import type { CartChange } from './cart-facts.ts';
import type { LineOutsideHours } from './line-hours.ts';
import type { BrokenLimit } from './modifier-choice.ts';
import type { ReachedLimit } from './order-limits.ts';

/** The precision of an address. */
export type Precision = CodeOf<'AddressPrecision'>;

/**
 * The result for the delivery address: the serving organization with its terms, or the reason why
 * there is none. An order stores it, so it contains ids and values but no part of the address.
 * Money in kopecks, durations in minutes.
 */
export type AddressFact =
  | {
      isResolved: true;
      /** Uuid of the ERP. */
      organizationId: string;
      precision: Precision;
      zoneId: number;
      /**
       * The moment of the terms: the start of the slot, or the moment of the question, or the next
       * interval of the zone.
       */
      at: number;
      minSumKopecks: number;
      deliveryFeeKopecks: number;
      durationMinutes: number;
      /**
       * The ERP's id of the terminal group that cooks and delivers; null leaves the choice to the
       * ERP.
       */
      terminalGroupErpId: string | null;
      /**
       * The rule by which this zone was chosen; orders that were placed before it was kept have
       * none.
       */
      chosenBy?: 'ONLY_ZONE' | 'PRIORITY' | 'ERP';
      /** The sources of the terms. */
      sources: ZoneTerms['sources'];
    }
  | {
      isResolved: false;
      reason: CodeOf<'ResolveReason'>;
      precision: Precision | null;
      /** Parts of the address that are missing. */
      missing: readonly string[];
    };

/** A way to pay that the organization offers for the chosen kind of fulfillment. */
export type PaymentFact = { code: string; isCash: boolean; allowsLeaveAtDoor: boolean };

/**
 * Everything that decides whether an order may be placed. No personal data: an order keeps it as it
 * was. Moments in milliseconds.
 */
export type GateFacts = {
  /** The request. */
  wanted: {
    type: FulfillmentType;
    /** Id of a slot, or as soon as possible. */
    slotId: string;
    /** The point that the guest chose for pickup; null for none. */
    pickupOrganizationId: string | null;
    /** The address that the guest chose for delivery; null for none. */
    addressId: string | null;
    paymentMethod: string;
    leaveAtDoor: boolean;
    /** The note that the guest pays with; null when no change is needed. */
    changeFromKopecks: number | null;
  };
  organization: {
    /** Uuid of the ERP. */
    id: string;
    isServed: boolean;
    isErpEnabled: boolean;
    /** Null if unknown, which blocks nothing. */
    isTerminalAlive: boolean | null;
  };
  cart: {
    version: number;
    lineCount: number;
    /** Removals that the guest has not accepted yet. */
    changes: readonly CartChange[];
    brokenLimits: readonly (BrokenLimit & { lineId: string })[];
    /**
     * Lines that cannot be ordered for the requested time, the first moment for which all lines can
     * be, and an offered slot for which they can. Absent for orders that were placed before this
     * field existed.
     */
    outsideHours?: { items: readonly LineOutsideHours[]; availableFrom: number | null; slotId: string | null };
    priceChanges: readonly { lineId: string; beforeKopecks: number; afterKopecks: number }[];
    /** Service items are others than the guest has accepted. */
    areServiceItemsChanged: boolean;
    /**
     * The promo code of the cart, and removed ones that the guest has not accepted yet; `reason` is
     * the unmet condition.
     */
    promocodes: readonly { code: string; reason: DiscountReason | null }[];
    subtotalKopecks: number;
    toPayKopecks: number;
  };
  /** Absent for orders that were placed before this field existed. */
  buyer?: {
    isSignedIn: boolean;
    /** Highest order total without signing in; null for no limit. */
    guestSumKopecks: number | null;
    /** Limits of orders that this one would exceed. */
    reachedLimits: readonly ReachedLimit[];
  };
  /** Null while the guest has not chosen one. */
  address: AddressFact | null;
  time: {
    /** ZONE_CLOSED while only the zone of the address is not served (rule FUL-53). */
    acceptance: Omit<Acceptance, 'reason'> & { reason: Acceptance['reason'] | CodeOf<'ZoneNotAcceptingReason'> };
    /** The end of a stop of intake that is active now; null for one without an end. */
    intakeStoppedUntil: number | null;
    timedOrdersEnabled: boolean;
    /** True if the requested slot is offered; true for as soon as possible. */
    isSlotOffered: boolean;
    /** The slot to order for instead; null when there is none. */
    nearestSlotId: string | null;
    /** Minutes until orders of this kind are no longer accepted; null without an end. */
    intakeEndsInMinutes: number | null;
    expectation: { minutes: number; scope: CodeOf<'EtaScope'> } | null;
  };
  paymentMethods: readonly PaymentFact[];
  gifts: {
    /** Gifts about which the guest has to decide. */
    undecided: readonly {
      compensationId: string;
      choices: readonly string[];
      replacements: readonly { rewardCode: string; name: string }[];
    }[];
    unavailable: readonly string[];
  };
};
