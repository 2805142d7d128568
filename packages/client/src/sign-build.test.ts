import {
  computeAccountAddress,
  encodeCalls,
  getSafeOperationHash,
  getUserOperationHash,
  toWireUserOperation,
  type UserOperation,
} from '@lanyard/accounts'
import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import type { Build } from './build.ts'
import { createLanyardClient } from './client.ts'
import { send } from './send.ts'
import { addressOf, type BuildSigner, signBuild } from './sign-build.ts'
import { verifyBuild } from './verify-build.ts'

// Well-known PUBLIC key of the local networks.
const signer = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const payee: Address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const owner = { kind: 'eoa', address: signer.address } as const
const account = computeAccountAddress(owner)
const operation: UserOperation = {
  sender: account,
  nonce: 7n,
  initCode: '0x',
  callData: encodeCalls([{ to: payee, value: 1n, data: '0x' }]),
  callGasLimit: 1n,
  verificationGasLimit: 2n,
  preVerificationGas: 3n,
  maxFeePerGas: 4n,
  maxPriorityFeePerGas: 5n,
  paymasterAndData: '0x',
}
const hash = getSafeOperationHash(operation, { chainId: 31337 })
const build: Build = { userOp: toWireUserOperation(operation), messageToSign: hash, signMode: 'ECDSA' }
const request = {
  network: '31337',
  walletAddress: account,
  transactionDetails: [{ targetContractAddress: payee, value: '1', encodedData: '0x' }],
}
const rejection = (field: string) => expect.objectContaining({ name: 'BuildVerificationError', field })

/** A wallet whose user approves. */
function wallet() {
  const requested: unknown[] = []
  const of = { address: signer.address, type: 'json-rpc' } as const
  const client: BuildSigner = {
    account: of,
    signMessage: async ({
      account: by,
      message,
    }: Parameters<typeof signer.signMessage>[0] & { account: unknown }) => {
      requested.push(by)
      return signer.signMessage({ message })
    },
  }
  return { requested, client }
}

describe('verifyBuild', () => {
  test('error: signMode differs from the request', () => {
    const sessionBuild = { ...build, signMode: 'SESSION_KEY' as const }
    expect(() => verifyBuild({ build: sessionBuild, request, owner })).toThrow(rejection('signMode'))
    expect(() =>
      verifyBuild({ build: sessionBuild, request: { ...request, signMode: 'ECDSA' }, owner }),
    ).toThrow(rejection('signMode'))
    expect(() => verifyBuild({ build, request: { ...request, signMode: '1' }, owner })).not.toThrow()
  })

  test('behavior: accepts hex in either case', () => {
    const upper = { ...build, messageToSign: `0x${hash.slice(2).toUpperCase()}` }
    expect(verifyBuild({ build: upper, request, owner }).hash).toBe(hash)
  })
})

describe('signBuild', () => {
  test('default: an account signs the 32 bytes', async () => {
    expect(await signBuild({ build, request, signer })).toBe(
      await signer.signMessage({ message: { raw: hash } }),
    )
  })

  test('args: a wallet client; its account signs', async () => {
    const { client, requested } = wallet()
    expect(await signBuild({ build, request, signer: client })).toBe(
      await signer.signMessage({ message: { raw: hash } }),
    )
    expect(requested).toEqual([signer.address])
  })

  test('error: does not sign a build that fails verification', async () => {
    const { client, requested } = wallet()
    const other = { ...request, transactionDetails: [] }
    await expect(signBuild({ build, request: other, signer: client })).rejects.toThrow(
      rejection('userOp.callData'),
    )
    expect(requested).toEqual([])
  })
})

describe('addressOf', () => {
  test('default', () => {
    expect(addressOf(signer)).toBe(signer.address)
    expect(addressOf(wallet().client)).toBe(signer.address)
  })

  test('error: a wallet client without an account', () => {
    const { account: _, ...without } = wallet().client as {
      account?: unknown
      signMessage: () => Promise<Hex>
    }
    expect(() => addressOf(without)).toThrow(new TypeError('The wallet client has no account'))
  })
})

test('send: builds, signs, submits', async () => {
  const requested: [string, unknown][] = []
  const client = createLanyardClient({
    baseUrl: 'http://service.example/below/',
    fetch: async (input, init) => {
      const received = new Request(input, init)
      const { pathname } = new URL(received.url)
      requested.push([pathname, JSON.parse(await received.text())])
      return Response.json(pathname.endsWith('/build') ? build : { txnHash: '0x02', success: true })
    },
  })
  expect(await send(client, { request, signer })).toMatchObject({ txnHash: '0x02', success: true })
  expect(requested).toEqual([
    ['/below/smart-account/transaction/build', request],
    [
      '/below/smart-account/transaction/submit',
      {
        signature: await signer.signMessage({ message: { raw: hash } }),
        walletAddress: account,
        userOpHash: getUserOperationHash(operation, { chainId: 31337 }),
      },
    ],
  ])
})
