/** @module-tag all */
/** @module-tag longer */
// @promise 1
import { fromWireUserOperation, getUserOperationHash } from '@lanyard/accounts'
import { checkpoints as bundlerCheckpoints } from '@lanyard/bundler'
import type { Engine } from '@lanyard/database'
import { describeEachEngine } from '@lanyard/database/testing'
import { localTransport } from '@lanyard/devnet'
import { isLong, randomPrivateKey } from '@lanyard/testing'
import { reportPassed } from '@lanyard/testing/report-passed'
import { createTestClient, type Hex, parseEther, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkpoints } from '../../src/domain/operations/dependencies.ts'
import { type DevnetInFolder, startDevnetInFolder } from '../devnet-in-folder.ts'
import { inclusionsOf } from '../inclusions-of.ts'
import { type RestClient, restClient } from '../rest.ts'
import { startServiceProcess } from '../service-process.ts'
import { startConfigured } from '../start-configured.ts'

/**
 * SIGKILL ends the process at every checkpoint of a submission. A new process starts on the same database while the
 * chain keeps running. The operation is on the chain once, and its status says so.
 */
const steps = [
  // Only a bundler that sends the operation elsewhere reaches `submit:delivered`: see the RPC suite.
  ...checkpoints
    .filter((name) => name.startsWith('submit:') || name.startsWith('include:'))
    .filter((name) => name !== 'submit:delivered'),
  // `relayer:resent` needs a transaction that a node dropped. The reconcile suite covers it.
  ...bundlerCheckpoints.filter((name) => name !== 'relayer:resent'),
]

/**
 * The reconcile suite stops at every step too, but within one process. This suite kills a real process: once on each
 * side of the transaction, and in `npm run test:long` at every step on both engines.
 */
const common: Readonly<Record<Engine, readonly string[]>> = {
  pglite: ['relayer:row-written'],
  postgresql: ['relayer:sent'],
}

reportPassed(1, 'kills survived: submissions')
describeEachEngine('SIGKILL between any two steps of submit', (engine) => {
  let devnet: DevnetInFolder
  beforeAll(async () => {
    devnet = await startDevnetInFolder({ chainIds: [31337] })
  })
  afterAll(() => devnet?.stop())

  for (const step of isLong ? steps : common[engine]) test(`behavior: at ${step}`, () => killAt(step))

  async function killAt(step: string) {
    await using storage = await devnet.environment(engine)
    const { env } = storage
    const chain = createTestClient({
      mode: 'anvil',
      transport: localTransport(devnet.networks[0]?.rpcUrl),
    }).extend(publicActions)
    const owner = privateKeyToAccount(randomPrivateKey())

    await using crashing = await startServiceProcess({ ...env, CRASH_AT: step })
    const rest = restClient(crashing.url)
    const account: Hex = (await rest.post('/smart-account/create', { eoaAddress: owner.address })).body.wallet
      .scw_address
    await chain.setBalance({ address: account, value: parseEther('1') })
    const { hash, signature } = await buildAndSign(rest, account, owner)
    const submission = { walletAddress: account, signature }
    const answer = rest.post('/smart-account/transaction/submit', submission).catch(() => 'no answer')
    expect(await crashing.ended).toBe('SIGKILL')
    // The worker may have recorded the inclusion first, so that the caller got an answer.
    if (step !== 'include:recorded') expect(await answer).toBe('no answer')

    await using restarted = await startConfigured(env)
    const again = restClient(restarted.url)
    await expect
      .poll(
        async () => (await again.get(`/smart-account/transaction/status?userOpHash=${hash}`)).body.state,
        { interval: 100 },
      )
      .toBe('included')
    // The client got no answer and retries. It gets the same operation.
    const retried = await again.post('/smart-account/transaction/submit', submission)
    expect(retried).toMatchObject({ status: 200, body: { userOpHash: hash, success: true } })
    const events = await inclusionsOf(chain, account)
    expect(events.map(({ args }) => args.userOpHash)).toEqual([hash])
  }
})

async function buildAndSign(rest: RestClient, account: Hex, owner: ReturnType<typeof privateKeyToAccount>) {
  const { body } = await rest.post('/smart-account/transaction/build', {
    network: '31337',
    walletAddress: account,
    transactionDetails: [{ targetContractAddress: owner.address, value: '1', encodedData: '0x' }],
  })
  const signature = await owner.signMessage({ message: { raw: body.messageToSign } })
  const result = fromWireUserOperation(body.userOp)
  if (!result.ok) throw new Error(result.message)
  return { hash: getUserOperationHash(result.operation, { chainId: 31337 }), signature }
}
