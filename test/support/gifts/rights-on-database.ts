import { randomUUID } from 'node:crypto';
import { grantRight } from '../../../modules/gifts/rights/grant-right.ts';
import {
  moveRights,
  redeemRights,
  releaseRights,
  reserveRights,
  RightsTaken,
  type WantedMove,
} from '../../../modules/gifts/rights/move-rights.ts';
import type { Database, Tx } from '../text-database.ts';
import { GRANTER, rebuiltRights, storedRights } from '../rights.ts';
import type { ModelMove } from './rights-model.ts';
import { ScheduleModel, type Schedule, type Tally } from './right-schedules.ts';
import { Died, SteppedSession, type Ended } from './stepped-sessions.ts';

const MIDNIGHT = Date.parse('2030-01-01T00:00:00Z');
const HOUR = 3_600_000;
const toTime = (hour: number): Date => new Date(MIDNIGHT + hour * HOUR);

const ONE_RIGHT = {
  import: 'IMPORT',
  expire: 'EXPIRE',
  'staff cancel': 'CANCEL',
  block: 'BLOCK',
  unblock: 'UNBLOCK',
  rebind: 'REBIND',
} as const;

export async function perform(
  tx: Tx,
  clientId: string,
  move: ModelMove,
  hour: number,
): Promise<string[]> {
  const at = toTime(hour);
  switch (move.do) {
    case 'grant': {
      const id = await grantRight(tx, GRANTER, {
        clientId,
        rewardId: move.gift,
        quantity: 1,
        reason: 'OTHER',
        reasonCommentId: null,
        source: move.marker === null ? 'AUTO' : 'ERP_COMMENT',
        sourceMarker: move.marker,
        sourceOrderId: null,
        grantedBy: 'SYSTEM',
        expiresAt: Number.isFinite(move.term) ? toTime(move.term) : null,
        at,
      });
      return id === null ? [] : [id];
    }
    case 'reserve':
      await reserveRights(tx, { orderId: move.order, rights: move.rights, at });
      return [...move.rights];
    case 'confirm':
      return redeemRights(tx, move.order, { at });
    case 'cancel':
      return releaseRights(tx, move.order, 'CANCELLED', { at });
    case 'fail':
      return releaseRights(tx, move.order, 'FAILED', { at });
    case 'import':
    case 'expire':
    case 'staff cancel':
    case 'block':
    case 'unblock':
    case 'rebind': {
      const wanted: WantedMove = { move: ONE_RIGHT[move.do], reason: 'because', at };
      const more =
        move.do === 'import'
          ? { orderId: move.order }
          : move.do === 'rebind'
            ? { rewardId: move.gift }
            : {};
      const { moved } = await moveRights(
        tx,
        GRANTER,
        { ids: [move.right] },
        { ...wanted, ...more },
      );
      return moved.map(({ id }) => id);
    }
  }
}

/** Returns the moved rights, null if the session died. Rethrows other errors. */
export function movedBy(ended: Ended<string[]>): string[] | null {
  if ('value' in ended) return ended.value;
  if (ended.error instanceof RightsTaken) return [];
  if (ended.error instanceof Died) return null;
  throw ended.error;
}

/**
 * The transaction of an order reads a single state. Other moves read the committed state in each
 * statement.
 */
export const toOptions = ({ do: what }: ModelMove) => ({ oneState: what === 'reserve' });

type Running = {
  session: SteppedSession<string[]>;
  move: ModelMove;
  hour: number;
  left: number;
  waits: boolean;
};
type Lane = { left: Schedule['wishes'][number]; running: Running | null };

/**
 * Runs a schedule on two connections of PostgreSQL and in the model, then decides every order.
 * Throws if both differ.
 */
export async function runOnDatabase(
  db: Database,
  { clientId, gifts }: { clientId: string; gifts: readonly [number, number] },
  { wishes, picks, hours }: Schedule,
  tally: Tally & { conflicts: number },
) {
  const model = new ScheduleModel(randomUUID, gifts);
  let hour = 0;
  const lanes = wishes.map((list): Lane => ({ left: [...list], running: null }));

  async function step(lane: Lane, other: Lane): Promise<boolean> {
    const { running } = lane;
    if (running === null) {
      const wish = lane.left.shift();
      if (wish === undefined) return false;
      const move = model.moveOf(wish);
      if (move === null) return true;
      const [session, at] = [new SteppedSession<string[]>(db, 'statements'), (hour += hours)];
      session.begin((tx) => perform(tx, clientId, move, at), toOptions(move));
      lane.running = { session, move, hour: at, left: wish.diesAfter ?? Infinity, waits: false };
      await rest(lane);
      return true;
    }
    if (running.waits) return false;
    running.session.step({ dies: running.left === 0 });
    running.left -= 1;
    await rest(lane);
    await rest(other);
    return true;
  }

  async function rest(lane: Lane): Promise<void> {
    const { running } = lane;
    if (running === null) return;
    const waits = !(await running.session.rests());
    if (waits && !running.waits) tally.waits += 1;
    running.waits = waits;
    const { ended, conflicts } = running.session;
    if (ended === null) return;
    lane.running = null;
    tally.conflicts += conflicts;
    const moved = movedBy(ended);
    if (moved === null) tally.deaths += 1;
    else note(running.move, running.hour, moved);
  }

  function note(move: ModelMove, at: number, moved: string[]): void {
    const [id] = moved;
    model.committed(
      move.do === 'grant' && id !== undefined ? { ...move, right: id } : move,
      at,
      moved,
      tally,
    );
  }

  const alone = async (move: ModelMove) =>
    note(move, hour, await db.transaction((tx) => perform(tx, clientId, move, hour)));
  for (const move of model.firstMoves()) await alone(move);
  for (
    let at = 0;
    lanes.some(({ left, running }) => left.length > 0 || running !== null);
    at += 1
  ) {
    const [first, second] = picks[at % picks.length] === true ? lanes : lanes.toReversed();
    if (!(await step(first!, second!)) && !(await step(second!, first!)))
      throw new Error('The sessions wait for each other');
  }
  for (const move of model.lastMoves()) await alone(move);
  const expected = model.expected();
  const ids = expected.map(({ id }) => id);
  return { stored: await storedRights(db, ids), expected, rebuilt: await rebuiltRights(db, ids) };
}
