/** @module-tag all */
/** @module-tag longer */
// @promise 1

import { fromWireUserOperation, getUserOperationHash } from '@lanyard/accounts'
import { usualEngine } from '@lanyard/database/testing'
import { isLong, randomAddress, randomPrivateKey } from '@lanyard/testing'
import { reportPassed } from '@lanyard/testing/report-passed'
import { getAddress, type Hash } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chainId, type KillFixture, startKillFixture } from '../kill/kill-fixture.ts'
import { restClient } from '../rest.ts'
import { startServiceProcess } from '../service-process.ts'
import { startConfigured } from '../start-configured.ts'

/*
 * An owner replaces a pending operation, so the relayer's transaction is replaced: the same nonce, other bytes. SIGKILL
 * ends the process before or after the replacement is sent. Whichever of the two is mined, one of the operations is
 * included, once, and the relayer pays for no transaction that reverts.
 */

const steps = isLong
  ? ['relayer:signed', 'relayer:row-written', 'relayer:sent', 'relayer:lease-released']
  : ['relayer:row-written', 'relayer:sent']

let fixture: KillFixture
beforeAll(async () => {
  fixture = await startKillFixture()
})
afterAll(() => fixture?.[Symbol.asyncDispose]())

reportPassed(1, 'kills survived: replacements')
test.each(steps)('behavior: a replacement with other bytes survives a kill at %s', async (step) => {
  await using storage = await fixture.environment(usualEngine())
  const { chain } = fixture
  const owner = privateKeyToAccount(randomPrivateKey())
  const payee = randomAddress()

  /** Pays a value by a signed operation, whose answer nobody waits for. */
  async function pay(url: string, walletAddress: string, value: number, more: object = {}): Promise<Hash> {
    const rest = restClient(url)
    const { status, body } = await rest.post('/smart-account/transaction/build', {
      network: String(chainId),
      walletAddress,
      transactionDetails: [{ targetContractAddress: payee, value: String(value), encodedData: '0x' }],
      ...more,
    })
    expect(status, JSON.stringify(body)).toBe(200)
    const signature = await owner.signMessage({ message: { raw: body.messageToSign } })
    rest.post('/smart-account/transaction/submit', { walletAddress, signature }).catch(() => 'no answer')
    const read = fromWireUserOperation(body.userOp)
    if (!read.ok) throw new Error(read.message)
    return getUserOperationHash(read.operation, { chainId })
  }

  const pendingTransactions = async () =>
    Object.values((await chain.getTxpoolContent()).pending).flatMap((ofSender) => Object.values(ofSender))

  // It only leaves its transaction behind: what is killed comes next.
  await using first = await startConfigured(storage.env)
  const { body } = await restClient(first.url).post('/smart-account/create', { eoaAddress: owner.address })
  const wallet = getAddress(body.wallet.scw_address)
  await fixture.fund(wallet)
  const since = await chain.getBlockNumber()
  const hashes: Hash[] = []
  await chain.setAutomine(false)
  await chain.setIntervalMining({ interval: 0 })
  try {
    hashes.push(await pay(first.url, wallet, 1))
    await expect.poll(async () => (await pendingTransactions()).length).toBe(1)
    await first.stop()
    const [before] = await pendingTransactions()

    await using dying = await startServiceProcess({ ...storage.env, CRASH_AT: step })
    hashes.push(await pay(dying.url, wallet, 2, { replaces: hashes[0] }))
    expect(await dying.ended).toBe('SIGKILL')
    const [after, ...others] = await pendingTransactions()
    expect(others).toEqual([])
    expect(after).toMatchObject({ from: before?.from, nonce: before?.nonce })
    expect(after?.input === before?.input).toBe(!step.startsWith('relayer:sent'))
  } finally {
    await chain.setAutomine(true)
    await chain.setIntervalMining({ interval: 1 })
  }

  await using service = await startConfigured(storage.env)
  const rest = restClient(service.url)
  const readStates = () =>
    Promise.all(
      hashes.map(
        async (hash) => (await rest.get(`/smart-account/transaction/status?userOpHash=${hash}`)).body.state,
      ),
    )
  await expect
    .poll(async () => (await readStates()).toSorted(), { interval: 100 })
    .toEqual(['dropped', 'included'])
  const included = (await readStates()).indexOf('included')
  expect(await fixture.includedHashesOf(wallet)).toEqual([hashes[included]])
  expect(await chain.getBalance({ address: payee })).toBe(BigInt(included + 1))
  const head = await chain.getBlockNumber()
  for (let blockNumber = since + 1n; blockNumber <= head; blockNumber++) {
    for (const hash of (await chain.getBlock({ blockNumber })).transactions)
      expect(await chain.getTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
  }
  expect(await pendingTransactions()).toEqual([])
})
