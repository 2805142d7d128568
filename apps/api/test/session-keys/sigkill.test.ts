/** @module-tag all */
/** @module-tag longer */
import { testEngines } from '@lanyard/database/testing'
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
import { type ServiceProcess, startServiceProcess } from '../service-process.ts'
import { ecdsaKey, fees, payment, type SessionKeyPair } from './session-service.ts'

/**
 * The process dies by SIGKILL at every step that the code itself names, while a session is granted (by an EOA and by a
 * passkey), used and ended: each happens once, and the session is what it was asked to be.
 */
const actions = ['enable', 'act', 'disable', 'enable by passkey'] as const
type Action = (typeof actions)[number]
interface Case extends Death {
  readonly action: Action
}
const all: readonly Case[] = actions.flatMap((action) => deaths.map((death) => ({ action, ...death })))
const some: readonly Case[] = [
  { action: 'enable', request: 'build', step: 'build:written' },
  { action: 'disable', request: 'submit', step: 'submit:signed' },
]
/** `pnpm test` kills at two; `pnpm test:long` at all: on PGlite in every action, on PostgreSQL while granting and ending. */
const cases = !isLong
  ? some.map((one) => ({ engine: 'pglite', ...one }) as const)
  : testEngines().flatMap((engine) =>
      all
        .filter(({ action }) => engine === 'pglite' || action === 'enable' || action === 'disable')
        .map((one) => ({ engine, ...one })),
    )

const included = { status: 200, body: { success: true } }
const permissions = [{ type: 'native-token-allowance', allowance: parseEther('0.5').toString() }, fees]

let survived = 0
let fixture: KillFixture
/** Grants what other processes find on the chain. */
let granting: ServiceProcess
let stack: AsyncDisposableStack
beforeAll(async () => {
  stack = new AsyncDisposableStack()
  fixture = stack.use(await startKillFixture())
  const storage = stack.use(await fixture.environment('pglite'))
  granting = stack.use(await startServiceProcess(storage.env))
})
afterAll(async () => {
  reportFigure(1, 'kills survived: session keys', survived)
  await stack?.disposeAsync()
})

interface Wallet {
  readonly address: Address
  readonly sign: (hash: Hex) => Promise<Hex>
  /** Makes the account known to a process. */
  readonly introduce: (url: string) => Promise<void>
}

async function createWallet(): Promise<Wallet> {
  const owner = privateKeyToAccount(randomPrivateKey())
  const introduce = (url: string) => postJson(`${url}/smart-account/create`, { eoaAddress: owner.address })
  const { body } = await introduce(granting.url)
  const address: Address = body.wallet.scw_address
  await fixture.fund(address)
  return {
    address,
    sign: (hash) => owner.sign({ hash }),
    introduce: async (url) => void (await introduce(url)),
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

/** Runs a journey where nobody dies. */
async function happens(url: string, journey: Journey) {
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

describe('killed while a session is granted, used or ended', () => {
  test.each(cases)(
    'behavior: $action, $request, at $step, on $engine',
    async ({ action, engine, ...death }) => {
      await using storage = await fixture.environment(engine)
      const key = ecdsaKey()
      if (action === 'enable by passkey') {
        await enableByPasskey(storage.env, death, key)
      } else {
        const wallet = await createWallet()
        if (action !== 'enable') await happens(granting.url, await grantJourney(wallet, key))
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
          wallet.introduce,
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
  const user = () => users[0] as PasskeyUser // prepare makes it
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

/** What the chain and the service say of the session, and what its key can do. */
async function expectSession(url: string, account: Address, key: SessionKeyPair, state: 'granted' | 'ended') {
  const granted = state === 'granted'
  expect(await countEvents('SessionGranted', account)).toBe(1)
  expect(await countEvents('SessionRevoked', account)).toBe(granted ? 0 : 1)
  const listed = await fetch(`${url}/smart-account/session-key?walletAddress=${account}`)
  expect(await listed.json()).toMatchObject({ sessions: granted ? [{ state: 'active' }] : [] })
  const journey = actJourney(account, key)
  if (granted) return happens(url, journey)
  expect(await journey.build(url)).toMatchObject({ status: 404, body: { code: 'UNKNOWN_SESSION' } })
}
