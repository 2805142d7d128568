import type { Target } from './target.ts'

const sources = ['src/**/*.ts', '!src/**/*.test.ts', '!src/**/index.ts', '!src/**/*.generated.ts']

/** All code that decides about money or identity and can be tested without a chain or a database. */
export const targets: readonly Target[] = [
  {
    name: 'smart-balance',
    folder: 'packages/smart-balance',
    decides:
      'what an order debits, lends and costs; its hashes, signatures and encoding; the calls of deposits and exits',
    leftOut: 'nothing',
    mutate: sources,
    tests: ['src/**/*.test.ts'],
    sparesStatic: true,
    floor: 96,
  },
  {
    name: 'session-keys',
    folder: 'packages/session-keys',
    decides: 'what a session may do and what it costs; its calls, signatures and rejections',
    leftOut: 'nothing',
    mutate: sources,
    tests: ['src/**/*.test.ts'],
    sparesStatic: true,
    floor: 97,
  },
  {
    name: 'client',
    folder: 'packages/client',
    decides: 'whether the service built exactly what was requested, before anyone signs it',
    leftOut: 'code generated from the OpenAPI document; `trpc.ts`, which contains only types',
    mutate: [...sources, '!src/generated/**', '!src/trpc.ts'],
    tests: ['src/**/*.test.ts'],
    sparesStatic: true,
    floor: 96,
  },
  {
    name: 'accounts',
    folder: 'packages/accounts',
    decides: 'addresses, init code, call data, operation hashes, signature encodings',
    leftOut: 'nothing',
    mutate: sources,
    tests: ['src/**/*.test.ts'],
    sparesStatic: true,
    floor: 100,
  },
  {
    name: 'contracts',
    folder: 'packages/contracts',
    decides: 'which input is well-formed: addresses, amounts, networks, names, keys, permissions',
    leftOut: 'declarations of endpoints, which only combine schemas and are pinned by the OpenAPI document',
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
    decides:
      'credentials and ceremonies, recognised signatures, lanes, orders and their signers, API keys, tokens, idempotency',
    leftOut: 'everything that uses a chain, a database or a socket',
    mutate: [
      'src/domain/accounts/passkeys/{authentication-response,base64url,client-data,transports,user-handle}.ts',
      'src/domain/accounts/passkeys/{verification-failed,verify-assertion,verify-registration}.ts',
      'src/domain/operations/{lanes,signed-operation,submit/recognise-signature}.ts',
      'src/domain/session-keys/{p256,recognise-session-signature}.ts',
      'src/domain/smart-balance/orders/{order-bytes,order-signer,reserved-calls}.ts',
      'src/domain/smart-balance/{ledger/availability,ledger/plan-error,ledger/plan-with,ledger/require-amount,smart-balance-on,quotes/solution}.ts',
      'src/domain/accounts/api-keys/{api-key,key-text,wallet-key}.ts',
      'src/domain/accounts/tokens/tokens.ts',
      'src/pipeline/idempotency/{key-format,replayed-error,request-hash,stored-answer,takes-key}.ts',
    ],
    tests: [
      'src/domain/accounts/passkeys/*.test.ts',
      'src/domain/operations/{lanes,signed-operation,submit/recognise-signature}.test.ts',
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
    `one.name).join(', ')}. => There is no target "${name}". The targets are ${targets.map((one) => one.name).join(', ')}. => one.name).join(', ')}.`,
  )
}
