/** @module-tag all */
/** @module-tag longer */
// @promise 1
import { testEngines, usualEngine } from '@lanyard/database/testing'
import { sessionKeysAbi } from '@lanyard/onchain'
import { isLong, randomPrivateKey, reportFigure } from '@lanyard/testing'
import { type Address, type Hex, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postJson } from '../http-service.ts'
import { type Death, deaths, dieAndRetry, type Journey } from '../kill/die-and-retry.ts'
import { eoaJourney } from '../kill/eoa-journey.ts'
import { chainId, type KillFixture, startKillFixture } from '../kill/kill-fixture.ts'
import { type PasskeyUser, passkeyJourney, registerPasskey } from '../kill/passkey-user.ts'
import { type ConfiguredService, startConfigured } from '../start-configured.ts'
import { ecdsaKey, fees, payment, type SessionKeyPair } from './session-service.ts'

/**
 * The process dies by SIGKILL at every checkpoint of the code, while a session is granted (by an EOA or a passkey),
 * used or ended. Each action happens once, and the session has the requested permissions.
 */
const actions = ['enable', 'act', 'disable', 'enable by passkey'] as const
type Action = (typeof actions)[number]
interface Case extends Death {
  readonly action: Action
}
const all: readonly Case[] = actions.flatMap((action) => deaths.map((death) => ({ action, ...death })))
const some: readonly Case[] = [{ action: 'disable', request: 'submit', step: 'submit:signed' }]
/**
 * `npm run test:all` kills once: the passkey suite kills a build. `npm run test:long` kills at all: in every action on PGlite, while granting and ending
 * on PostgreSQL.
 */
const cases = !isLong
  ? some.map((one) => ({ engine: usualEngine(), ...one }) as const)
  : testEngines().flatMap((engine) =>
      all
        .filter(({ action }) => engine === 'pglite' || action === 'enable' || action === 'disable')
        .map((one) => ({ engine, ...one })),
    )

const included = { status: 200, body: { success: true } }
const permissions = [{ type: 'native-token-allowance', allowance: parseEther('0.5').toString() }, fees]

let survived = 0
let fixture: KillFixture
/** A service that grants sessions for the other processes. */
let granting: ConfiguredService
let stack: AsyncDisposableStack
beforeAll(async () => {
  stack = new AsyncDisposableStack()
  fixture = stack.use(await startKillFixture())
  const storage = stack.use(await fixture.environment(usualEngine()))
  granting = stack.use(await startConfigured(storage.env))
})
afterAll(async () => {
  reportFigure(1, 'kills survived: session keys', survived)
  await stack?.disposeAsync()
})

interface Wallet {
  readonly address: Address
  readonly sign: (hash: Hex) => Promise<Hex>
  /** Registers the account with a process. */
  readonly registerAccount: (url: string) => Promise<void>
}

async function createWallet(): Promise<Wallet> {
  const owner = privateKeyToAccount(randomPrivateKey())
  const registerAccount = (url: string) =>
    postJson(`${url}/smart-account/create`, { eoaAddress: owner.address })
  const { body } = await registerAccount(granting.url)
  const address: Address = body.wallet.scw_address
  await fixture.fund(address)
  return {
    address,
    sign: (hash) => owner.sign({ hash }),
    registerAccount: async (url) => void (await registerAccount(url)),
  }
}

async function grantRequest(walletAddress: Address, { sessionKey }: SessionKeyPair) {
  const validAfter = Number((await fixture.chain.getBlock()).timestamp)
  const times = { validAfter, validUntil: validAfter + 3600 }
  return { network: String(chainId), walletAddress, sessionKey, ...times, permissions }
}

const grantJourney = async ({ address, sign }: Wallet, key: SessionKeyPair): Promise<Journey> => {
  const request = await grantRequest(address, key)
  return eoaJourney({ path: '/smart-account/session-key/enable', request: () => request, sign })
}

const actJourney = (walletAddress: Address, { sessionKey, sign }: SessionKeyPair): Journey =>
  eoaJourney({
    path: '/smart-account/transaction/build',
    request: () => ({
      network: String(chainId),
      walletAddress,
      signMode: 'SESSION_KEY',
      sessionKey,
      transactionDetails: [payment(1n)],
    }),
    sign,
    more: { signatureType: 'SESSION_KEY' },
  })

/** Runs a journey without a kill. */
async function runJourney(url: string, journey: Journey) {
  const built = await journey.build(url)
  expect(built).toMatchObject({ status: 200 })
  expect(await journey.submit(url, await journey.sign(built.body))).toMatchObject(included)
}

const countEvents = async (eventName: 'SessionGranted' | 'SessionRevoked', account: Address) =>
  (
    await fixture.chain.getContractEvents({
      address: fixture.network.sessionKeys,
      abi: sessionKeysAbi,
      eventName,
      args: { account },
      fromBlock: 0n,
    })
  ).length

describe('a kill while a session is granted, used or ended', () => {
  test.each(cases)(
    'behavior: $action survives a kill in $request at $step ($engine)',
    async ({ action, engine, ...death }) => {
      await using storage = await fixture.environment(engine)
      const key = ecdsaKey()
      if (action === 'enable by passkey') {
        await enableByPasskey(storage.env, death, key)
      } else {
        const wallet = await createWallet()
        if (action !== 'enable') await runJourney(granting.url, await grantJourney(wallet, key))
        const journey = {
          enable: () => grantJourney(wallet, key),
          act: async () => actJourney(wallet.address, key),
          disable: async () =>
            eoaJourney({
              path: '/smart-account/session-key/disable',
              request: () => ({
                network: String(chainId),
                walletAddress: wallet.address,
                sessionKey: key.sessionKey,
              }),
              sign: wallet.sign,
            }),
        }[action]
        const { service, userOpHash } = await dieAndRetry(
          storage.env,
          death,
          await journey(),
          wallet.registerAccount,
        )
        await using _service = service
        expect(await fixture.countInclusions(wallet.address, userOpHash)).toBe(1)
        await expectSession(service.url, wallet.address, key, action === 'disable' ? 'ended' : 'granted')
      }
      survived++
    },
  )
})

async function enableByPasskey(env: Record<string, string>, death: Death, key: SessionKeyPair) {
  const users: PasskeyUser[] = []
  const user = () => users[0] as PasskeyUser // `prepare` registers the user
  let calls: unknown
  const { service, userOpHash } = await dieAndRetry(
    env,
    death,
    passkeyJourney(user, () => calls),
    async (url) => {
      users.push(await registerPasskey(url, 'alice'))
      await fixture.fund(user().address)
      const plan = await postJson(
        `${url}/smart-account/session-key/enable`,
        await grantRequest(user().address, key),
      )
      expect(plan).toMatchObject({ status: 200 })
      calls = plan.body.transactionDetails
    },
  )
  await using _service = service
  expect(await fixture.countInclusions(user().address, userOpHash)).toBe(1)
  await expectSession(service.url, user().address, key, 'granted')
}

/** Expects the session's state on the chain and in the service, and what its key can do. */
async function expectSession(url: string, account: Address, key: SessionKeyPair, state: 'granted' | 'ended') {
  const granted = state === 'granted'
  expect(await countEvents('SessionGranted', account)).toBe(1)
  expect(await countEvents('SessionRevoked', account)).toBe(granted ? 0 : 1)
  const listed = await fetch(`${url}/smart-account/session-key?walletAddress=${account}`)
  expect(await listed.json()).toMatchObject({ sessions: granted ? [{ state: 'active' }] : [] })
  const journey = actJourney(account, key)
  if (granted) return runJourney(url, journey)
  expect(await journey.build(url)).toMatchObject({ status: 404, body: { code: 'UNKNOWN_SESSION' } })
}
