export * from './generated/public.ts';
export * from './cart-lines.ts';
export { eventsOf, type StreamEvent } from './event-stream.ts';
export * from './images.ts';
export * from './pages.ts';
export * from './watch.ts';
export { isProblem, kopecks, ProblemError } from './transport.ts';
export type * from './transport.ts';
