import { momentText } from '../../delivery/rules/schedule.ts';
import { isBehind, type OrderProblem, type OrderState } from '../rules/order-states.ts';
import type { Order } from '../schemas/orders.ts';

type Move = { state: OrderState; at: Date; problem: OrderProblem | null };

/** Includes ERP corrections (rule ORD-31). */
export const statusHistory = (moves: readonly Move[], timeZone: string): Order['statusHistory'] =>
  moves.map(({ state, at, problem }, index) => ({
    status: state,
    at: momentText(at.getTime(), timeZone),
    problem,
    ...(isBehind(state, moves[index - 1]?.state ?? state) ? { corrected: true } : {}),
  }));
