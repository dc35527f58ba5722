import type { MeasuredChain } from './chain-model.ts';

const SIXTY: MeasuredChain = {
  name: '60 restaurants on 4 connections, 28 November 2026',
  restaurants: 60,
  connections: 4,
  idle: {
    APIs: 0.0204,
    'worker sync': 0.0414,
    'worker order': 0.0335,
    'worker build': 0.0059,
    PostgreSQL: 0.0286,
    Temporal: 0.0167,
    "Temporal's PostgreSQL": 0.0033,
  },
  orders: {
    perSecond: 2,
    foreign: 3.24,
    calls: 4.63,
    p50Ms: 1_347,
    p95Ms: 2_108,
    cores: {
      APIs: 0.1244,
      'worker sync': 0.0567,
      'worker order': 0.1428,
      'worker build': 0.0129,
      PostgreSQL: 0.1373,
      Temporal: 0.2045,
      "Temporal's PostgreSQL": 0.1164,
    },
  },
  stops: {
    perSecond: 1.43,
    cores: {
      APIs: 0.1174,
      'worker sync': 0.1753,
      'worker order': 0.0787,
      'worker build': 0.0079,
      PostgreSQL: 0.098,
      Temporal: 0.1532,
      "Temporal's PostgreSQL": 0.0995,
    },
  },
  edit: {
    seconds: 68.1,
    stopsPerSecond: 1.25,
    cores: {
      APIs: 0.1148,
      'worker sync': 0.1238,
      'worker order': 0.0562,
      'worker build': 0.2339,
      PostgreSQL: 0.1407,
      Temporal: 0.1533,
      "Temporal's PostgreSQL": 0.1098,
    },
  },
};

/**
 * Before polls that find nothing new ran without Temporal (decision 140). Builds were under way
 * when it was measured without guests. At 20 orders a second ERP_RATE kept most of their work for
 * later.
 */
const THOUSAND: MeasuredChain = {
  name: '1,000 restaurants on 50 connections, 25 November 2026',
  restaurants: 1_000,
  connections: 50,
  idle: {
    APIs: 0.02,
    'worker sync': 0.07,
    'worker order': 0.06,
    'worker build': Number.NaN,
    PostgreSQL: 0.36,
    Temporal: 0.31,
    "Temporal's PostgreSQL": 0.2,
  },
  orders: {
    perSecond: 20,
    foreign: 0,
    calls: Number.NaN,
    p50Ms: Number.NaN,
    p95Ms: Number.NaN,
    cores: {
      APIs: 0.32,
      'worker sync': Number.NaN,
      'worker order': 0.14,
      'worker build': Number.NaN,
      PostgreSQL: 0.42,
      Temporal: 0.41,
      "Temporal's PostgreSQL": 0.32,
    },
  },
  stops: null,
  edit: null,
};

export const MEASURED: readonly MeasuredChain[] = [SIXTY, THOUSAND];
/** The run whose costs the model uses, and one that shows what does not grow with connections. */
export const REFERENCE = SIXTY;
export const OTHER = THOUSAND;
