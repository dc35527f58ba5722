/** A sequential model of rights, independent of the product's state table. */

export type ModelMove =
  | { do: 'grant'; right: string; gift: number; marker: string | null; term: number }
  | { do: 'reserve'; order: string; rights: readonly string[] }
  | { do: 'confirm' | 'cancel' | 'fail'; order: string }
  | { do: 'import'; order: string; right: string }
  | { do: 'expire' | 'staff cancel' | 'block' | 'unblock'; right: string }
  | { do: 'rebind'; right: string; gift: number };

/** The default of the setting `gift_return_days`, in hours. */
export const RETURN_HOURS = 7 * 24;

type ModelRight = {
  gift: number;
  term: number;
  /** The undecided order that reserved the right. */
  heldBy: string | null;
  usedBy: string | null;
  /** Our former order, if another order used its right. */
  wasHeldBy: string | null;
  ended: 'EXPIRED' | 'CANCELLED' | null;
  isBroken: boolean;
  moves: number;
};

export type Standing = {
  status: string;
  rewardId: number;
  reservedOrderId: string | null;
  redeemedOrderId: string | null;
  version: number;
};

export class RightsModel {
  private readonly rights = new Map<string, ModelRight>();
  private readonly markers = new Set<string>();
  /** Redeemed rights, to prove that no right is given twice. */
  private readonly uses: string[] = [];

  /** Applies a move completely or not at all. Returns the moved rights. */
  apply(move: ModelMove, hour: number): string[] {
    const done = this.rightsOf(move, hour).toSorted();
    for (const id of done) this.rights.get(id)!.moves += 1;
    this.check();
    return done;
  }

  standing(id: string): Standing | undefined {
    const right = this.rights.get(id);
    if (right === undefined) return undefined;
    const { gift, heldBy, usedBy, wasHeldBy, ended, isBroken, moves } = right;
    const open = heldBy !== null ? 'RESERVED' : isBroken ? 'BLOCKED' : 'GRANTED';
    return {
      status: usedBy !== null ? 'REDEEMED' : (ended ?? open),
      rewardId: gift,
      reservedOrderId: heldBy ?? wasHeldBy,
      redeemedOrderId: usedBy,
      // A grant is not counted as a move.
      version: moves - 1,
    };
  }

  private rightsOf(move: ModelMove, hour: number): string[] {
    switch (move.do) {
      case 'grant':
        return this.grant(move);
      case 'reserve':
        return this.reserve(move.order, move.rights, hour);
      case 'confirm':
        return this.heldBy(move.order).map((id) => this.use(id, move.order));
      case 'cancel':
      case 'fail':
        return this.heldBy(move.order).map((id) => this.giveBack(id, hour));
      case 'import':
        return this.isFree(move.right) || this.isHeld(move.right)
          ? [this.use(move.right, move.order)]
          : [];
      case 'expire':
        return this.isFree(move.right) && this.isOver(move.right, hour)
          ? [this.change(move.right, { ended: 'EXPIRED' })]
          : [];
      case 'staff cancel':
        return this.isFree(move.right) ? [this.change(move.right, { ended: 'CANCELLED' })] : [];
      case 'block':
        return this.isFree(move.right) ? [this.change(move.right, { isBroken: true })] : [];
      case 'unblock':
        return this.isBlocked(move.right) ? [this.change(move.right, { isBroken: false })] : [];
      case 'rebind':
        return this.isFree(move.right) || this.isBlocked(move.right)
          ? [this.change(move.right, { isBroken: false, gift: move.gift })]
          : [];
    }
  }

  private grant({ right, gift, marker, term }: Extract<ModelMove, { do: 'grant' }>): string[] {
    if (marker !== null && this.markers.has(marker)) return [];
    if (marker !== null) this.markers.add(marker);
    const open = { heldBy: null, usedBy: null, wasHeldBy: null, ended: null, isBroken: false };
    this.rights.set(right, { gift, term, ...open, moves: 0 });
    return [right];
  }

  private reserve(order: string, ids: readonly string[], hour: number): string[] {
    if (!ids.every((id) => this.isFree(id) && !this.isOver(id, hour))) return [];
    return ids.map((id) => this.change(id, { heldBy: order }));
  }

  /** A right that expired while reserved gets a new term by a separate move. */
  private giveBack(id: string, hour: number): string {
    if (!this.isOver(id, hour)) return this.change(id, { heldBy: null });
    const { moves } = this.rights.get(id)!;
    return this.change(id, { heldBy: null, term: hour + RETURN_HOURS, moves: moves + 1 });
  }

  private use(id: string, order: string): string {
    this.uses.push(id);
    return this.change(id, { usedBy: order, wasHeldBy: this.rights.get(id)!.heldBy, heldBy: null });
  }

  private change(id: string, what: Partial<ModelRight>): string {
    Object.assign(this.rights.get(id)!, what);
    return id;
  }

  private heldBy(order: string): string[] {
    return [...this.rights].flatMap(([id, { heldBy }]) => (heldBy === order ? [id] : []));
  }

  private is(id: string, test: (right: ModelRight) => boolean): boolean {
    const right = this.rights.get(id);
    return right !== undefined && right.usedBy === null && right.ended === null && test(right);
  }

  private isFree = (id: string) =>
    this.is(id, ({ heldBy, isBroken }) => heldBy === null && !isBroken);
  private isHeld = (id: string) => this.is(id, ({ heldBy }) => heldBy !== null);
  private isBlocked = (id: string) => this.is(id, ({ isBroken }) => isBroken);
  private isOver = (id: string, hour: number) => this.is(id, ({ term }) => hour >= term);

  private check(): void {
    if (new Set(this.uses).size < this.uses.length)
      throw new Error(`A right was used twice: ${this.uses.join(', ')}`);
    for (const [id, { usedBy, heldBy, ended, isBroken }] of this.rights) {
      const places = [usedBy !== null, heldBy !== null, ended !== null, isBroken].filter(
        Boolean,
      ).length;
      if (places > 1) throw new Error(`The right ${id} is in ${places} places`);
    }
  }
}
