// Native ESM: MikroORM 7 and openid-client 6 are ESM only (docs/decisions/0003-tests.md).
export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'es6' } },
    ],
  },
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testSequencer: '<rootDir>/test/support/sequencer.mjs',
  testTimeout: 60_000,
  modulePathIgnorePatterns: ['<rootDir>/.carte'],
};
