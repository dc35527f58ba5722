export * from './generated/admin.ts';
export { OPERATION_PERMISSIONS } from './generated/permissions.ts';
export { eventsOf, type StreamEvent } from './event-stream.ts';
export * from './pages.ts';
export * from './staff-session.ts';
export { isProblem, kopecks, ProblemError } from './transport.ts';
export type * from './transport.ts';
