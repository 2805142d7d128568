import {
  type BuildVerificationError,
  createLanyardClient,
  LanyardApiError,
  send,
  signBuild,
  verifyBuild,
} from '@lanyard/client'
import { localTransport } from '@lanyard/devnet'
import { randomPrivateKey } from '@lanyard/testing'
import { createTestClient, parseEther, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type HttpService, startHttpService } from '../http-service.ts'

const secret = 'a-secret-of-32-characters-xxxxxx'
const recipient = '0x00000000000000000000000000000000DeaDBeef'
let service: HttpService
beforeAll(async () => {
  service = await startHttpService({ API_KEYS: secret })
})
afterAll(() => service[Symbol.asyncDispose]())

const connect = () => createLanyardClient({ baseUrl: service.url, apiKey: secret })

/** An EOA whose smart account has ten ether, and a request that sends wei from it in two calls. */
async function prepare() {
  const lanyard = connect()
  const signer = privateKeyToAccount(randomPrivateKey())
  const { wallet } = await lanyard.smartAccount.create({ eoaAddress: signer.address })
  const chain = createTestClient({ mode: 'anvil', transport: localTransport(service.node.rpcUrl) }).extend(
    publicActions,
  )
  await chain.setBalance({ address: wallet.scw_address as `0x${string}`, value: parseEther('10') })
  const request = {
    network: String(service.node.chainId),
    walletAddress: signer.address,
    transactionDetails: [
      { encodedData: '0x', targetContractAddress: recipient, value: '1' },
      { encodedData: '0x', targetContractAddress: recipient, value: '2' },
    ],
  }
  return { lanyard, signer, owner: { kind: 'eoa', address: signer.address } as const, wallet, chain, request }
}

describe('createLanyardClient', () => {
  test('default', async () => {
    const { networks } = await connect().system.networks()
    expect(networks.map(({ network }) => network)).toEqual([service.node.chainId])
  })

  test('args: query', async () => {
    const { value } = await connect().user.checkUsername({ username: 'nobody & more' })
    expect(value).toBe(false)
  })

  test('error: LanyardApiError', async () => {
    const failure = await connect()
      .smartAccount.create({ eoaAddress: '0x1' })
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(LanyardApiError)
    expect(failure).toMatchObject({
      code: 'INVALID_INPUT',
      status: 400,
      requestId: expect.any(String),
      issues: [{ path: 'eoaAddress', message: expect.any(String) }],
    })
  })

  test('error: UNAUTHORIZED without a key', async () => {
    const anonymous = createLanyardClient({ baseUrl: service.url })
    await expect(anonymous.system.networks()).rejects.toMatchObject({ code: 'UNAUTHORIZED', status: 401 })
  })
})

describe('send', () => {
  test('default', async () => {
    const { lanyard, signer, chain, request } = await prepare()
    const before = await chain.getBalance({ address: recipient })
    const { success, userOpHash } = await send(lanyard, { signer, request })
    expect(success).toBe(true)
    expect(await chain.getBalance({ address: recipient })).toBe(before + 3n)
    expect((await lanyard.smartAccount.status({ userOpHash })).state).toBe('included')
  })
})

describe('verifyBuild', () => {
  test('default', async () => {
    const { lanyard, owner, wallet, request } = await prepare()
    const build = await lanyard.smartAccount.build(request)
    const verified = verifyBuild({ build, request, owner })
    expect(verified.account).toBe(wallet.scw_address)
    expect(verified.hash).toBe(build.messageToSign)
    expect(verified.calls.map(({ value }) => value)).toEqual([1n, 2n])
  })

  test('behavior: the client names the field that the service changed and signs nothing', async () => {
    const { lanyard, signer, owner, request } = await prepare()
    const build = await lanyard.smartAccount.build(request)
    const other = await prepare()
    const otherBuild = await other.lanyard.smartAccount.build({
      ...other.request,
      transactionDetails: [{ encodedData: '0x', targetContractAddress: signer.address, value: '3' }],
    })
    const { userOp } = build
    const changes = {
      'userOp.sender': { ...build, userOp: { ...userOp, sender: otherBuild.userOp.sender } },
      'userOp.initCode': { ...build, userOp: { ...userOp, initCode: otherBuild.userOp.initCode } },
      'userOp.callData': { ...build, userOp: { ...userOp, callData: otherBuild.userOp.callData } },
      'userOp.nonce': { ...build, userOp: { ...userOp, nonce: '-1' } },
      'userOp.paymasterAndData': {
        ...build,
        userOp: { ...userOp, paymasterAndData: `0x${'11'.repeat(52)}` },
      },
      messageToSign: { ...build, userOp: { ...userOp, maxFeePerGas: `${userOp.maxFeePerGas}0` } },
      signMode: { ...build, signMode: 'SESSION_KEY' as const },
    }
    for (const [field, changed] of Object.entries(changes)) {
      const failure = await signBuild({ build: changed, request, signer }).catch(
        (error: BuildVerificationError) => error,
      )
      expect(failure, field).toMatchObject({ name: 'BuildVerificationError', field })
    }
    expect(() => verifyBuild({ build, request, owner })).not.toThrow()
  })

  test('behavior: verifyBuild rejects missing, reordered and repeated calls', async () => {
    const { lanyard, owner, request } = await prepare()
    const [first, second] = request.transactionDetails
    const original = await lanyard.smartAccount.build(request)
    for (const transactionDetails of [[first], [second, first], [first, second, second]]) {
      const changedRequest = {
        ...request,
        transactionDetails: transactionDetails.filter((one) => one !== undefined),
      }
      expect(() => verifyBuild({ build: original, request: changedRequest, owner })).toThrow(
        /userOp\.callData/,
      )
    }
  })
})
