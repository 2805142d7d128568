/** A package, or a part of one, whose code is mutated to see whether its tests notice. */
export interface Target {
  /** The name for `pnpm mutants <name>`. */
  readonly name: string
  /** Relative to the repository's root. */
  readonly folder: string
  /** The mutated files: globs within the folder; `!` excludes. */
  readonly mutate: readonly string[]
  /** The tests to run: globs within the folder. They must be fast, since each mutant runs them again. */
  readonly tests: readonly string[]
  /**
   * Skips code that runs once, when a module is loaded: constants, type strings, tables. Each such mutant
   * reloads everything for all tests, which would take most of the time.
   */
  readonly sparesStatic: boolean
  /** The minimum score in percent: the last one reached, rounded down. */
  readonly floor: number
}

const sources = ['src/**/*.ts', '!src/**/*.test.ts', '!src/**/index.ts', '!src/**/*.generated.ts']

/** All code that decides about money or identity and can be tested without a chain or a database. */
export const targets: readonly Target[] = [
  {
    name: 'smart-balance',
    folder: 'packages/smart-balance',
    mutate: sources,
    tests: ['src/**/*.test.ts'],
    sparesStatic: true,
    floor: 96,
  },
  {
    name: 'session-keys',
    folder: 'packages/session-keys',
    mutate: sources,
    tests: ['src/**/*.test.ts'],
    sparesStatic: true,
    floor: 97,
  },
  {
    name: 'client',
    folder: 'packages/client',
    mutate: [...sources, '!src/generated/**', '!src/trpc.ts'],
    tests: ['src/**/*.test.ts'],
    sparesStatic: true,
    floor: 96,
  },
  {
    name: 'accounts',
    folder: 'packages/accounts',
    mutate: sources,
    tests: ['src/**/*.test.ts'],
    sparesStatic: true,
    floor: 100,
  },
  {
    name: 'contracts',
    folder: 'packages/contracts',
    mutate: [
      'src/primitives/*.ts',
      'src/errors/*.ts',
      'src/smart-account/{paymaster-data,sign-mode,transaction-detail}.ts',
      'src/session-key/{permission,session-key,unix-seconds}.ts',
      'src/smart-balance/quote-type.ts',
      'src/webauthn/binary.ts',
      '!src/**/*.test.ts',
    ],
    tests: ['src/**/*.test.ts'],
    sparesStatic: false,
    floor: 100,
  },
  {
    name: 'api',
    folder: 'apps/api',
    mutate: [
      'src/domain/accounts/passkeys/{authentication-response,client-data,encodings}.ts',
      'src/domain/accounts/passkeys/{verification-failed,verify-assertion,verify-registration}.ts',
      'src/domain/operations/{nonces,signers/recognise-signature}.ts',
      'src/domain/session-keys/{p256,recognise-session-signature}.ts',
      'src/domain/smart-balance/orders/{order-bytes,reserved-calls}.ts',
      'src/domain/smart-balance/{ledger/availability,model/get-smart-balance,quotes/order-signer,quotes/plan-with,quotes/solution}.ts',
      'src/domain/accounts/api-keys/{api-key,key-text,wallet-key}.ts',
      'src/domain/accounts/tokens/tokens.ts',
      'src/pipeline/idempotency/{key-format,stored-answer}.ts',
    ],
    tests: [
      'src/domain/accounts/passkeys/*.test.ts',
      'src/domain/operations/{nonces,signers/recognise-signature}.test.ts',
      'src/domain/session-keys/*.test.ts',
      'src/domain/smart-balance/orders/*.test.ts',
      'src/domain/smart-balance/decisions.test.ts',
      'src/domain/accounts/api-keys/key-text.test.ts',
      'src/domain/accounts/tokens/*.test.ts',
      'src/pipeline/idempotency/{decisions,request-hash}.test.ts',
    ],
    sparesStatic: true,
    floor: 98,
  },
]

/** @throws Error if no target has the name */
export function findTarget(name: string): Target {
  const target = targets.find((one) => one.name === name)
  if (target) return target
  throw new Error(
    `There is no target "${name}". The targets are ${targets.map((one) => one.name).join(', ')}.`,
  )
}
