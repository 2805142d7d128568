/** @module-tag all */
// @promise 23 A.2

import { usualEngine } from '@lanyard/database/testing'
import { devRoles } from '@lanyard/devnet'
import { attestorSetAbi, smartBalanceAbi } from '@lanyard/onchain'
import { encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createContractWatch } from '../../src/domain/smart-balance/settlement/contract-watch.ts'
import { payee, sign } from '../orders/order-service.ts'
import { type Fixture, startFixture } from './settlement-fixture.ts'

const chainId = 31337

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture(usualEngine())
  await watch().pass()
})
afterAll(() => fixture?.[Symbol.asyncDispose]())

/** A new watch, as in a new process. */
const watch = () => createContractWatch(fixture.services, fixture.balanceOn(chainId))

const findLogs = (text: string) => fixture.logged.filter(({ msg }) => String(msg).includes(text))

/** The changes that are an alarm now, by event. */
async function readChanges(): Promise<Record<string, number>> {
  const text = await fixture.services.metrics.text()
  const found = text.matchAll(/^lanyard_governance_changes\{network="31337",event="(\w+)"\} (\d+)$/gm)
  return Object.fromEntries([...found].map(([, event = '', count]) => [event, Number(count)]))
}

async function asOwner(contract: 'SmartBalance' | 'AttestorSet', data: Hex) {
  const { chain, smartBalance } = fixture.on(chainId)
  const to =
    contract === 'SmartBalance'
      ? smartBalance
      : await chain.readContract({ address: smartBalance, abi: smartBalanceAbi, functionName: 'verifier' })
  await fixture.callAs(chainId, devRoles.owner.address, to, data)
}

test('behavior: each proposal is logged once and immediately, and by no new process after it is final', async () => {
  await asOwner(
    'SmartBalance',
    encodeFunctionData({ abi: smartBalanceAbi, functionName: 'proposeVerifier', args: [payee] }),
  )
  await asOwner(
    'AttestorSet',
    encodeFunctionData({ abi: attestorSetAbi, functionName: 'proposeAttestor', args: [payee] }),
  )
  await asOwner(
    'AttestorSet',
    encodeFunctionData({ abi: attestorSetAbi, functionName: 'proposeThreshold', args: [1n] }),
  )
  const process = watch()
  await process.pass()
  await process.pass()
  const events = ['VerifierProposed', 'AttestorProposed', 'ThresholdProposed']
  const found = () => findLogs('governance of SmartBalance').map(({ event, level }) => [event, level])
  expect(found()).toEqual(events.map((event) => [event, 50]))
  expect(findLogs('VerifierProposed')).toMatchObject([
    { network: chainId, verifier: payee, readyAt: expect.stringMatching(/^\d+$/) },
  ])
  expect(await readChanges()).toEqual({ VerifierProposed: 1, AttestorProposed: 1, ThresholdProposed: 1 })
  await fixture.finalize(chainId)
  await process.pass()
  await watch().pass()
  expect(found()).toHaveLength(events.length)
  // Every process shows them, whichever has found them, and for as long as they are proposed.
  expect(await readChanges()).toEqual({ VerifierProposed: 1, AttestorProposed: 1, ThresholdProposed: 1 })
})

test('behavior: a proposal that is withdrawn is no alarm any more once its block is final', async () => {
  const { chain, smartBalance } = fixture.on(chainId)
  const verifier = await chain.readContract({
    address: smartBalance,
    abi: smartBalanceAbi,
    functionName: 'verifier',
  })
  await asOwner(
    'SmartBalance',
    encodeFunctionData({ abi: smartBalanceAbi, functionName: 'proposeVerifier', args: [verifier] }),
  )
  await asOwner(
    'AttestorSet',
    encodeFunctionData({ abi: attestorSetAbi, functionName: 'removeAttestor', args: [payee] }),
  )
  await asOwner(
    'AttestorSet',
    encodeFunctionData({
      abi: attestorSetAbi,
      functionName: 'proposeThreshold',
      args: [await chain.readContract({ address: verifier, abi: attestorSetAbi, functionName: 'threshold' })],
    }),
  )
  await watch().pass()
  expect(await readChanges()).toMatchObject({ ThresholdProposed: 1 })
  await fixture.finalize(chainId)
  await watch().pass()
  expect(await readChanges()).toEqual({})
})

test('behavior: an alarm whose block a reorg removes is deleted once a final block takes its place', async () => {
  const { chain } = fixture.on(chainId)
  const snapshot = await chain.snapshot()
  await asOwner(
    'AttestorSet',
    encodeFunctionData({ abi: attestorSetAbi, functionName: 'proposeAttestor', args: [payee] }),
  )
  await watch().pass()
  expect(await readChanges()).toEqual({ AttestorProposed: 1 })
  await chain.revert({ id: snapshot })
  await fixture.finalize(chainId)
  await watch().pass()
  expect(await readChanges()).toEqual({})
})

test('behavior: gas for operations that the service did not sign raises an alarm', async () => {
  const { owner, address } = await fixture.createWallet()
  const { body } = await fixture.rest.post('/smart-account/transaction/build', {
    network: String(chainId),
    walletAddress: address,
    transactionDetails: [{ targetContractAddress: payee, value: '0', encodedData: '0x' }],
    paymasterData: 'sponsored',
  })
  const submitted = await fixture.submit({
    walletAddress: address,
    signature: await sign.raw(owner, body.messageToSign),
  })
  expect(submitted.body).toMatchObject({ success: true })
  await watch().pass()
  const alarm = 'paid for an operation that this service did not sign'
  expect(findLogs(alarm)).toEqual([])

  // The deleted row simulates an operation that someone else signed with the operator's key.
  const { userOpHash } = submitted.body
  const row = await fixture.db
    .deleteFrom('sponsorships')
    .where('user_op_hash', '=', userOpHash)
    .returningAll()
    .executeTakeFirstOrThrow()
  await fixture.finalize(chainId)
  await fixture.db.deleteFrom('watched_contracts').execute()
  const { network } = fixture.balanceOn(chainId)
  await fixture.db
    .insertInto('watched_contracts')
    .values({ network: chainId, block_number: row.built_at_block })
    .execute()
  await watch().pass()
  expect(findLogs(alarm)).toMatchObject([{ network: network.chainId, userOpHash, level: 50 }])
  expect(await fixture.services.metrics.text()).toMatch(
    new RegExp(`lanyard_unexplained_gas_wei\\{network="${chainId}"\\} [1-9]`),
  )
})
