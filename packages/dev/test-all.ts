// `npm run test:all [-- <pattern>]`: the test command with slow tests, workshop tests and the soak.
// SOAK_FACTOR multiplies the repetitions of races and crashes, default 1.
process.env['SOAK_FACTOR'] ??= '1';
await import('./test.ts');
