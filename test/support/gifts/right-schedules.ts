import fc from 'fast-check';
import { RightsModel, type ModelMove, type Standing } from './rights-model.ts';

/** A planned step of a session. Rights and orders are numbered. */
export type Wish = {
  do: ModelMove['do'];
  rights: readonly [number, number];
  order: number;
  /** The hour in which a grant expires. Half of the 24 values mean never. */
  term: number;
  marker: number | null;
  /** Statements until the session dies, null for never. */
  diesAfter: number | null;
};

/** Moves of two sessions and their interleaving. `hours` pass between two moves. */
export type Schedule = { wishes: readonly [Wish[], Wish[]]; picks: boolean[]; hours: number };

/** Committed moves, moves without effect, and redeemed rights. */
export type Tally = {
  moves: number;
  refused: number;
  redeemed: number;
  waits: number;
  deaths: number;
};
export const emptyTally = (): Tally => ({ moves: 0, refused: 0, redeemed: 0, waits: 0, deaths: 0 });

/** Upper bound of expiry hours, about the length of a schedule. */
const LATEST_TERM = 24;

const wish = fc.record({
  do: fc.constantFrom<ModelMove['do']>(
    ...([
      'reserve',
      'reserve',
      'reserve',
      'confirm',
      'confirm',
      'cancel',
      'fail',
      'import',
      'expire',
    ] as const),
    ...(['staff cancel', 'block', 'unblock', 'unblock', 'rebind', 'grant', 'grant'] as const),
  ),
  rights: fc.tuple(fc.nat(5), fc.nat(5)),
  order: fc.nat(5),
  term: fc.integer({ min: 1, max: 2 * LATEST_TERM }),
  marker: fc.option(fc.nat(2), { freq: 2 }),
  diesAfter: fc.oneof(
    { weight: 6, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.nat(3) },
  ),
});

export const schedules = (moves: number): fc.Arbitrary<Schedule> =>
  fc.record({
    wishes: fc.tuple(
      fc.array(wish, { minLength: moves / 2, maxLength: moves }),
      fc.array(wish, { minLength: moves / 2, maxLength: moves }),
    ),
    picks: fc.array(fc.boolean(), { minLength: moves * 8, maxLength: moves * 8 }),
    hours: fc.constantFrom(1, 2, 4),
  });

export class ScheduleModel {
  readonly model = new RightsModel();
  readonly orders: string[] = [];
  readonly rights: string[] = [];
  readonly gifts: readonly [number, number];
  private readonly newId: () => string;
  private readonly name: string;

  constructor(newId: () => string, gifts: readonly [number, number]) {
    this.newId = newId;
    this.gifts = gifts;
    this.name = newId();
  }

  /** Null if the order of the step does not exist. */
  moveOf({ do: what, rights, order, term, marker }: Omit<Wish, 'diesAfter'>): ModelMove | null {
    const right = this.rights[rights[0] % Math.max(this.rights.length, 1)];
    const known = this.orders[order % Math.max(this.orders.length, 1)];
    switch (what) {
      case 'grant': {
        const isMarked = marker !== null;
        return {
          do: what,
          right: this.newId(),
          gift: this.gifts[0],
          marker: isMarked ? `${this.name}/${marker}` : null,
          term: term > LATEST_TERM ? Infinity : term,
        };
      }
      case 'reserve': {
        const other = this.rights[rights[1] % Math.max(this.rights.length, 1)];
        const wanted = [...new Set([right, other])].filter((entry) => entry !== undefined);
        return wanted.length === 0 ? null : { do: what, order: this.newId(), rights: wanted };
      }
      case 'confirm':
      case 'cancel':
      case 'fail':
        return known === undefined ? null : { do: what, order: known };
      case 'import':
        return right === undefined ? null : { do: what, right, order: this.newId() };
      case 'rebind':
        return right === undefined ? null : { do: what, right, gift: this.gifts[1] };
      case 'expire':
      case 'staff cancel':
      case 'block':
      case 'unblock':
        return right === undefined ? null : { do: what, right };
    }
  }

  firstMoves(): ModelMove[] {
    return [Infinity, LATEST_TERM].map((term) => ({
      do: 'grant',
      right: this.newId(),
      gift: this.gifts[0],
      marker: null,
      term,
    }));
  }

  /** Decides open orders: confirms one, fails the next. */
  lastMoves(): ModelMove[] {
    return this.orders.map((order, at) => ({ do: at % 2 === 0 ? 'confirm' : 'fail', order }));
  }

  /** Applies a committed move to the model. Throws if the model moves different rights. */
  committed(move: ModelMove, hour: number, moved: readonly string[], tally: Tally): void {
    tally.moves += 1;
    if (moved.length === 0) tally.refused += 1;
    if (move.do === 'confirm' || move.do === 'import') tally.redeemed += moved.length;
    const expected = this.model.apply(move, hour);
    if (expected.join() !== moved.toSorted().join())
      throw new Error(
        `${JSON.stringify(move)} at ${hour}: the model moved ${expected.join() || 'nothing'}, the product ${moved.join() || 'nothing'}`,
      );
    if (move.do === 'grant' && moved.length > 0) this.rights.push(move.right);
    if (move.do === 'reserve' && moved.length > 0) this.orders.push(move.order);
  }

  expected(): (Standing & { id: string })[] {
    return this.rights.toSorted().map((id) => ({ id, ...this.model.standing(id)! }));
  }
}
