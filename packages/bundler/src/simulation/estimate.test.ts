import type { SignedUserOperation } from '@lanyard/accounts'
import { usualEngine } from '@lanyard/database/testing'
import { settlementTokenAddress } from '@lanyard/devnet'
import { devTokenAbi } from '@lanyard/onchain'
import { encodeFunctionData, type Hex, hexToBigInt, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Fixture, type FixtureAccount, nothing, startFixture } from '../../test/fixture.ts'
import type { Bundler } from '../index.ts'

/**
 * Calls itself with all but 1/64 of its gas, where it burns about 425,000, and stores whether that worked. With too
 * little gas it still returns: nothing reverts, but the outcome differs.
 *
 * CALLDATASIZE PUSH1 burn JUMPI | CALL(GAS, ADDRESS, 0, 0, 1, 0, 0) PUSH1 0 SSTORE STOP |
 * burn: PUSH3 0x4000 | loop: PUSH1 1 SWAP1 SUB DUP1 PUSH1 loop JUMPI STOP
 */
const gasHungry: Hex = '0x3660155760006000600160006000305af1600055005b620040005b6001900380601a5700'

/** Burns 5.2 million gas: PUSH3 200000 | loop: PUSH1 1 SWAP1 SUB DUP1 PUSH1 loop JUMPI STOP. */
const burning: Hex = '0x62030d405b60019003806004575000'

/** Reverts with 100,000 bytes: PUSH3 100000 PUSH0 REVERT. */
const longRevert: Hex = '0x620186a05ffd'

describe('estimate, compared with the chain', () => {
  let fixture: Fixture
  let bundler: Bundler
  beforeAll(async () => {
    fixture = await startFixture(usualEngine())
    bundler = fixture.bundler()
  })
  afterAll(() => fixture[Symbol.asyncDispose]())

  async function include(operation: SignedUserOperation) {
    const hash = await fixture.submit(bundler, operation)
    await bundler.drive()
    await fixture.noticeInclusion()
    const [event] = await fixture.events(hash)
    if (!event) throw new TypeError(`Not included: ${(await fixture.row(hash)).reason_message}`)
    const receipt = await fixture.chain.getTransactionReceipt({ hash: event.transactionHash })
    return {
      success: event.args.success,
      actualGasUsed: event.args.actualGasUsed ?? 0n,
      gasUsed: receipt.gasUsed,
    }
  }

  const transfer = (to: Hex, amount: bigint) => ({
    to: settlementTokenAddress,
    value: 0n,
    data: encodeFunctionData({ abi: devTokenAbi, functionName: 'transfer', args: [to, amount] }),
  })
  const mint = (to: Hex, amount: bigint) => ({
    to: settlementTokenAddress,
    value: 0n,
    data: encodeFunctionData({ abi: devTokenAbi, functionName: 'mint', args: [to, amount] }),
  })

  async function deployedAccount(): Promise<FixtureAccount> {
    const account = await fixture.account()
    const operation = await fixture.build(bundler, account, [mint(account.address, 10n ** 9n)])
    expect(await include(operation)).toMatchObject({ success: true })
    return account
  }

  test('default: deploys the account and calls', async () => {
    const account = await fixture.account()
    const operation = await fixture.build(bundler, account, [nothing])
    const used = await include(operation)
    console.log('deploying', summary(operation, used))
    expect(used.success).toBe(true)
    expect(used.gasUsed).toBeLessThanOrEqual(used.actualGasUsed)
  })

  test('args: a deployed account', async () => {
    const account = await deployedAccount()
    const operation = await fixture.build(bundler, account, [transfer(fixture.funder.address, 1n)])
    const used = await include(operation)
    console.log('transfer', summary(operation, used))
    expect(used.success).toBe(true)
    expect(used.gasUsed).toBeLessThanOrEqual(used.actualGasUsed)
  })

  test('args: a batch', async () => {
    const account = await deployedAccount()
    const calls = Array.from({ length: 8 }, (_, index) =>
      transfer(`0x${(index + 1).toString(16).padStart(40, 'a')}`, 1n),
    )
    const operation = await fixture.build(bundler, account, calls)
    const used = await include(operation)
    console.log('batch of 8', summary(operation, used))
    expect(used.success).toBe(true)
    expect(used.gasUsed).toBeLessThanOrEqual(used.actualGasUsed)
  })

  test('args: a fresh nonce key', async () => {
    const account = await deployedAccount()
    const operation = await fixture.build(bundler, account, [nothing], { nonceKey: 77n })
    const used = await include(operation)
    console.log('fresh nonce key', summary(operation, used))
    expect(used.success).toBe(true)
    expect(used.gasUsed).toBeLessThanOrEqual(used.actualGasUsed)
  })

  test.each([
    ['zero', '00'],
    ['non-zero', 'ff'],
  ])('args: calldata of %s bytes', async (name, byte) => {
    const account = await deployedAccount()
    const operation = await fixture.build(bundler, account, [
      { ...nothing, data: `0x${byte.repeat(30_000)}` },
    ])
    const used = await include(operation)
    console.log(`30,000 ${name} bytes`, summary(operation, used))
    expect(used.success).toBe(true)
    expect(used.gasUsed).toBeLessThanOrEqual(used.actualGasUsed)
  })

  test('behavior: several operations in one transaction share its cost', async () => {
    const accounts = await Promise.all(Array.from({ length: 5 }, deployedAccount))
    const operations = await Promise.all(
      accounts.map((account) => fixture.build(bundler, account, [transfer(fixture.funder.address, 1n)])),
    )
    const hashes = await Promise.all(operations.map((operation) => fixture.submit(bundler, operation)))
    await bundler.drive()
    await fixture.noticeInclusion()
    const events = (await Promise.all(hashes.map((hash) => fixture.events(hash)))).flat()
    const [hash, ...others] = new Set(events.map(({ transactionHash }) => transactionHash))
    expect(others).toEqual([])
    const { gasUsed } = await fixture.chain.getTransactionReceipt({ hash: hash ?? '0x' })
    const charged = events.reduce((sum, { args }) => sum + (args.actualGasUsed ?? 0n), 0n)
    console.log('five transfers', { charged, transaction: gasUsed, surplus: charged - gasUsed })
    expect(gasUsed).toBeLessThanOrEqual(charged)
  })

  test('behavior: a call that handles running out of gas gets enough gas', async () => {
    const target = '0x0000000000000000000000000000000000ca7c40'
    await fixture.chain.setCode({ address: target, bytecode: gasHungry })
    const account = await deployedAccount()
    const operation = await fixture.build(bundler, account, [{ ...nothing, to: target }])
    const used = await include(operation)
    console.log('gas-hungry', summary(operation, used))
    expect(hexToBigInt((await fixture.chain.getStorageAt({ address: target, slot: '0x0' })) ?? '0x0')).toBe(
      1n,
    )
  })

  test('behavior: with little gas first, and again if that is not enough; the limits are the same', async () => {
    const dear = '0x0000000000000000000000000000000000ca7c41'
    await fixture.chain.setCode({ address: dear, bytecode: burning })
    const account = await deployedAccount()
    const estimate = async (to: Hex, isCostly: boolean) =>
      bundler.estimate({ operation: await fixture.build(bundler, account, [{ ...nothing, to }]), isCostly })
    expect(await estimate(nothing.to, false)).toEqual(await estimate(nothing.to, true))
    const known = await estimate(dear, true)
    expect(known.callGasLimit).toBeGreaterThan(5_000_000n)
    expect(await estimate(dear, false)).toEqual(known)
  })

  test('behavior: limits are not excessive', async () => {
    // A deployed account may have a deposit that pays for a lower limit without a transfer, so this one is
    // not deployed.
    const fresh = await fixture.account()
    const { verificationGasLimit } = await fixture.build(bundler, fresh, [nothing])
    const lowVerification = await fixture.build(bundler, fresh, [nothing], {
      verificationGasLimit: (verificationGasLimit * 88n) / 100n,
    })
    await expect(bundler.deliver(lowVerification)).rejects.toMatchObject({ code: 'OPERATION_REFUSED' })

    const account = await deployedAccount()
    const calls = [transfer(fixture.funder.address, 1n)]
    const { callGasLimit } = await fixture.build(bundler, account, calls)
    const lowCall = await fixture.build(bundler, account, calls, {
      callGasLimit: (callGasLimit * 80n) / 100n,
    })
    expect(await include(lowCall)).toMatchObject({ success: false })
  })

  test('behavior: estimates for an account without funds', async () => {
    const account = await fixture.account({ funded: false })
    const operation = await fixture.build(bundler, account, [{ ...nothing, value: parseEther('1') }])
    expect(operation.verificationGasLimit).toBeGreaterThan(0n)
  })

  test('behavior: calls see an overridden balance', async () => {
    const account = await deployedAccount() // has a deposit
    const operation = await fixture.build(bundler, account, [{ ...nothing, value: 1_000n }])
    const executionWith = async (balance: bigint) => {
      const stateOverride = [{ address: account.address, balance }]
      return (await bundler.estimate({ operation, stateOverride })).execution.success
    }
    expect(await executionWith(1_000n)).toBe(true)
    expect(await executionWith(999n)).toBe(false)
  })

  test('behavior: a reverting call returns its reason', async () => {
    const account = await fixture.account()
    const draft = await fixture.build(bundler, account, [transfer(fixture.funder.address, 1n)])
    const { execution } = await bundler.estimate({ operation: draft })
    expect(execution.success).toBe(false)
    expect(execution.revertData).toContain('e450d38c') // ERC20InsufficientBalance
  })

  test('behavior: revert data is as long as EntryPoint reports it', async () => {
    const target = '0x0000000000000000000000000000000000ca7c41'
    await fixture.chain.setCode({ address: target, bytecode: longRevert })
    const account = await deployedAccount()
    const operation = await fixture.build(bundler, account, [{ ...nothing, to: target }])
    const { execution } = await bundler.estimate({ operation })
    expect(execution).toEqual({ success: false, revertData: `0x${'00'.repeat(2_048)}` })
  })

  test("behavior: verification has a minimum, in addition to the account's creation", async () => {
    const deployed = await deployedAccount()
    const later = await fixture.build(bundler, deployed, [nothing])
    const gas = await bundler.estimate({ operation: later, verificationGasFloor: 900_000n })
    expect(gas.verificationGasLimit).toBe(900_000n)

    const first = await fixture.build(bundler, await fixture.account(), [nothing])
    const { verificationGasLimit } = await bundler.estimate({
      operation: first,
      verificationGasFloor: 900_000n,
    })
    expect(verificationGasLimit).toBeGreaterThan(1_100_000n)
  })

  test('error: REBUILD if the account has been deployed in the meantime', async () => {
    const account = await deployedAccount()
    const promise = fixture.build(bundler, account, [nothing], { deployed: false })
    await expect(promise).rejects.toMatchObject({ code: 'REBUILD', details: { entryPointCode: 'AA10' } })
  })

  test('error: OPERATION_REFUSED if the account does not exist', async () => {
    const account = await fixture.account()
    const promise = fixture.build(bundler, account, [nothing], { deployed: true })
    await expect(promise).rejects.toMatchObject({
      code: 'OPERATION_REFUSED',
      details: { entryPointCode: 'AA20' },
    })
  })

  test('error: OPERATION_REFUSED if it needs more gas than a transaction may use', async () => {
    const account = await deployedAccount()
    const operation = await fixture.build(bundler, account, [nothing])
    const promise = bundler.estimate({ operation, verificationGasFloor: 2n ** 24n })
    await expect(promise).rejects.toMatchObject({ code: 'OPERATION_REFUSED' })
  })
})

function summary(operation: SignedUserOperation, used: { actualGasUsed: bigint; gasUsed: bigint }) {
  return {
    verificationGasLimit: operation.verificationGasLimit,
    callGasLimit: operation.callGasLimit,
    preVerificationGas: operation.preVerificationGas,
    charged: used.actualGasUsed,
    transaction: used.gasUsed,
    surplus: used.actualGasUsed - used.gasUsed,
  }
}
