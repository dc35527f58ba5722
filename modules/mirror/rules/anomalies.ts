/** Anomalies are reported to operators and do not stop a run. */
export const ANOMALY_CODES = [
  /** A row belongs to an organization that is not mirrored. */
  'UNKNOWN_ORGANIZATION',
  /** A placement has no product entry. The dish gets the data of the placement. */
  'UNKNOWN_PRODUCT',
  /** A modifier has no entry. The link is skipped. */
  'UNKNOWN_MODIFIER',
  /** The SKU or id, or the modifiers of a group, are shown instead. */
  'BLANK_NAME',
  'REVISION_OLDER',
  /** Batches of one run differ. The lowest revision is saved, and the next run converges. */
  'REVISIONS_DIFFER',
  'EMPTY_MENU',
  /** Two connections have the organization. Only one may be active. */
  'ORGANIZATION_CLAIMED_TWICE',
  /** The first entry counts. */
  'ORGANIZATION_LISTED_TWICE',
  /** A price below 0 or above 1,000,000,000 rubles counts as missing. */
  'INVALID_PRICE',
  /** Combos are not sold. Samples are names. */
  'COMBO_LEFT_OUT',
  /** Samples are names. */
  'PLACEMENT_WITHOUT_PRODUCT',
  /** The dish is ordered as a product. Samples are names with the kind. */
  'UNKNOWN_ORDER_ITEM_TYPE',
  /** The organization is imported without coordinates. */
  'INVALID_COORDINATES',
  /** Neither an IANA name nor an offset. */
  'UNKNOWN_TIME_ZONE',
  /** The response lacks a requested organization, which keeps its data. */
  'ORGANIZATION_NOT_ANSWERED',
  /** Two zones of an organization have one name. The first counts. */
  'ZONE_LISTED_TWICE',
  /** The zone keeps its last polygon; a new zone contains no address. */
  'INVALID_ZONE_POLYGON',
  /** The even-odd rule applies. Samples end with the area of the largest affected part. */
  'ZONE_CROSSES_ITSELF',
  'UNKNOWN_ZONE',
  /** An unreadable row or field is skipped. Samples are paths in the response. */
  'ODD_ROW',
  /** A rule with invalid weekdays, minutes or duration is skipped. */
  'INVALID_ZONE_TERMS',
  /**
   * A category has an unknown schedule or unreadable periods. Without any readable period it is
   * sold at all hours. Samples are categories.
   */
  'SCHEDULE_NOT_READ',
] as const;

export type AnomalyCode = (typeof ANOMALY_CODES)[number];

/** `samples` contains ids or dish names, never personal data. */
export type Anomaly = { code: AnomalyCode; count: number; samples: string[] };

const SAMPLES = 3;

/** Keeps the first distinct samples of each code. */
export function createAnomalies() {
  const anomalies = new Map<AnomalyCode, Anomaly>();
  return {
    add(code: AnomalyCode, sample: string): void {
      const anomaly = anomalies.get(code) ?? { code, count: 0, samples: [] };
      anomaly.count += 1;
      if (anomaly.samples.length < SAMPLES && !anomaly.samples.includes(sample))
        anomaly.samples.push(sample);
      anomalies.set(code, anomaly);
    },
    list: (): Anomaly[] => [...anomalies.values()].toSorted((a, b) => (a.code < b.code ? -1 : 1)),
  };
}

export type Anomalies = ReturnType<typeof createAnomalies>;

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
