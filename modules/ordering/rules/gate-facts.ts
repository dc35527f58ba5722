import type { CodeOf } from '../../../kernel/pure/codes.ts';
import type { Acceptance, FulfillmentType } from '../../delivery/rules/status.ts';
import type { ZoneTerms } from '../../delivery/rules/zones/zone-terms.ts';
import type { DiscountReason } from './discounts.ts';
import type { CartChange } from './cart-facts.ts';
import type { LineOutsideHours } from './line-hours.ts';
import type { BrokenLimit } from './modifier-choice.ts';
import type { ReachedLimit } from './order-limits.ts';

export type Precision = CodeOf<'AddressPrecision'>;

/**
 * The delivery service of an address, or the reason why there is none. Stored with the order, so it
 * contains no parts of the address.
 */
export type AddressFact =
  | {
      isResolved: true;
      /** ERP id. */
      organizationId: string;
      precision: Precision;
      zoneId: number;
      /** Now, the start of the slot, or the zone's next interval. */
      at: number;
      minSumKopecks: number;
      deliveryFeeKopecks: number;
      durationMinutes: number;
      /** Null lets the ERP choose the terminal group. */
      terminalGroupErpId: string | null;
      /** Missing in earlier orders. */
      chosenBy?: 'ONLY_ZONE' | 'PRIORITY' | 'ERP';
      sources: ZoneTerms['sources'];
    }
  | {
      isResolved: false;
      reason: CodeOf<'ResolveReason'>;
      precision: Precision | null;
      missing: readonly string[];
    };

export type PaymentFact = { code: string; isCash: boolean; allowsLeaveAtDoor: boolean };

/**
 * All facts that decide a checkout. Stored with the order, so they contain no personal data. Times
 * in ms.
 */
export type GateFacts = {
  wanted: {
    type: FulfillmentType;
    /** Slot id or `asap`. */
    slotId: string;
    pickupOrganizationId: string | null;
    addressId: string | null;
    paymentMethod: string;
    leaveAtDoor: boolean;
    /** Null if the guest needs no change. */
    changeFromKopecks: number | null;
  };
  organization: {
    /** ERP id. */
    id: string;
    isServed: boolean;
    isErpEnabled: boolean;
    /** Null if unknown, which blocks nothing. */
    isTerminalAlive: boolean | null;
  };
  cart: {
    version: number;
    lineCount: number;
    /** Removals that the guest has not accepted. */
    changes: readonly CartChange[];
    brokenLimits: readonly (BrokenLimit & { lineId: string })[];
    /**
     * Lines not sold at the requested time, and the first time and slot for all lines. Missing in
     * earlier orders.
     */
    outsideHours?: {
      items: readonly LineOutsideHours[];
      availableFrom: number | null;
      slotId: string | null;
    };
    priceChanges: readonly { lineId: string; beforeKopecks: number; afterKopecks: number }[];
    /** True unless the guest has accepted the current service items. */
    areServiceItemsChanged: boolean;
    /** Includes removed codes that the guest has not accepted. `reason` is the failed condition. */
    promocodes: readonly { code: string; reason: DiscountReason | null }[];
    subtotalKopecks: number;
    toPayKopecks: number;
  };
  /** Missing in earlier orders. */
  buyer?: {
    isSignedIn: boolean;
    /** Applies to guests without an account. Null means no limit. */
    guestSumKopecks: number | null;
    reachedLimits: readonly ReachedLimit[];
  };
  /** Null until the guest chooses. */
  address: AddressFact | null;
  time: {
    /** ZONE_CLOSED if only the zone is not served (rule FUL-53). */
    acceptance: Omit<Acceptance, 'reason'> & {
      reason: Acceptance['reason'] | CodeOf<'ZoneNotAcceptingReason'>;
    };
    /** Null if the stop has no end. */
    intakeStoppedUntil: number | null;
    timedOrdersEnabled: boolean;
    /** True for `asap`. */
    isSlotOffered: boolean;
    /** Null if no slot is offered. */
    nearestSlotId: string | null;
    /** Null if intake does not end. */
    intakeEndsInMinutes: number | null;
    expectation: { minutes: number; scope: CodeOf<'EtaScope'> } | null;
  };
  paymentMethods: readonly PaymentFact[];
  gifts: {
    /** Gifts that need the guest's decision. */
    undecided: readonly {
      compensationId: string;
      choices: readonly string[];
      replacements: readonly { rewardCode: string; name: string }[];
    }[];
    unavailable: readonly string[];
  };
};
