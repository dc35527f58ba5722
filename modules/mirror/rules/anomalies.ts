/** Anomalies of ERP answers. They are reported to operators and do not stop a run. */
export const ANOMALY_CODES = [
  /** A price, terminal group or stop row of an organization that is not mirrored. */
  'UNKNOWN_ORGANIZATION',
  /**
   * A placement of a dish without a product entry. It is imported with the data of the placement.
   */
  'UNKNOWN_PRODUCT',
  /** A modifier group contains a modifier without an entry. The link is skipped. */
  'UNKNOWN_MODIFIER',
  /** A blank name. Shown instead: the sku or id, or the modifiers of a group. */
  'BLANK_NAME',
  /** The answer's revision is lower than the saved one. */
  'REVISION_OLDER',
  /**
   * Batches of one run have different revisions. The lowest is saved, and the next run converges.
   */
  'REVISIONS_DIFFER',
  /** A menu without items: valid but rarely intended. */
  'EMPTY_MENU',
  /** Another connection has the same organization. Only one may be active. */
  'ORGANIZATION_CLAIMED_TWICE',
  /** An organization is listed several times. The first entry counts. */
  'ORGANIZATION_LISTED_TWICE',
  /**
   * A price below 0 or above 1,000,000,000 rubles counts as missing. The last price is kept as a
   * lost one.
   */
  'INVALID_PRICE',
  /** A combo is not sold: it has no dish and no price of its own. Samples are names. */
  'COMBO_LEFT_OUT',
  /** A placement without a product that is not a combo. Samples are names. */
  'PLACEMENT_WITHOUT_PRODUCT',
  /**
   * An unknown kind of order line. The dish is ordered as a product. Samples are names with the
   * kind.
   */
  'UNKNOWN_ORDER_ITEM_TYPE',
  /** Invalid coordinates. The organization is imported without them. */
  'INVALID_COORDINATES',
  /** A time zone that is neither an IANA name nor an offset. */
  'UNKNOWN_TIME_ZONE',
  /** The answer lacks a requested organization. Its data is kept. */
  'ORGANIZATION_NOT_ANSWERED',
  /** Two zones of an organization have one name. The first counts. */
  'ZONE_LISTED_TWICE',
  /** An invalid polygon. The zone keeps its last one; a new zone contains no address. */
  'INVALID_ZONE_POLYGON',
  /**
   * The border crosses itself. The even-odd rule applies. Samples end with the area of the largest
   * affected part.
   */
  'ZONE_CROSSES_ITSELF',
  /** A rule of an unknown zone or organization is skipped. */
  'UNKNOWN_ZONE',
  /** An unreadable row or field is skipped. Samples are paths in the answer. */
  'ODD_ROW',
  /** A rule with invalid weekdays, minutes or duration is skipped. */
  'INVALID_ZONE_TERMS',
  /**
   * A category with an unknown schedule or unreadable periods. Without any period it is sold at all
   * hours. Samples are categories.
   */
  'SCHEDULE_NOT_READ',
] as const;
export type AnomalyCode = (typeof ANOMALY_CODES)[number];

/** The count of one anomaly with examples: ids or dish names, never personal data. */
export type Anomaly = { code: AnomalyCode; count: number; samples: string[] };

const SAMPLES = 3;

/** Returns a counter of anomalies that keeps the first distinct samples of each code. */
export function createAnomalies() {
  const found = new Map<AnomalyCode, Anomaly>();
  return {
    add(code: AnomalyCode, sample: string): void {
      const anomaly = found.get(code) ?? { code, count: 0, samples: [] };
      anomaly.count += 1;
      if (anomaly.samples.length < SAMPLES && !anomaly.samples.includes(sample))
        anomaly.samples.push(sample);
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
