// `npm run test:all [-- <pattern>]`: the test command with the tests of minutes, the workshop tests
// and the soak, each once.
process.env['SOAK_FACTOR'] ??= '1';
await import('./test.ts');
