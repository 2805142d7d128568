import { devAccounts } from '@lanyard/devnet'
import { safe4337ModuleAbi } from '@lanyard/onchain'
import { encodeFunctionData, type Hex, hexToBytes, toFunctionSelector } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type AccountOwner,
  type Call,
  calculatePreVerificationGas,
  computeAccountAddress,
  decodeSignature,
  defaultDeployment,
  defaultVerifiers,
  encodeCalls,
  encodeSignature,
  encodeWebAuthnSignature,
  getSafeOperationHash,
  recoverOwnerSignature,
  safeOperationTypedData,
  stubSignature,
  type UserOperation,
} from '../src/index.ts'
import { chainId, startChain } from './entry-point.ts'
import { operationOf } from './operation.ts'
import { SoftwareAuthenticator } from './software-authenticator.ts'

let chain: Awaited<ReturnType<typeof startChain>>
beforeAll(async () => {
  chain = await startChain()
  await chain.fund(payee, 1n) // so that no operation pays for a new account
})
afterAll(async () => {
  await chain[Symbol.asyncDispose]()
})

type Sign = (operation: UserOperation, times: { validAfter: number; validUntil: number }) => Promise<Hex>

/** One of anvil's public keys, with the signing methods of a wallet. */
function eoaAt(
  index: number,
  how: 'raw' | 'personal_sign' | 'typed data',
): { owner: AccountOwner; sign: Sign } {
  const key = devAccounts[index]
  if (key === undefined) throw new TypeError(`The devnet has no account ${index}.`)
  const account = privateKeyToAccount(key.privateKey)
  return {
    owner: { kind: 'eoa', address: account.address },
    async sign(operation, times) {
      const hash = getSafeOperationHash(operation, { chainId, ...times })
      const signed = {
        raw: () => account.sign({ hash }),
        personal_sign: () => account.signMessage({ message: { raw: hash } }),
        'typed data': () => account.signTypedData(safeOperationTypedData(operation, { chainId, ...times })),
      }
      const result = await recoverOwnerSignature({
        hash,
        owner: account.address,
        signature: await signed[how](),
      })
      if (!result.ok) throw new Error(result.message)
      return result.signature
    },
  }
}

function passkey(authenticator = new SoftwareAuthenticator()): { owner: AccountOwner; sign: Sign } {
  return {
    owner: { kind: 'passkey', ...authenticator.publicKey, verifiers: defaultVerifiers },
    async sign(operation, times) {
      const hash = getSafeOperationHash(operation, { chainId, ...times })
      const assertion = authenticator.get({ challenge: hexToBytes(hash) })
      const result = encodeWebAuthnSignature({ hash, assertion })
      if (!result.ok) throw new Error(result.message)
      return result.signature
    },
  }
}

async function send(
  { owner, sign }: { owner: AccountOwner; sign: Sign },
  calls: readonly Call[],
  times = { validAfter: 0, validUntil: 0 },
  on = chain,
) {
  const sender = computeAccountAddress(owner)
  const deployed = (await on.client.getCode({ address: sender })) !== undefined
  const unpriced = operationOf(owner, {
    nonce: await on.nonceOf(sender),
    callData: encodeCalls(calls),
    ...(deployed ? { initCode: '0x' } : {}),
  })
  const operation = {
    ...unpriced,
    preVerificationGas: calculatePreVerificationGas({ ...unpriced, signature: stubSignature(owner) }),
  }
  const signatures = await sign(operation, times)
  return on.handleOps({ ...operation, signature: encodeSignature({ ...times, signatures }) })
}

const payee = '0x00000000000000000000000000000000000000ad'
const pay: Call = { to: payee, value: 1n, data: '0x' }

describe.each([
  ['EOA, raw signature', eoaAt(1, 'raw')],
  ['EOA, personal_sign', eoaAt(2, 'personal_sign')],
  ['EOA, typed data', eoaAt(3, 'typed data')],
  ['passkey', passkey()],
  [
    "passkey, Chrome's extra members",
    passkey(
      new SoftwareAuthenticator({
        extraClientData: {
          other_keys_can_be_added_here:
            'do not compare clientDataJSON against a template. See https://goo.gl/yabPex',
        },
      }),
    ),
  ],
])('inclusion: %s', (name, signer) => {
  beforeAll(() => chain.fund(computeAccountAddress(signer.owner)))

  test('behavior: the first operation deploys the account', async () => {
    const result = await send(signer, [pay])
    expect(result).toMatchObject({ status: 'success', success: true, isNamed: true })
    console.info(`gas, ${name}, first: ${result.gasUsed}, charged ${result.actualGasUsed}`)
    expect(result.actualGasUsed).toBeGreaterThanOrEqual(result.gasUsed)
  })

  test('behavior: a later operation is included', async () => {
    const before = await chain.client.getBalance({ address: payee })
    const result = await send(signer, [pay])
    expect(result).toMatchObject({ status: 'success', success: true, isNamed: true })
    expect(await chain.client.getBalance({ address: payee })).toBe(before + 1n)
    console.info(`gas, ${name}, later: ${result.gasUsed}, charged ${result.actualGasUsed}`)
    expect(result.actualGasUsed).toBeGreaterThanOrEqual(result.gasUsed)
  })

  test('behavior: a batch is included', async () => {
    const before = await chain.client.getBalance({ address: payee })
    expect(await send(signer, [pay, pay, pay])).toMatchObject({ success: true, isNamed: true })
    expect(await chain.client.getBalance({ address: payee })).toBe(before + 3n)
  })

  test('behavior: an operation with time bounds is included', async () => {
    const { timestamp } = await chain.client.getBlock()
    const times = { validAfter: Number(timestamp) - 60, validUntil: Number(timestamp) + 600 }
    expect(await send(signer, [pay], times)).toMatchObject({ success: true })
  })

  test('error: AA22, past validUntil', async () => {
    await expect(send(signer, [pay], { validAfter: 0, validUntil: 1 })).rejects.toThrow('AA22')
  })
})

describe('inclusion', () => {
  test('behavior: an operation without calls only deploys', async () => {
    const signer = passkey()
    await chain.fund(computeAccountAddress(signer.owner))
    expect(await send(signer, [])).toMatchObject({ success: true })
    expect(await chain.client.getCode({ address: computeAccountAddress(signer.owner) })).toBeDefined()
  })

  test('behavior: the event contains the reason of a revert', async () => {
    const signer = eoaAt(1, 'raw')
    const reverting: Call = {
      to: defaultDeployment.module,
      value: 0n,
      data: encodeFunctionData({
        abi: safe4337ModuleAbi,
        functionName: 'executeUserOp',
        args: [payee, 0n, '0x', 0],
      }),
    }
    const result = await send(signer, [reverting])
    expect(result).toMatchObject({ status: 'success', success: false })
    // UnsupportedEntryPoint(), with which the module rejects callers other than the EntryPoint.
    expect(result.revertReason).toContain(toFunctionSelector('UnsupportedEntryPoint()').slice(2))
  })

  test('behavior: a passkey works without the P-256 precompile', async () => {
    await using prague = await startChain({ hardfork: 'prague' })
    const signer = passkey()
    await prague.fund(computeAccountAddress(signer.owner))
    for (const position of ['first', 'later']) {
      const result = await send(signer, [pay], undefined, prague)
      expect(result).toMatchObject({ success: true, isNamed: true })
      console.info(`gas, passkey without the precompile, ${position}: ${result.gasUsed}`)
    }
  })

  test.each([
    ['EOA', eoaAt(4, 'raw')],
    ['passkey', passkey()],
  ])('error: AA24, a stub signature is invalid: %s', async (_, signer) => {
    await chain.fund(computeAccountAddress(signer.owner))
    const sign = async () => decodeSignature(stubSignature(signer.owner)).signatures
    await expect(send({ ...signer, sign }, [pay])).rejects.toThrow('AA24')
  })

  test("error: AA24, another passkey's signature", async () => {
    const signer = passkey()
    await chain.fund(computeAccountAddress(signer.owner))
    await expect(send({ ...signer, sign: passkey().sign }, [pay])).rejects.toThrow('AA24')
  })
})
