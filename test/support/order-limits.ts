import type { OrderLimits } from '../../modules/settings/schemas/settings.ts';

const NONE = { open: 0, day: 0 };

/** For suites and benchmarks, which order more often than people. */
export const NO_ORDER_LIMITS: OrderLimits = {
  GUEST: NONE,
  CUSTOMER: NONE,
  ADDRESS: NONE,
  NETWORK: NONE,
  POINT: NONE,
};

const MANY = { open: 100_000, day: 100_000 };

/** Limits that are counted but never reached. */
export const HIGH_ORDER_LIMITS: OrderLimits = {
  GUEST: MANY,
  CUSTOMER: MANY,
  ADDRESS: MANY,
  NETWORK: MANY,
  POINT: MANY,
};
