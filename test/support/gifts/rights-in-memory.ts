import {
  afterMove,
  movedRight,
  type CompensationMoveName,
  type StandingRight,
} from '../../../modules/gifts/rules/states.ts';
import { rebuilt, type LedgerEntry } from '../rights.ts';
import { RETURN_HOURS, type ModelMove } from './rights-model.ts';
import { ScheduleModel, type Schedule, type Tally, type Wish } from './right-schedules.ts';

type Row = StandingRight & { id: string; expiresAt: number | null };

const NAMES: Readonly<Record<Exclude<ModelMove['do'], 'grant'>, CompensationMoveName>> = {
  reserve: 'RESERVE',
  confirm: 'REDEEM',
  cancel: 'RELEASE',
  fail: 'RELEASE',
  import: 'IMPORT',
  expire: 'EXPIRE',
  'staff cancel': 'CANCEL',
  block: 'BLOCK',
  unblock: 'UNBLOCK',
  rebind: 'REBIND',
};

/** Rights in memory: rows with locks, and atomic transactions. */
class RightsInMemory {
  readonly rows = new Map<string, Row>();
  readonly ledger: LedgerEntry[] = [];
  private readonly marked = new Set<string>();
  private readonly holders = new Map<string, object>();

  /**
   * Yields between statements; the value is true while the move waits for a lock. Ending the
   * generator early rolls back.
   */
  *move(session: object, move: ModelMove, hour: number): Generator<boolean, string[]> {
    try {
      yield false;
      return yield* move.do === 'grant'
        ? this.grant(session, move)
        : this.change(session, move, hour);
    } finally {
      for (const [name, holder] of this.holders) if (holder === session) this.holders.delete(name);
    }
  }

  private *hold(session: object, name: string): Generator<boolean, void> {
    while ((this.holders.get(name) ?? session) !== session) yield true;
    this.holders.set(name, session);
  }

  private *change(
    session: object,
    move: Exclude<ModelMove, { do: 'grant' }>,
    hour: number,
  ): Generator<boolean, string[]> {
    const isMeant = ({ id, status, reservedOrderId }: Row): boolean => {
      if (move.do === 'reserve') return move.rights.includes(id);
      return 'right' in move
        ? id === move.right
        : status === 'RESERVED' && reservedOrderId === move.order;
    };
    // Rows are selected at the start of the statement and evaluated again after a lock wait, as in
    // PostgreSQL.
    const found = [...this.rows.values()].filter(isMeant).map(({ id }) => id);
    for (const id of found.toSorted()) yield* this.hold(session, id);
    const held = found.map((id) => this.rows.get(id)!).filter(isMeant);
    yield false;
    const orderId = 'order' in move ? move.order : null;
    const rewardId = move.do === 'rebind' ? move.gift : undefined;
    const name = NAMES[move.do];
    const changes = held.flatMap((before) => {
      const after = afterMove(before, name, { at: hour, orderId, reason: 'because' });
      return 'to' in after
        ? [{ before, after: movedRight(before, after.to, { orderId, rewardId }) }]
        : [];
    });
    if (move.do === 'reserve' && changes.length < move.rights.length) return [];
    yield false;
    for (const { before, after } of changes) this.write(name, before, after, { orderId, hour });
    for (const { after } of changes) {
      if (name !== 'RELEASE' || after.expiresAt === null || hour < after.expiresAt) continue;
      const extended = { ...after, version: after.version + 1, expiresAt: hour + RETURN_HOURS };
      this.write('EDIT', after, extended, { orderId: null, hour });
    }
    return changes.map(({ after }) => after.id);
  }

  private *grant(
    session: object,
    { right: id, gift: rewardId, marker, term }: Extract<ModelMove, { do: 'grant' }>,
  ): Generator<boolean, string[]> {
    if (marker !== null) {
      yield* this.hold(session, marker);
      if (this.marked.has(marker)) return [];
    }
    yield false;
    if (marker !== null) this.marked.add(marker);
    const free = { reservedOrderId: null, redeemedOrderId: null, version: 0 };
    const expiresAt = Number.isFinite(term) ? term : null;
    this.write(
      'GRANT',
      null,
      { id, status: 'GRANTED', rewardId, ...free, expiresAt },
      { orderId: null, hour: 0 },
    );
    return [id];
  }

  private write(
    move: LedgerEntry['move'],
    before: Row | null,
    after: Row,
    { orderId, hour }: { orderId: string | null; hour: number },
  ): void {
    this.rows.set(after.id, after);
    const { id: compensationId, version, status: toStatus, rewardId } = after;
    const fromStatus = before?.status ?? null;
    const facts = { rewardId, orderId, reason: 'because', reasonId: null, at: new Date(hour) };
    this.ledger.push({ compensationId, version, move, fromStatus, toStatus, ...facts });
  }
}

type Running = { steps: Generator<boolean, string[]>; move: ModelMove; hour: number; left: number };

/** Runs a schedule in memory and in the model, then decides every order. Throws if both differ. */
export function runInMemory({ wishes, picks, hours }: Schedule, tally: Tally) {
  const store = new RightsInMemory();
  let ids = 0;
  const model = new ScheduleModel(() => `id-${String((ids += 1)).padStart(3, '0')}`, [1, 2]);
  let hour = 0;
  const sessions = wishes.map((list) => ({ left: [...list], running: null as Running | null }));

  function step(session: (typeof sessions)[number]): boolean {
    const wish = session.left[0];
    if (session.running === null) {
      if (wish === undefined) return false;
      session.left.shift();
      session.running = begun(wish, session);
      return true;
    }
    const { steps, move, hour: at } = session.running;
    if (session.running.left === 0) {
      steps.return([]);
      tally.deaths += 1;
      session.running = null;
      return true;
    }
    const next = steps.next();
    if (next.done !== true) {
      if (next.value) tally.waits += 1;
      else session.running.left -= 1;
      return !next.value;
    }
    model.committed(move, at, next.value, tally);
    session.running = null;
    return true;
  }

  function begun({ diesAfter, ...wish }: Wish, session: object): Running | null {
    const move = model.moveOf(wish);
    if (move === null) return null;
    hour += hours;
    return { steps: store.move(session, move, hour), move, hour, left: diesAfter ?? Infinity };
  }

  for (const move of model.firstMoves())
    model.committed(move, hour, drained(store.move({}, move, hour)), tally);
  for (
    let at = 0;
    sessions.some(({ left, running }) => left.length > 0 || running !== null);
    at += 1
  ) {
    const [first, second] = picks[at % picks.length] === true ? sessions : sessions.toReversed();
    if (!step(first!) && !step(second!)) throw new Error('The sessions wait for each other');
  }
  for (const move of model.lastMoves())
    model.committed(move, hour, drained(store.move({}, move, hour)), tally);
  const byId = [...store.rows.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return {
    stored: byId.map(({ id, status, rewardId, reservedOrderId, redeemedOrderId, version }) => ({
      id,
      status,
      rewardId,
      reservedOrderId,
      redeemedOrderId,
      version,
    })),
    expected: model.expected(),
    rebuilt: rebuilt(
      store.ledger.toSorted((a, b) =>
        a.compensationId < b.compensationId
          ? -1
          : a.compensationId > b.compensationId
            ? 1
            : a.version - b.version,
      ),
    ),
  };
}

function drained(steps: Generator<boolean, string[]>): string[] {
  for (;;) {
    const next = steps.next();
    if (next.done === true) return next.value;
  }
}
