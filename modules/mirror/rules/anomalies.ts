/** An anomaly in the ERP's answer: it does not stop a run but is reported to operators. */
export const ANOMALY_CODES = [
  /** A price, terminal group or stop row of an organization we do not mirror. */
  'UNKNOWN_ORGANIZATION',
  /**
   * A placement names a dish that the product dictionary lacks; it is imported with the data of the
   * placement.
   */
  'UNKNOWN_PRODUCT',
  /** A modifier group names a modifier that the dictionary lacks; the link is left out. */
  'UNKNOWN_MODIFIER',
  /**
   * A name of nothing but spaces; the sku or the id is shown instead, for a group its modifiers.
   */
  'BLANK_NAME',
  /** The answer's revision is older than the saved one. */
  'REVISION_OLDER',
  /**
   * Batches of one run have different revisions; the smallest is saved and the next run converges.
   */
  'REVISIONS_DIFFER',
  /** A menu without a single item: legal, and seldom meant. */
  'EMPTY_MENU',
  /** Another connection claims the same organization; only one may be active. */
  'ORGANIZATION_CLAIMED_TWICE',
  /** An answer lists one organization several times; the first one is taken. */
  'ORGANIZATION_LISTED_TWICE',
  /**
   * A price below zero or above a thousand million roubles; it is read as no price, and the last
   * one stays as a lost one.
   */
  'INVALID_PRICE',
  /** A combo: it has no dish and no price of its own and is not sold; the samples are names. */
  'COMBO_LEFT_OUT',
  /**
   * A placement without a product that is no combo: there is nothing to sell; the samples are
   * names.
   */
  'PLACEMENT_WITHOUT_PRODUCT',
  /**
   * A kind of order line that is new to us; the dish is ordered as a product. The samples are names
   * with the kind.
   */
  'UNKNOWN_ORDER_ITEM_TYPE',
  /**
   * Coordinates that lie nowhere on Earth, or are not numbers; the organization is imported without
   * them.
   */
  'INVALID_COORDINATES',
  /** A time zone that is neither an IANA name nor an offset. */
  'UNKNOWN_TIME_ZONE',
  /** The answer lacks a requested organization; its stored data stay. */
  'ORGANIZATION_NOT_ANSWERED',
  /** An organization has two zones of one name; the first one is taken. */
  'ZONE_LISTED_TWICE',
  /** A polygon that cannot be one; the zone keeps its last one, a new zone contains no address. */
  'INVALID_ZONE_POLYGON',
  /**
   * The border of a polygon crosses itself; the even-odd rule decides. Samples end with the area of
   * the largest such part.
   */
  'ZONE_CROSSES_ITSELF',
  /** A rule names a zone that the map does not have, or another organization; it is left out. */
  'UNKNOWN_ZONE',
  /** A row or a field that cannot be read and is left out; the samples are places in the answer. */
  'ODD_ROW',
  /** A rule with weekdays, minutes or a duration that cannot be; it is left out. */
  'INVALID_ZONE_TERMS',
  /**
   * A category names a schedule that the menu lacks, or some of its periods cannot be read. Without
   * any period the category is sold at all hours; the samples are categories.
   */
  'SCHEDULE_NOT_READ',
] as const;
export type AnomalyCode = (typeof ANOMALY_CODES)[number];

/** The count of one anomaly, with a few examples (ids or names of dishes, never personal data). */
export type Anomaly = { code: AnomalyCode; count: number; samples: string[] };

const SAMPLES = 3;

/** Counts anomalies by code and keeps the first few distinct samples of each. */
export function createAnomalies() {
  const found = new Map<AnomalyCode, Anomaly>();
  return {
    add(code: AnomalyCode, sample: string): void {
      const anomaly = found.get(code) ?? { code, count: 0, samples: [] };
      anomaly.count += 1;
      if (anomaly.samples.length < SAMPLES && !anomaly.samples.includes(sample)) anomaly.samples.push(sample);
      found.set(code, anomaly);
    },
    list: (): Anomaly[] => [...found.values()].toSorted((a, b) => (a.code < b.code ? -1 : 1)),
  };
}
export type Anomalies = ReturnType<typeof createAnomalies>;

/** Adds up the anomalies of several batches by code. */
export function mergeAnomalies(lists: readonly (readonly Anomaly[])[]): Anomaly[] {
  const merged = new Map<AnomalyCode, Anomaly>();
  for (const { code, count, samples } of lists.flat()) {
    const existing = merged.get(code);
    merged.set(code, {
      code,
      count: (existing?.count ?? 0) + count,
      samples: [...new Set([...(existing?.samples ?? []), ...samples])].slice(0, SAMPLES),
    });
  }
  return [...merged.values()].toSorted((a, b) => (a.code < b.code ? -1 : 1));
}
