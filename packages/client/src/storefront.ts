export * from './generated/public.ts';
export * from './cart-lines.ts';
export * from './images.ts';
export * from './pages.ts';
export * from './watch.ts';
export { isProblem, kopecks, ProblemError } from './transport.ts';
export type * from './transport.ts';
