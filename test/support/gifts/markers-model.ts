import assert from 'node:assert/strict';
import {
  compareMarkers,
  sourceMarker,
  type KnownMarker,
  type MarkerChanges,
  type MarkerRight,
} from '../../../modules/gifts/rules/markers.ts';

function remembered(known: readonly KnownMarker[], changes: MarkerChanges<number>): KnownMarker[] {
  const { granted, conflicts, returned, vanished } = changes;
  const fresh = (markers: typeof granted, right: MarkerRight): KnownMarker[] =>
    markers.map(({ subject, generation }) => ({ subject, generation, isPresent: true, right }));
  return [
    ...known.map((marker) => {
      if (vanished.includes(marker)) return { ...marker, isPresent: false };
      return returned.includes(marker) ? { ...marker, isPresent: true } : marker;
    }),
    ...fresh(granted, 'LIVE'),
    ...fresh(conflicts, 'NONE'),
  ];
}

export const SUBJECTS = ['tart', 'cake'];
export type Step = { what: string; subject: string };

/** Independent counts of markers by the state of their rights. */
type Numbers = { over: number; none: number; live: number; away: number; made: number };

export class MarkersModel {
  readonly actual = new Map(SUBJECTS.map((subject) => [subject, 0]));
  readonly added = new Map(SUBJECTS.map((subject) => [subject, 0]));
  readonly numbers = new Map<string, Numbers>(
    SUBJECTS.map((subject) => [subject, { over: 0, none: 0, live: 0, away: 0, made: 0 }]),
  );
  readonly withoutReward = new Set<string>();
  readonly issued = new Set<string>();
  readonly tally: Record<string, number>;
  readonly onlyOneRight: boolean;
  readonly most: number;
  hasRight = false;
  known: KnownMarker[] = [];

  constructor(tally: Record<string, number>, onlyOneRight: boolean, most: number) {
    this.tally = tally;
    this.onlyOneRight = onlyOneRight;
    this.most = most;
  }

  step({ what, subject }: Step): void {
    const actual = this.actual.get(subject)!;
    const numbers = this.numbers.get(subject)!;
    if (what === 'add' && actual < this.most) {
      this.actual.set(subject, actual + 1);
      this.added.set(subject, this.added.get(subject)! + 1);
    }
    // We remove a marker only while a marker with a used right is present.
    if (actual > 0 && (what === 'remove' || (what === 'clear' && numbers.over > 0)))
      this.actual.set(subject, actual - 1);
    if (what === 'use' && numbers.live > 0) this.become(subject, true, 'LIVE', 'OVER');
    if (what === 'use away' && numbers.away > 0) this.become(subject, false, 'LIVE', 'OVER');
    if (what === 'decide' && numbers.none > 0) this.become(subject, true, 'NONE', 'LIVE');
    if (what === 'reward' && !this.withoutReward.delete(subject)) this.withoutReward.add(subject);
    if (what === 'other') this.hasRight = !this.hasRight;
    if (what.startsWith('read')) this.read(what === 'read');
  }

  private become(subject: string, isPresent: boolean, from: MarkerRight, to: MarkerRight): void {
    const found = this.known.find(
      (marker) =>
        marker.subject === subject && marker.isPresent === isPresent && marker.right === from,
    );
    this.known = this.known.map((marker) => (marker === found ? { ...marker, right: to } : marker));
    const numbers = this.numbers.get(subject)!;
    if (from === 'NONE') numbers.none -= 1;
    else if (isPresent) numbers.live -= 1;
    else numbers.away -= 1;
    if (to === 'LIVE') numbers.live += 1;
    else if (isPresent) numbers.over += 1;
  }

  read(isWhole: boolean): MarkerChanges<number> {
    const card = { counts: new Map([...this.actual].filter(([, count]) => count > 0)), isWhole };
    const { onlyOneRight, hasRight } = this;
    const rules = {
      rewardOf: (subject: string) => (this.withoutReward.has(subject) ? null : 7),
      onlyOneRight,
      hasRight,
    };
    const changes = compareMarkers(this.known, card, rules);
    const expected = this.expected(isWhole);
    this.known = remembered(this.known, changes);

    assert.deepEqual(this.summary(changes), expected);
    for (const { subject, generation } of [...changes.granted, ...changes.conflicts]) {
      const name = sourceMarker('client', { subject, generation });
      assert.ok(!this.issued.has(name), `${name} is issued twice`);
      this.issued.add(name);
    }
    for (const subject of SUBJECTS) {
      const promises = [...this.issued].filter((name) => name.includes(`/${subject}/`)).length;
      assert.ok(promises <= this.added.get(subject)!, `${subject} has more rights than promises`);
    }
    const again = compareMarkers(this.known, card, rules);
    const { granted, conflicts, returned, vanished } = again;
    assert.deepEqual([granted, conflicts, returned, vanished], [[], [], [], []]);
    for (const [name, { length }] of Object.entries(changes))
      this.tally[name] = (this.tally[name] ?? 0) + length;
    return changes;
  }

  private summary({ granted, conflicts, returned, vanished, ignored }: MarkerChanges<number>) {
    return SUBJECTS.map((subject) => {
      const count = (list: readonly { subject: string }[]) =>
        list.filter((entry) => entry.subject === subject).length;
      return {
        granted: count(granted),
        conflicts: count(conflicts),
        returned: count(returned),
        vanished: count(vanished),
        missed: count(vanished.filter((marker) => marker.right === 'LIVE')),
        ignored: ignored.includes(subject),
      };
    });
  }

  private expected(isWhole: boolean) {
    const all = SUBJECTS.map((subject) => ({ subject, numbers: this.numbers.get(subject)! }));
    const liveBefore = all.some(({ numbers }) => numbers.live + numbers.away > 0) || this.hasRight;
    const found = all.map(({ subject, numbers }) => {
      const result = {
        granted: 0,
        conflicts: 0,
        returned: 0,
        vanished: 0,
        missed: 0,
        ignored: false,
      };
      let difference = this.actual.get(subject)! - (numbers.over + numbers.none + numbers.live);
      while (difference < 0 && isWhole) {
        difference += 1;
        result.vanished += 1;
        if (numbers.over > 0) numbers.over -= 1;
        else if (numbers.none > 0) numbers.none -= 1;
        else {
          numbers.live -= 1;
          numbers.away += 1;
          result.missed += 1;
        }
      }
      while (difference > 0 && numbers.away > 0) {
        difference -= 1;
        numbers.away -= 1;
        numbers.live += 1;
        result.returned += 1;
      }
      const isMeant = !this.withoutReward.has(subject);
      result.ignored = difference > 0 && !isMeant;
      return { numbers, result, fresh: isMeant ? Math.max(0, difference) : 0 };
    });
    const fresh = found.reduce((sum, entry) => sum + entry.fresh, 0);
    const isGranted = !this.onlyOneRight || (!liveBefore && fresh === 1);
    for (const entry of found) {
      entry.numbers.made += entry.fresh;
      entry.numbers[isGranted ? 'live' : 'none'] += entry.fresh;
      entry.result[isGranted ? 'granted' : 'conflicts'] += entry.fresh;
    }
    return found.map(({ result }) => result);
  }

  liveRights(): number {
    return this.known.filter((marker) => marker.right === 'LIVE').length;
  }
}
