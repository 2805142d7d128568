/** @module-tag all */
/** @module-tag longer */
// @promise 1
import { usualEngine } from '@lanyard/database/testing'
import { devAccounts, devRoles } from '@lanyard/devnet'
import { isLong, randomPrivateKey } from '@lanyard/testing'
import { reportPassed } from '@lanyard/testing/report-passed'
import type { Hex } from 'viem'
import { privateKeyToAccount, setSignEntropy } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DevnetInFolder, startDevnetInFolder } from '../devnet-in-folder.ts'
import { expectOneClaim } from '../orders/expect-one-claim.ts'
import { orderChains, payee } from '../orders/order-chains.ts'
import { type RestClient, restClient } from '../rest.ts'
import { type ServiceProcess, startServiceProcess } from '../service-process.ts'
import { startConfigured } from '../start-configured.ts'
import { type GatedSigner, remoteOperator, startGatedSigner } from './gated-signer.ts'

const [source, output] = [31337, 31338] as const
const amount = 50_000_000n
const own = 20_000_000n

/** The public relayer key of local networks, held by a remote signer in this test. */
const relayer = devAccounts.at(-1) ?? { address: '0x', privateKey: '0x' }

/**
 * A process dies by SIGKILL between the request to a remote signer and the write of the signature: the first process
 * while the operator signs, the next one while a relayer signs. The signer returns different bytes for each request,
 * like a KMS.
 */
let devnet: DevnetInFolder
let signer: GatedSigner
beforeAll(async () => {
  setSignEntropy(true)
  devnet = await startDevnetInFolder({ chainIds: [source, output] })
  signer = await startGatedSigner([devRoles.operator.privateKey, relayer.privateKey])
})
afterAll(async () => {
  await signer?.close()
  await devnet?.stop()
})

/** Where each process dies: while the signer holds the request, or at a checkpoint of the code. */
const deaths = [
  { name: 'during the signing request' },
  { name: 'after the signature, before it is stored', operator: 'order:signed', relayer: 'relayer:signed' },
  { name: 'after the co-signature of a withdrawal, before it is stored', operator: 'order:cosigned' },
]
const chosen = isLong ? deaths : deaths.slice(0, 1)

reportPassed(1, 'kills survived: remote signatures')
test.each(chosen)('behavior: two kills $name lead to one operation and one claim', async (death) => {
  const chains = orderChains(devnet)
  await using storage = await devnet.environment(usualEngine())
  const env = {
    ...remoteOperator(signer, '60'),
    RELAYER_PRIVATE_KEYS: `remote:${relayer.address}`,
    ...storage.env,
    RATE_LIMITS: 'off',
  }
  const crashAt = (step: string | undefined): Record<string, string> =>
    step === undefined ? {} : { CRASH_AT: step }
  const owner = privateKeyToAccount(randomPrivateKey())

  /** Sends a request during which the process dies. */
  async function killDuring(
    service: ServiceProcess,
    step: string | undefined,
    request: () => Promise<unknown>,
  ) {
    if (step === undefined) signer.hold()
    const answered = request().then(
      () => 'an answer',
      () => 'no answer',
    )
    if (step === undefined) {
      await signer.held(1)
      service.child.kill('SIGKILL')
    }
    expect(await service.ended).toBe('SIGKILL')
    expect(await answered).toBe('no answer')
    signer.open()
  }

  let account: Hex
  const build = (rest: RestClient) =>
    rest.post('/smart-account/transaction/build', {
      network: String(output),
      walletAddress: account,
      transactionDetails: [chains.transfer(output, payee, amount)],
      orderData: { amount: String(amount) },
    })
  const before = await chains.balanceOf(output, payee)
  {
    await using dying = await startServiceProcess({ ...env, ...crashAt(death.operator) })
    const rest = restClient(dying.url)
    account = (await rest.post('/smart-account/create', { eoaAddress: owner.address })).body.wallet
      .scw_address
    // Part of the amount comes from the account's own deposit, which the operator co-signs.
    await chains.deposit(source, account, 2n * amount, { kind: 'eoa', address: owner.address })
    await chains.deposit(output, account, own)
    await killDuring(dying, death.operator, () => build(rest))
  }
  let submission: { walletAddress: Hex; signature: Hex }
  {
    await using dying = await startServiceProcess({ ...env, ...crashAt(death.relayer) })
    const rest = restClient(dying.url)
    const { status, body } = await build(rest)
    expect({ status, body }).toMatchObject({ status: 200 })
    submission = { walletAddress: account, signature: await owner.sign({ hash: body.messageToSign }) }
    await killDuring(dying, death.relayer, () => rest.post('/smart-account/transaction/submit', submission))
  }

  // The operation that its owner signed completes without another request.
  await using restarted = await startConfigured(env)
  await expect.poll(() => chains.balanceOf(output, payee), { interval: 100 }).toBe(before + amount)
  const rest = restClient(restarted.url)
  const submitted = await rest.post('/smart-account/transaction/submit', submission)
  expect(submitted).toMatchObject({ status: 200, body: { success: true } })
  const { userOpHash } = await expectOneClaim(chains, { network: output, account, amount, own })
  expect(userOpHash).toBe(submitted.body.userOpHash)
})
