import { encodeCalls, type SignedUserOperation } from '@lanyard/accounts'
import { settlementTokenAddress } from '@lanyard/devnet'
import { devTokenAbi } from '@lanyard/onchain'
import { concat, encodeFunctionData, type Hex, parseAbiItem, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nothing, type Scene, type SceneAccount, startScene } from '../../test/scene.ts'
import type { Bundler } from '../index.ts'

/**
 * Creation code of a contract that calls itself with 63/64 of its gas and catches the failure: the caller burns gas
 * in a loop of `n` steps (call data: one word), and without enough gas it still returns, having done nothing.
 */
const burner: Hex = '0x'

describe('estimate, against the chain', () => {
  let scene: Scene
  let bundler: Bundler
  beforeAll(async () => {
    scene = await startScene('pglite')
    bundler = scene.bundler()
  })
  afterAll(() => scene[Symbol.asyncDispose]())

  /** Sends the operation with its estimated limits, and again with limits that are a tenth lower. */
  async function include(operation: SignedUserOperation) {
    const hash = await scene.submit(bundler, operation)
    await bundler.drive()
    await scene.noticeInclusion()
    const [event] = await scene.events(hash)
    if (!event) throw new TypeError(`Not included: ${(await scene.row(hash)).reason_message}`)
    const receipt = await scene.chain.getTransactionReceipt({ hash: event.transactionHash })
    return { success: event.args.success, actualGasUsed: event.args.actualGasUsed ?? 0n, gasUsed: receipt.gasUsed }
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

  async function deployedAccount(): Promise<SceneAccount> {
    const account = await scene.account()
    const operation = await scene.build(bundler, account, [mint(account.address, 10n ** 9n)])
    expect(await include(operation)).toMatchObject({ success: true })
    return account
  }

  test('default: deploys the account and calls', async () => {
    const account = await scene.account()
    const operation = await scene.build(bundler, account, [nothing])
    const used = await include(operation)
    console.log('deploying', summary(operation, used))
    expect(used.success).toBe(true)
    expect(used.gasUsed).toBeLessThanOrEqual(used.actualGasUsed)
  })

  test('args: an account that is deployed', async () => {
    const account = await deployedAccount()
    const operation = await scene.build(bundler, account, [transfer(scene.funder.address, 1n)])
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
    const operation = await scene.build(bundler, account, calls)
    const used = await include(operation)
    console.log('batch of 8', summary(operation, used))
    expect(used.success).toBe(true)
    expect(used.gasUsed).toBeLessThanOrEqual(used.actualGasUsed)
  })

  test('args: a fresh nonce key', async () => {
    const account = await deployedAccount()
    const operation = await scene.build(bundler, account, [nothing], { nonceKey: 77n })
    const used = await include(operation)
    console.log('fresh nonce key', summary(operation, used))
    expect(used.success).toBe(true)
    expect(used.gasUsed).toBeLessThanOrEqual(used.actualGasUsed)
  })

  test.each([
    ['zero', '00'],
    ['non-zero', 'ff'],
  ])('args: large call data of %s bytes', async (name, byte) => {
    const account = await deployedAccount()
    const operation = await scene.build(bundler, account, [{ ...nothing, data: `0x${byte.repeat(30_000)}` }])
    const used = await include(operation)
    console.log(`30,000 ${name} bytes`, summary(operation, used))
    expect(used.success).toBe(true)
    expect(used.gasUsed).toBeLessThanOrEqual(used.actualGasUsed)
  })

  test('behavior: an account without funds estimates', async () => {
    const account = await scene.account({ funded: false })
    const operation = await scene.build(bundler, account, [{ ...nothing, value: parseEther('1') }])
    expect(operation.verificationGasLimit).toBeGreaterThan(0n)
  })

  test('behavior: a call that reverts says why', async () => {
    const account = await scene.account()
    const draft = await scene.build(bundler, account, [transfer(scene.funder.address, 1n)])
    const { execution } = await bundler.estimate({ operation: draft })
    expect(execution.success).toBe(false)
    expect(execution.revertData).toContain('e450d38c') // ERC20InsufficientBalance
  })

  test('behavior: a floor for verification', async () => {
    const account = await scene.account()
    const operation = await scene.build(bundler, account, [nothing])
    const { verificationGasLimit } = await bundler.estimate({ operation, verificationGasFloor: 900_000n })
    expect(verificationGasLimit).toBe(900_000n)
  })

  test('error: REBUILD when the account is deployed meanwhile', async () => {
    const account = await deployedAccount()
    const promise = scene.build(bundler, account, [nothing], { deployed: false })
    await expect(promise).rejects.toMatchObject({ code: 'REBUILD', details: { entryPointCode: 'AA10' } })
  })

  test('error: OPERATION_REFUSED when the account does not exist', async () => {
    const account = await scene.account()
    const promise = scene.build(bundler, account, [nothing], { deployed: true })
    await expect(promise).rejects.toMatchObject({
      code: 'OPERATION_REFUSED',
      details: { entryPointCode: 'AA20' },
    })
  })

  test('error: OPERATION_REFUSED when it needs more gas than a transaction may have', async () => {
    const account = await deployedAccount()
    // Runs until its gas is used up: INVALID (0xfe) at an address of its own.
    const address = '0x00000000000000000000000000000000000bad00'
    await scene.chain.setCode({ address, bytecode: '0x5b600056' }) // JUMPDEST PUSH1 0 JUMP
    const operation = await scene.build(bundler, account, [nothing])
    const callData = encodeCalls([{ to: address, value: 0n, data: '0x' }])
    const estimate = await bundler.estimate({ operation: { ...operation, callData, nonce: operation.nonce } })
    expect(estimate.execution.success).toBe(false)
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
