// `npm run test:all [-- <pattern>]`: the test command with the tests of minutes, the workshop tests
// and the soak. SOAK_FACTOR multiplies the repetitions of races and crashes, once by default.
process.env['SOAK_FACTOR'] ??= '1';
await import('./test.ts');
