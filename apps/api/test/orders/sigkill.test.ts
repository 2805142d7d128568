/** @module-tag all */
/** @module-tag longer */
// @promise 1
import { defaultVerifiers } from '@lanyard/accounts'
import { checkpoints as bundlerCheckpoints } from '@lanyard/bundler'
import { testEngines, usualEngine } from '@lanyard/database/testing'
import type { OrderSigner } from '@lanyard/smart-balance'
import { isLong, randomPrivateKey } from '@lanyard/testing'
import { reportPassed } from '@lanyard/testing/report-passed'
import { type Address, bytesToBigInt } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkpoints } from '../../src/domain/operations/dependencies.ts'
import { orderCheckpoints } from '../../src/domain/smart-balance/model/checkpoints.ts'
import type { CheckpointName } from '../../src/pipeline/services.ts'
import { type DevnetInFolder, startDevnetInFolder } from '../devnet-in-folder.ts'
import { postJson } from '../http-service.ts'
import type { Journey } from '../kill/die-and-retry.ts'
import { eoaJourney } from '../kill/eoa-journey.ts'
import { origin } from '../kill/kill-fixture.ts'
import { passkeyJourney, registerPasskey } from '../kill/passkey-user.ts'
import { startServiceProcess } from '../service-process.ts'
import { startConfigured } from '../start-configured.ts'
import { expectOneClaim } from './expect-one-claim.ts'
import { orderChains, payee } from './order-chains.ts'

/**
 * The process dies by SIGKILL at every checkpoint of the code, while it builds or submits with an order or sees it
 * included. A new process starts on the same database. The order borrows once, and a build whose response was lost can
 * be repeated.
 */
const unsigned: readonly CheckpointName[] = [...orderCheckpoints, 'build:written']
const signed: readonly CheckpointName[] = [
  ...checkpoints.filter((name) => !name.startsWith('build:') && name !== 'sign:checked'),
  // The reconcile suite covers this step: it needs a transaction that a node forgot.
  ...bundlerCheckpoints.filter((name) => name !== 'relayer:resent'),
]

/** At these steps the caller may have the answer already: the worker or the watcher can be first. */
const mayBeAnswered = (step: string) => step === 'include:recorded' || step.startsWith('final:')

type Owner = 'EOA' | 'passkey'
interface Death {
  readonly engine: ReturnType<typeof testEngines>[number]
  readonly owner: Owner
  readonly step: CheckpointName
}

/**
 * `npm run test:all` kills at a step where a signature exists that no caller has. `npm run test:long` kills at all steps on all
 * engines. After the signature is stored, the type of the owner makes no difference.
 */
const some: readonly Death[] = [{ engine: usualEngine(), owner: 'EOA', step: 'order:cosigned' }]
const all: readonly Death[] = testEngines().flatMap((engine) => [
  ...[...unsigned, ...signed].map((step) => ({ engine, owner: 'EOA', step }) as const),
  ...[...unsigned, 'submit:signed' as const].map((step) => ({ engine, owner: 'passkey', step }) as const),
])

const output = 31338
const amount = 50_000_000n
const own = 20_000_000n

let devnet: DevnetInFolder
beforeAll(async () => {
  devnet = await startDevnetInFolder({ chainIds: [31337, output] })
})
afterAll(() => devnet?.stop())

interface Spender extends Journey {
  readonly account: Address
  readonly signer: OrderSigner
}

/** Creates the spender of an order, in the process that will die. */
async function createSpender(url: string, owner: Owner): Promise<Spender> {
  const transactionDetails = [orderChains(devnet).transfer(output, payee, amount)]
  const request = { network: String(output), orderData: { amount: String(amount) } }
  if (owner === 'passkey') {
    const user = await registerPasskey(url, 'alice')
    const [x, y] = [bytesToBigInt(user.passkey.x), bytesToBigInt(user.passkey.y)]
    return {
      ...passkeyJourney(
        () => user,
        () => transactionDetails,
        request,
      ),
      account: user.address,
      signer: { kind: 'passkey', x, y, verifiers: defaultVerifiers },
    }
  }
  const { address, sign } = privateKeyToAccount(randomPrivateKey())
  const { body } = await postJson(`${url}/smart-account/create`, { eoaAddress: address })
  const account: Address = body.wallet.scw_address
  return {
    ...eoaJourney({
      path: '/smart-account/transaction/build',
      request: () => ({ ...request, walletAddress: account, transactionDetails }),
      sign: (hash) => sign({ hash }),
    }),
    account,
    signer: { kind: 'eoa', address },
  }
}

async function send(url: string, { build, sign, submit }: Spender): Promise<void> {
  const built = await build(url)
  expect(built, built.text).toMatchObject({ status: 200 })
  const submitted = await submit(url, await sign(built.body))
  expect(submitted, submitted.text).toMatchObject({ status: 200, body: { success: true } })
}

reportPassed(1, 'kills survived: orders')
test.each(isLong ? all : some)(
  'behavior: an order survives a kill at $step ($owner, $engine)',
  async ({ engine, owner, step }) => {
    const chains = orderChains(devnet)
    await using storage = await devnet.environment(engine)
    const env = { ...storage.env, ORIGINS: origin }

    await using dying = await startServiceProcess({ ...env, CRASH_AT: step })
    const spender = await createSpender(dying.url, owner)
    const { account, signer } = spender
    await chains.deposit(31337, account, 2n * amount, signer)
    // Part of the amount comes from the account's own deposit, which the operator co-signs.
    await chains.deposit(output, account, own)
    const before = await chains.balanceOf(output, payee)

    const answer = send(dying.url, spender).then(
      () => 'an answer',
      () => 'no answer',
    )
    expect(await dying.ended).toBe('SIGKILL')
    if (!mayBeAnswered(step)) expect(await answer).toBe('no answer')

    await using restarted = await startConfigured(env)
    // The operation is unsigned, so the next build replaces the reservation or competes with it at its nonce.
    if (unsigned.includes(step)) await send(restarted.url, spender)
    await expect.poll(() => chains.balanceOf(output, payee), { interval: 100 }).toBe(before + amount)
    const { claimed } = await expectOneClaim(chains, { network: output, account, amount, own })
    expect(claimed).toBeLessThan(amount)
  },
)
