import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Devnet, startDevnet, writeNetworksFile } from '@lanyard/devnet'
import { smartBalanceAbi } from '@lanyard/onchain'
import { reportPassed } from '@lanyard/promises/testing'
import type { Hex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkpoints } from '../../src/operations/checkpoints.ts'
import { orderCheckpoints } from '../../src/orders/checkpoints.ts'
import { type RestClient, restClient } from '../rest.ts'
import { startServiceProcess } from '../service-process.ts'
import { orderChains, payee } from './order-chains.ts'

/**
 * The process dies by SIGKILL at every step that the code itself names, while it builds or submits with an order, and a
 * new one starts on the same database: what was lent is lent once, and what nobody got back can be had again.
 */
const steps = [
  ...orderCheckpoints,
  'build:written',
  ...checkpoints.filter((name) => name.startsWith('submit:')),
]

/** `pnpm test` kills at the ones where a signature exists that nobody has seen; `pnpm test:long` at all. */
const chosen =
  process.env.LANYARD_LONG === undefined
    ? steps.filter((step) => ['order:cosigned', 'order:signed', 'submit:signed'].includes(step))
    : steps

const output = 31338
const amount = 50_000_000n
const own = 20_000_000n

let devnet: Devnet
let directory: string
beforeAll(async () => {
  devnet = await startDevnet({ chainIds: [31337, output] })
  directory = await mkdtemp(join(tmpdir(), 'lanyard-orders-'))
  await writeNetworksFile(join(directory, 'networks.json'), devnet.networks)
})
afterAll(async () => {
  await devnet?.stop()
  await rm(directory, { recursive: true })
})

reportPassed(1, 'kills survived: orders')
test.each(chosen)('behavior: killed at %s', { timeout: 120_000 }, async (step) => {
  const chains = orderChains(devnet)
  const env = {
    NETWORKS_FILE: join(directory, 'networks.json'),
    DATA_DIR: join(directory, step.replace(':', '-')),
  }
  const owner = privateKeyToAccount(generatePrivateKey())
  const build = (rest: RestClient, account: Hex) =>
    rest.post('/smart-account/transaction/build', {
      network: String(output),
      walletAddress: account,
      transactionDetails: [chains.transfer(output, payee, amount)],
      orderData: { amount: String(amount) },
    })
  const submit = async (rest: RestClient, account: Hex, message: Hex) =>
    rest.post('/smart-account/transaction/submit', {
      walletAddress: account,
      signature: await owner.sign({ hash: message }),
    })

  await using dying = await startServiceProcess({ ...env, CRASH_AT: step })
  const rest = restClient(dying.url)
  const account = await createAccount(rest, owner)
  await chains.deposit(31337, account, 2n * amount, { kind: 'eoa', address: owner.address })
  // A part of it comes from the account's own deposit, which the operator co-signs.
  await chains.deposit(output, account, own)
  const before = await chains.balanceOf(output, payee)

  const attempt = async () => {
    const { body } = await build(rest, account)
    await submit(rest, account, body.messageToSign)
  }
  const answer = attempt().then(
    () => 'an answer',
    () => 'no answer',
  )
  expect(await dying.ended).toBe('SIGKILL')
  expect(await answer).toBe('no answer')

  await using restarted = await startServiceProcess(env)
  const again = restClient(restarted.url)
  if (!step.startsWith('submit:')) {
    // Nobody has a signature: the next build takes the place of what was reserved, or competes with it at its nonce.
    const { status, body } = await build(again, account)
    expect(status).toBe(200)
    expect(await submit(again, account, body.messageToSign)).toMatchObject({ status: 200 })
  }
  await expect
    .poll(() => chains.balanceOf(output, payee), { timeout: 20_000, interval: 100 })
    .toBe(before + amount)
  const claims = await chains.on(output).chain.getContractEvents({
    address: chains.on(output).smartBalance,
    abi: smartBalanceAbi,
    eventName: 'OrderClaimed',
    args: { account },
    fromBlock: 0n,
  })
  expect(claims).toHaveLength(1)
  // The rest was withdrawn, once: by a co-signature that somebody got.
  const [claimed = 0n] = claims.map(({ args }) => args.amount)
  const withdrawn = own - (await chains.depositOf(output, account))
  expect(withdrawn).toBeGreaterThanOrEqual(amount - claimed)
  expect(withdrawn).toBeLessThanOrEqual(own)
  expect(claimed).toBeLessThan(amount)
})

async function createAccount(rest: RestClient, owner: PrivateKeyAccount): Promise<Hex> {
  const { body } = await rest.post('/smart-account/create', { eoaAddress: owner.address })
  return body.wallet.scw_address
}
