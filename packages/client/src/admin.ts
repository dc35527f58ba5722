export * from './generated/admin.ts';
export * from './pages.ts';
export * from './staff-session.ts';
export { isProblem, kopecks, ProblemError } from './transport.ts';
export type * from './transport.ts';
