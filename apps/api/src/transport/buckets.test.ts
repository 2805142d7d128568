import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { callsOf } from '../http/admit.ts'
import { endpointList } from '../platform/endpoint-list.ts'

/** The endpoints that count in a stricter bucket. */
const stricter = {
  reads: [
    'connect.callsStatus',
    'gas.tokens',
    'message.check',
    'message.prepare',
    'owner.list',
    'owner.recoveryKit',
    'ownership.status',
    'recovery.status',
    'sessionKey.history',
    'sessionKey.list',
    'smartAccount.create',
    'smartBalance.deposits',
    'smartBalance.exit',
    'smartBalance.getBalance',
    'wallet.activity',
    'wallet.balances',
    'wallet.ledger',
    'wallet.transfers',
    'webauthn.messageOptions',
  ],
  builds: [
    'guardian.check',
    'guardian.list',
    'guardian.prove',
    'owner.add',
    'owner.remove',
    'ownership.prepare',
    'ownership.submit',
    'recovery.cancel',
    'recovery.execute',
    'recovery.prepare',
    'recovery.sign',
    'sessionKey.check',
    'sessionKey.disable',
    'sessionKey.enable',
    'smartAccount.build',
    'smartAccount.gasFees',
    'smartAccount.importSafe',
    'smartAccount.simulate',
    'smartAccount.sponsorship',
    'smartAccount.submit',
    'smartBalance.computeSolution',
    'smartBalance.deposit',
    'smartBalance.getQuote',
    'smartBalance.terms',
    'wallet.faucet',
    'webauthn.credentialRemove',
    'webauthn.transactionOptions',
    'webauthn.transactionVerify',
  ],
  ceremonies: [
    'identity.askGuardians',
    'identity.exchange',
    'identity.link',
    'identity.register',
    'identity.reserve',
    'identity.start',
    'identity.verify',
    'login.message',
    'login.verify',
    'message.finish',
    'webauthn.authenticateOptions',
    'webauthn.authenticateVerify',
    'webauthn.credentialOptions',
    'webauthn.credentialVerify',
    'webauthn.discoverOptions',
    'webauthn.discoverVerify',
    'webauthn.messageVerify',
    'webauthn.recoveryOptions',
    'webauthn.registerOptions',
    'webauthn.registerVerify',
  ],
}

describe('callsOf', () => {
  test.each(endpointList)('args: $name counts the same over both transports', ({ name, declaration }) => {
    const isHealth = name === 'system.health'
    const expected = {
      calls: Number(!isHealth),
      health: Number(isHealth),
      reads: Number(stricter.reads.includes(name)),
      builds: Number(stricter.builds.includes(name)),
      ceremonies: Number(stricter.ceremonies.includes(name)),
    }
    expect(callsOf(declaration.path)).toEqual(expected)
    expect(callsOf(`/trpc/${name}`)).toEqual(expected)
  })

  test('behavior: every call of a batch counts for any encoding of the commas', () => {
    const batch = [
      'smartAccount.build',
      'smartAccount.build',
      'login.message',
      'user.details',
      'system.health',
    ]
    const expected = { calls: 4, reads: 0, builds: 2, ceremonies: 1, health: 1 }
    expect(callsOf(`/trpc/${batch.join(',')}`)).toEqual(expected)
    expect(callsOf(`/trpc/${batch.join('%2C')}`)).toEqual(expected)
  })

  test.each(['/nothing', '/', '/trpc', '/trpc/%', '/trpc/__proto__'])(
    'behavior: %s counts as one call',
    (path) => {
      expect(callsOf(path)).toEqual({ calls: 1, reads: 0, builds: 0, ceremonies: 0, health: 0 })
    },
  )
})

/**
 * Functions that a caller must not run without a limit: simulations, trial of signatures, reads of every network or of
 * its logs.
 */
const costly = [
  'operations/prepare/estimate.ts',
  'operations/submit/find-signed-operation.ts',
  'operations/submit/submit-operation.ts',
  'accounts/owners/read-owners.ts',
  'accounts/accounts/balances.ts',
  'accounts/accounts/deployed-networks.ts',
  'ledger/incoming-transfers.ts',
  'smart-balance/ledger/plan-deposit.ts',
  'smart-balance/ledger/sync-ledger.ts',
].map((file) => new URL(`../domain/${file}`, import.meta.url).href)

const source = (url: string) => readFileSync(new URL(url), 'utf8')

/** A source file and its imports from this app at run time. */
function reachable(url: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(url)) return seen
  seen.add(url)
  for (const [, path = ''] of source(url).matchAll(/^(?:im|ex)port (?!type )[^;]*? from '(\.[^']+)'/gm)) {
    reachable(new URL(path, url).href, seen)
  }
  return seen
}

/** The file of each procedure, from the list that generates the router. */
const procedureFiles = new Map(
  [
    ...source(new URL('../routers/index.generated.ts', import.meta.url).href).matchAll(
      /as (\w+)_(\w+) \} from '\.\/([^']+)'/g,
    ),
  ].map(([, noun, verb, path]) => [`${noun}.${verb}`, new URL(`../routers/${path}`, import.meta.url).href]),
)

describe('costly procedures', () => {
  test('behavior: every procedure has a file, and every costly file is used', () => {
    expect([...procedureFiles.keys()].sort()).toEqual(endpointList.map(({ name }) => name).sort())
    const used = new Set([...procedureFiles.values()].flatMap((file) => [...reachable(file)]))
    expect(costly.filter((file) => !used.has(file))).toEqual([])
  })

  test.each([...procedureFiles])('behavior: %s counts in a stricter bucket if it is costly', (name, file) => {
    const isCostly = costly.some((part) => reachable(file).has(part))
    const { reads, builds, ceremonies } = callsOf(`/trpc/${name}`)
    if (isCostly) expect(reads + builds + ceremonies).toBe(1)
  })

  test.each([...procedureFiles])('behavior: %s counts as a build if it simulates', (name, file) => {
    const [simulation = ''] = costly
    if (reachable(file).has(simulation)) expect(callsOf(`/trpc/${name}`).builds).toBe(1)
  })
})
