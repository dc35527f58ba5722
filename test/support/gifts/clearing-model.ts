import assert from 'node:assert/strict';
import { blockSubject } from '../../../modules/gifts/cards/cleared-marker.ts';
import {
  clearMarker,
  obstacle,
  type CardPorts,
  type MarkerChange,
  type ReadCard,
} from '../../../modules/gifts/markers/clear-marker.ts';
import { readBlocks } from '../../../modules/gifts/rules/comment-blocks.ts';
import {
  compareMarkers,
  countToLeave,
  isCountedOut,
  type KnownMarker,
  type NotCleared,
  type SeenMarkers,
} from '../../../modules/gifts/rules/markers.ts';
import type { MarkerSource } from '../../../modules/gifts/rules/words.ts';

function createRandom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

export const NAMES = ['Тарт', 'Ролл'];
const TAGS = ['[COMP]', '[/COMP]', '[COMP ', '[/ COMP]', '\r\n', '𝔊ift', 'e\u0301'];
const GIFTS = new Set([...NAMES, ...NAMES.map(blockSubject)]);
const GRANTING = {
  rewardOf: (subject: string) => (GIFTS.has(subject) ? 7 : null),
  onlyOneRight: false,
  hasRight: false,
};
const NEVER = { ...GRANTING, rewardOf: () => null };

const nameOf = ({ subject, generation }: KnownMarker): string => `${subject}/${generation}`;

class Killed extends Error {}

/**
 * A client's card at an ERP that loses calls and responses, while people edit it and the program
 * may die at any step. Every write checks the invariants.
 */
export class ClearingModel {
  readonly source: MarkerSource;
  readonly random: (limit: number) => number;
  readonly tally: Record<string, number>;
  comment = '';
  categories = new Set<string>();
  known: KnownMarker[] = [];
  readonly promises = new Map<string, number>();
  readonly rights = new Map<string, number>();
  /** Number of equal markers that must remain when a marker is removed. */
  private lefts = new Map<string, number | null>();
  /** Markers that our write removed, even if its response was lost. */
  private taken = new Set<string>();
  /** Wrongly recorded removals: people removed an equal marker, and our write was lost. */
  mistaken = 0;
  /** Words that must stay on the card. */
  words = new Set<string>();
  isQuiet = false;
  private clock = 0;
  private readAt = -1;
  private lastRead = '';
  private sinceRead = new Set<string>();
  private counter = 0;

  constructor(source: MarkerSource, seed: number, tally: Record<string, number>) {
    this.source = source;
    this.random = createRandom(seed);
    this.tally = tally;
  }

  count(what: string): void {
    this.tally[what] = (this.tally[what] ?? 0) + 1;
  }

  private between(): void {
    this.clock += 1;
    if (this.isQuiet || this.random(5) > 0) return;
    const what = this.random(this.source === 'ERP_COMMENT' ? 9 : 5);
    if (what === 0) this.promise();
    if (what === 1) this.edited(() => this.takeAway());
    if (what === 2) this.remember(this.read(), true);
    if (what === 3) this.use();
    if (what === 4 && this.random(3) === 0) throw new Killed();
    if (what === 5) this.write(this.random(this.comment.length + 1), this.word());
    if (what === 6)
      this.edited(() =>
        this.write(this.random(this.comment.length + 1), TAGS[this.random(TAGS.length)]!),
      );
    if (what === 7) this.edited(() => this.mend());
    if (what === 8 && this.random(3) === 0) this.replace();
    this.count(`people ${what}`);
  }

  private word(): string {
    const word = `w${(this.counter += 1)}_`;
    this.words.add(word);
    this.sinceRead.add(word);
    return word;
  }

  /** Inserts text anywhere, even within a surrogate pair, but not into a checked word. */
  private write(wanted: number, text: string): void {
    const inside = [...this.comment.matchAll(/w\d+_/g)].find(
      ({ 0: word, index }) => wanted > index && wanted < index + word.length,
    );
    const at = inside === undefined ? wanted : inside.index;
    this.comment = this.comment.slice(0, at) + text + this.comment.slice(at);
  }

  private promise(): void {
    const name = NAMES[this.random(NAMES.length)]!;
    if (this.source === 'ERP_CATEGORY') {
      if (this.categories.has(name)) return;
      this.categories.add(name);
    } else this.write(this.random(this.comment.length + 1), `[COMP]${name}[/COMP]`);
    this.promises.set(this.subjectOf(name), (this.promises.get(this.subjectOf(name)) ?? 0) + 1);
  }

  /** Counts blocks around an edit, because a repaired tag may complete a block. */
  private edited(edit: () => void): void {
    const count = (subject: string) =>
      readBlocks(this.comment).blocks.filter(({ name }) => blockSubject(name) === subject).length;
    const subjects = NAMES.map((name) => blockSubject(name));
    const before = subjects.map(count);
    edit();
    for (const [index, subject] of subjects.entries()) {
      const more = count(subject) - before[index]!;
      if (more > 0) this.promises.set(subject, (this.promises.get(subject) ?? 0) + more);
    }
  }

  private subjectOf(name: string): string {
    return this.source === 'ERP_COMMENT' ? blockSubject(name) : name;
  }

  private takeAway(): void {
    const name = NAMES[this.random(NAMES.length)]!;
    if (this.source === 'ERP_CATEGORY') this.categories.delete(name);
    else {
      const block = readBlocks(this.comment).blocks.find((entry) => entry.name === name);
      if (block !== undefined)
        this.comment = this.comment.slice(0, block.start) + this.comment.slice(block.end);
    }
  }

  mend(): void {
    for (
      let { damage } = readBlocks(this.comment);
      damage.length > 0;
      { damage } = readBlocks(this.comment)
    ) {
      const [{ start, end }] = damage as [{ start: number; end: number }];
      this.comment = this.comment.slice(0, start) + this.comment.slice(end);
    }
    for (const word of this.words) if (!this.comment.includes(word)) this.words.delete(word);
  }

  /** A person separates blocks from words and deletes half characters, which we do not write. */
  private tidy(): void {
    const { blocks } = readBlocks(this.comment);
    const texts = blocks.map(({ start, end }) => this.comment.slice(start, end));
    this.comment = [...this.words, ...texts].join('\n').toWellFormed();
  }

  private replace(): void {
    this.words.clear();
    this.comment = this.word();
  }

  /** An order uses the right of a stored marker. */
  private use(): void {
    const live = this.known.filter(({ right }) => right === 'LIVE');
    const used = live[this.random(Math.max(1, live.length))];
    this.known = this.known.map((marker) =>
      marker === used ? { ...marker, right: 'USED' } : marker,
    );
    if (used !== undefined) this.count('used');
  }

  read(): ReadCard & { askedAt: Date } {
    const categories = [...this.categories].map((id) => ({ id, name: null, isActive: true }));
    return {
      customer: { comment: this.comment, categories },
      askedAt: new Date((this.clock += 1)),
    };
  }

  /** Stores a reading like the product. Returns false if a later reading was stored. */
  remember({ customer, askedAt }: ReadCard, isGranting: boolean, clears?: KnownMarker): boolean {
    if (this.readAt >= askedAt.getTime()) return false;
    const { blocks, damage } = readBlocks(
      this.source === 'ERP_COMMENT' ? (customer.comment ?? '') : '',
    );
    const subjects =
      this.source === 'ERP_COMMENT'
        ? blocks.map(({ name }) => blockSubject(name))
        : customer.categories.map(({ id }) => id);
    const counts = new Map(
      [...Map.groupBy(subjects, (text) => text)].map(([subject, list]) => [subject, list.length]),
    );
    const seen = { counts, isWhole: damage.length === 0 };
    const gone = clears === undefined ? null : this.countedOut(clears, seen);
    const left = this.known.map((marker) =>
      marker === gone ? { ...marker, isPresent: false } : marker,
    );
    const changes = compareMarkers(left, seen, {
      ...(isGranting ? GRANTING : NEVER),
      clears: left.find((marker) => clears !== undefined && nameOf(marker) === nameOf(clears)),
    });
    for (const { subject } of [...changes.vanished, ...(gone === null ? [] : [gone])])
      for (const name of this.lefts.keys())
        if (name.startsWith(`${subject}/`)) this.lefts.delete(name);
    this.known = [
      ...left.map((marker) => {
        if (changes.vanished.includes(marker)) return { ...marker, isPresent: false };
        return changes.returned.includes(marker) ? { ...marker, isPresent: true } : marker;
      }),
      ...changes.granted.map(({ subject, generation }) => ({
        subject,
        generation,
        isPresent: true,
        right: 'LIVE' as const,
      })),
    ];
    const names = new Set(this.known.map(nameOf));
    assert.equal(names.size, this.known.length, 'a generation is used twice');
    for (const { subject } of changes.granted) {
      this.rights.set(subject, (this.rights.get(subject) ?? 0) + 1);
      assert.ok(
        this.rights.get(subject)! <= this.promises.get(subject)!,
        'more rights than promises',
      );
    }
    this.tally['granted'] = (this.tally['granted'] ?? 0) + changes.granted.length;
    this.readAt = this.clock += 1;
    return true;
  }

  private countedOut(marker: KnownMarker, seen: SeenMarkers): KnownMarker | null {
    const existing = this.known.find((entry) => nameOf(entry) === nameOf(marker))!;
    if (isCountedOut(existing, seen, this.lefts.get(nameOf(existing)) ?? null)) {
      this.count('counted out');
      if (!this.taken.has(nameOf(existing))) this.mistaken += 1;
      return existing;
    }
    if (seen.isWhole) this.lefts.delete(nameOf(existing));
    return null;
  }

  /** Writes the card. The ERP may reject the call, or the call or its response may be lost. */
  private change(change: MarkerChange, marker: KnownMarker): NotCleared | null {
    const luck = this.isQuiet ? 9 : this.random(20);
    if (luck === 0) return obstacle('REFUSED');
    if (luck === 1) return obstacle('ERP_UNAVAILABLE');
    this.count('changes');
    if ('categoryId' in change) this.categories.delete(change.categoryId);
    else {
      this.checkWritten(change.comment);
      for (const word of this.words)
        if (!change.comment.includes(word)) {
          assert.ok(this.sinceRead.has(word), 'a word that we had read is overwritten');
          this.words.delete(word);
          this.count('overwritten');
        }
      this.comment = change.comment;
      this.taken.add(nameOf(marker));
    }
    return luck === 2 ? obstacle('ERP_UNAVAILABLE') : null;
  }

  private checkWritten(written: string): void {
    const used = this.known
      .filter(({ right, isPresent }) => right === 'USED' && isPresent)
      .map(({ subject }) => subject);
    const gone = readBlocks(this.lastRead).blocks.find(
      ({ start, end }) => this.lastRead.slice(0, start) + this.lastRead.slice(end) === written,
    );
    assert.ok(gone !== undefined, 'something else than one block has gone');
    assert.ok(
      used.includes(blockSubject(gone.name)) || this.counted(gone.name),
      'the block of no used right has gone',
    );
    assert.equal(readBlocks(written).damage.length, 0);
    assert.equal(readBlocks(written).blocks.length, readBlocks(this.lastRead).blocks.length - 1);
  }

  /** Counts a block that a later reading no longer found. The block may be a new promise. */
  private counted(name: string): boolean {
    this.count('gone meanwhile');
    return this.known.some(
      ({ subject, right }) => subject === blockSubject(name) && right === 'USED',
    );
  }

  private portsFor(marker: KnownMarker): CardPorts {
    const step = <T>(work: () => T): Promise<T> => {
      this.between();
      const done = work();
      this.between();
      return Promise.resolve(done);
    };
    return {
      read: () => {
        this.between();
        const reading = this.read();
        this.lastRead = this.comment;
        this.sinceRead = new Set();
        this.between();
        if (!this.isQuiet && this.random(20) === 0)
          return Promise.resolve(obstacle('ERP_UNAVAILABLE'));
        return Promise.resolve(reading);
      },
      remember: (reading) =>
        step(() => {
          const isCurrent = this.remember(reading, false, marker);
          const { isPresent } = this.known.find(
            ({ subject, generation }) =>
              subject === marker.subject && generation === marker.generation,
          )!;
          if (!isPresent) return 'ABSENT';
          return isCurrent ? 'PRESENT' : 'OVERTAKEN';
        }),
      change: (change) =>
        step(() => {
          if ('equals' in change) {
            const equals = this.known.filter(
              (entry) => entry.isPresent && entry.subject === marker.subject,
            );
            this.lefts.set(nameOf(marker), countToLeave(change.equals, equals.length));
          }
          return this.change(change, marker);
        }),
    };
  }

  waiting(): KnownMarker | undefined {
    return this.known.find(({ right, isPresent }) => right === 'USED' && isPresent);
  }

  /** Starts a card with stored promises, one of them used, among other words. */
  private begin(): void {
    if (this.random(2) === 0) this.edited(() => this.mend());
    for (let left = this.random(3); left >= 0; left -= 1) this.promise();
    if (this.source === 'ERP_COMMENT')
      this.write(this.random(this.comment.length + 1), this.word());
    this.remember(this.read(), true);
    this.use();
  }

  async tryToClear(): Promise<void> {
    this.between();
    const marker = this.waiting();
    if (marker === undefined) return;
    const clearing = await clearMarker(this.portsFor(marker), {
      source: this.source,
      subject: marker.subject,
    });
    this.count(clearing.cleared ? 'cleared' : `held ${clearing.heldBy}`);
  }

  async live(tries: number): Promise<void> {
    for (let made = 0; made < tries; made += 1)
      try {
        if (this.waiting() === undefined) this.begin();
        await this.tryToClear();
      } catch (error) {
        if (!(error instanceof Killed)) throw error;
        this.count('killed');
      }
    this.isQuiet = true;
    this.edited(() => this.mend());
    this.remember(this.read(), true);
    for (let left = 2 * this.known.length; left >= 0 && this.waiting() !== undefined; left -= 1) {
      const unsafe = this.tally['held UNSAFE'] ?? 0;
      await this.tryToClear();
      if ((this.tally['held UNSAFE'] ?? 0) > unsafe) this.edited(() => this.tidy());
    }
    // A remaining marker was promised while an equal marker was removed.
    this.remember(this.read(), true);
  }
}
