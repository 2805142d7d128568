import {
  entryPointAbi,
  entryPointCodeAddress,
  multiSendAbi,
  operationSimulatorAbi,
  operationSimulatorDeployedBytecode,
  safe4337ModuleAbi,
  safeWebAuthnSharedSignerAbi,
} from '@lanyard/onchain'
import {
  type Address,
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  type Hash,
  type Hex,
  parseEther,
  parseEventLogs,
  parseGwei,
  size,
  toHex,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { canonicalAddresses as addresses, type DevnetNode, type Hardfork, startNode } from '../src/index.ts'
import { clientsOf } from './clients.ts'
import { safeOf } from './safe.ts'
import { createPasskey, verifiers } from './webauthn.ts'

/**
 * Compares the results of OperationSimulator with EntryPoint v0.7 itself: an operation with exactly these
 * limits succeeds, and one with slightly less fails.
 */
describe.each<Hardfork>(['osaka', 'prague'])('on %s', (hardfork) => {
  let node: DevnetNode
  let c: ReturnType<typeof clientsOf>
  const passkey = createPasskey()

  beforeAll(async () => {
    node = await startNode({ hardfork })
    c = clientsOf(node)
    await c.testClient.setAutomine(true) // no empty blocks
  })
  afterAll(() => node.stop())

  const owners = { eoa: signAsEoa, passkey: signAsPasskey } as const
  const cases = (['eoa', 'passkey'] as const).flatMap((owner) =>
    (['first', 'later'] as const).flatMap((turn) =>
      (['call', 'batch'] as const).map((kind) => [owner, turn, kind] as const),
    ),
  )

  test.each(cases)('default: %s, %s operation, %s', async (owner, turn, kind) => {
    const { safe, initCall } = await accountOf(owner)
    await c.testClient.setBalance({ address: safe, value: parseEther('1') })
    if (turn === 'later') {
      const hash = await c.walletClient.sendTransaction({
        chain: null,
        to: addresses.safeProxyFactory,
        data: initCall,
      })
      await included(hash)
    }
    const operation = {
      sender: safe,
      nonce: 0n,
      initCode: turn === 'first' ? concat([addresses.safeProxyFactory, initCall]) : '0x',
      callData: kind === 'call' ? pay() : batch(),
    } as const
    const sign = owners[owner]

    const estimated = await simulate(await sign(operation, { verification: 2_000_000n, call: 2_000_000n }))
    expect(estimated.failure).toBe(0n)
    expect(estimated.executionSucceeded).toBe(true)
    expect(estimated.validationData).toBe(0n)
    expect(estimated.verification.tight && estimated.execution.tight).toBe(true)

    // The Solidity verifier's gas depends on the signature: 220k to 235k in 200 samples. A stub signature's
    // result needs a margin there.
    const varies = owner === 'passkey' && hardfork === 'prague'
    const verification = (estimated.verification.limit * (varies ? 110n : 100n)) / 100n
    const call = estimated.execution.limit
    expect(await handle(await sign(operation, { verification, call }))).toBe(true)

    // A little less fails: AA26, AA23, or AA24 when the signature check itself ran out of gas.
    const tooLow = (verification * (varies ? 80n : 95n)) / 100n - 1_500n
    await expect(handle(await sign(operation, { verification: tooLow, call }))).rejects.toThrow(
      /AA13|AA2[346]/,
    )
    expect(await handle(await sign(operation, { verification, call: (call * 95n) / 100n - 1_500n }))).toBe(
      false,
    )

    await c.testClient.revert({ id: await snapshotBefore })
  })

  test('behavior: handles a call back to EntryPoint during simulation', async () => {
    const answer = await c.publicClient.readContract({
      address: addresses.entryPoint,
      abi: entryPointAbi,
      functionName: 'getNonce',
      args: [node.settlementToken.address, 2n],
      stateOverride: await overrides(),
    })
    expect(answer).toBe(2n << 64n)
  })

  /**
   * Waits until a transaction is included and out of the pool. anvil takes it out a moment after there is a
   * receipt: once the state is reverted, it would be valid again, and part of the pending block on which gas is
   * estimated.
   */
  async function included(hash: Hash) {
    const receipt = await c.publicClient.waitForTransactionReceipt({ hash })
    await c.testClient.dropTransaction({ hash })
    return receipt
  }

  let snapshotBefore: Promise<Hex>
  async function accountOf(owner: keyof typeof owners) {
    snapshotBefore = c.testClient.snapshot()
    await snapshotBefore
    if (owner === 'eoa') return await safeOf(c.publicClient, c.owner.address)
    const configure = encodeFunctionData({
      abi: safeWebAuthnSharedSignerAbi,
      functionName: 'configure',
      args: [{ x: passkey.x, y: passkey.y, verifiers }],
    })
    return await safeOf(c.publicClient, addresses.safeWebAuthnSharedSigner, configure)
  }

  async function overrides() {
    const code = await c.publicClient.getCode({ address: addresses.entryPoint })
    return [
      { address: addresses.entryPoint, code: operationSimulatorDeployedBytecode },
      { address: entryPointCodeAddress, code: code ?? '0x' },
    ]
  }

  async function simulate(operation: Operation) {
    const { result } = await c.publicClient.simulateContract({
      address: addresses.entryPoint,
      abi: operationSimulatorAbi,
      functionName: 'simulate',
      args: [operation, parseEther('0.01'), 10_000_000n],
      stateOverride: await overrides(),
    })
    return result
  }

  /**
   * Runs the operation in EntryPoint and reverts the state. Returns its success; throws if EntryPoint rejects
   * it.
   */
  async function handle(operation: Operation): Promise<boolean> {
    const id = await c.testClient.snapshot()
    const { request } = await c.publicClient.simulateContract({
      account: c.owner,
      address: addresses.entryPoint,
      abi: entryPointAbi,
      functionName: 'handleOps',
      args: [[operation], c.owner.address],
      gas: 10_000_000n,
    })
    const hash = await c.walletClient.writeContract({ ...request, chain: null })
    const { logs } = await included(hash)
    await c.testClient.revert({ id })
    const [event] = parseEventLogs({ abi: entryPointAbi, eventName: 'UserOperationEvent', logs })
    return event?.args.success ?? false
  }

  async function signAsEoa(draft: Draft, limits: Limits): Promise<Operation> {
    const unsigned = pack(draft, limits)
    const signature = await c.owner.sign({ hash: await operationHash(unsigned) })
    return { ...unsigned, signature: concat([noTimeBounds, signature]) }
  }

  async function signAsPasskey(draft: Draft, limits: Limits): Promise<Operation> {
    const unsigned = pack(draft, limits)
    const signature = passkey.signWebAuthn(await operationHash(unsigned))
    return {
      ...unsigned,
      signature: concat([
        noTimeBounds,
        encodeAbiParameters([{ type: 'address' }], [addresses.safeWebAuthnSharedSigner]),
        toHex(65n, { size: 32 }),
        '0x00',
        toHex(BigInt(size(signature)), { size: 32 }),
        signature,
      ]),
    }
  }

  function operationHash(operation: Operation): Promise<Hex> {
    return c.publicClient.readContract({
      address: addresses.safe4337Module,
      abi: safe4337ModuleAbi,
      functionName: 'getOperationHash',
      args: [operation],
    })
  }
})

interface Draft {
  sender: Address
  nonce: bigint
  initCode: Hex
  callData: Hex
}

interface Limits {
  verification: bigint
  call: bigint
}

type Operation = ReturnType<typeof pack>

/** No validAfter and validUntil for Safe4337Module. */
const noTimeBounds = toHex(0n, { size: 12 })

function pack(draft: Draft, { verification, call }: Limits) {
  const signature: Hex = noTimeBounds
  return {
    ...draft,
    accountGasLimits: concat([toHex(verification, { size: 16 }), toHex(call, { size: 16 })]),
    preVerificationGas: 60_000n,
    gasFees: concat([toHex(parseGwei('1'), { size: 16 }), toHex(parseGwei('3'), { size: 16 })]),
    paymasterAndData: '0x' as Hex,
    signature,
  }
}

const recipient: Address = '0x00000000000000000000000000000000000000dd'

function pay(): Hex {
  return encodeFunctionData({
    abi: safe4337ModuleAbi,
    functionName: 'executeUserOp',
    args: [recipient, 1n, '0x', 0],
  })
}

/** Ten payments in one MultiSend. */
function batch(): Hex {
  const payment = encodePacked(
    ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
    [0, recipient, 1n, 0n, '0x'],
  )
  const transactions = concat(Array.from({ length: 10 }, () => payment))
  const data = encodeFunctionData({ abi: multiSendAbi, functionName: 'multiSend', args: [transactions] })
  return encodeFunctionData({
    abi: safe4337ModuleAbi,
    functionName: 'executeUserOp',
    args: [addresses.multiSendCallOnly, 0n, data, 1],
  })
}
