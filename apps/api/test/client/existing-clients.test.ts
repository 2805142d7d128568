import { localTransport } from '@lanyard/devnet'
import { createTestClient, encodePacked, type Hex, parseEther, publicActions } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, type HttpService, postJson, startHttpService } from '../http-service.ts'
import { Authenticator } from '../passkeys/authenticator.ts'

/* The requests that published clients send and the answers that they expect. */

let service: HttpService
beforeAll(async () => {
  service = await startHttpService()
})
afterAll(() => service?.[Symbol.asyncDispose]())

const owner = privateKeyToAccount(generatePrivateKey())
const post = (path: string, body: object) => postJson(service.url + path, body)

async function build(more: object = {}) {
  const { body } = await post('/smart-account/create', { eoaAddress: owner.address })
  const walletAddress = body.wallet.scw_address
  const chain = createTestClient({ mode: 'anvil', transport: localTransport(service.node.rpcUrl) }).extend(
    publicActions,
  )
  await chain.setBalance({ address: walletAddress, value: parseEther('1') })
  const built = await post('/smart-account/transaction/build', {
    network: String(service.node.chainId),
    walletAddress,
    transactionDetails: [{ encodedData: '0x', targetContractAddress: owner.address }],
    ...more,
  })
  return { walletAddress, built }
}

const sign = (messageToSign: Hex) => owner.signMessage({ message: { raw: messageToSign } })
const withValidity = (signature: Hex, validAfter: number, validUntil: number) =>
  encodePacked(['uint48', 'uint48', 'bytes'], [validAfter, validUntil, signature])

describe('absent fields', () => {
  test('behavior: null counts as absent, and a call without a value sends no ether', async () => {
    const { built } = await build({ paymasterData: null, signMode: null, replaces: null, allowRevert: null })
    expect(built.status, built.text).toBe(200)
    const detail = { encodedData: '0x', targetContractAddress: owner.address }
    for (const value of [null, '0']) {
      const same = await build({ transactionDetails: [{ ...detail, value }] })
      expect(same.built.body.userOp.callData).toBe(built.body.userOp.callData)
    }
  })

  test('error: "Required" for every missing field at any depth', async () => {
    const { status, body } = await post('/smart-account/transaction/build', {
      transactionDetails: [{}],
      network: null,
    })
    expect([status, body.code]).toEqual([400, 'INVALID_INPUT'])
    expect(body.issues).toEqual(
      expect.arrayContaining(
        [
          'network',
          'walletAddress',
          'transactionDetails.0.encodedData',
          'transactionDetails.0.targetContractAddress',
        ].map((path) => ({ path, message: 'Required' })),
      ),
    )
    expect(body.issues).toHaveLength(4)
  })
})

describe('a signature with a validity prefix', () => {
  test('behavior: 77 bytes with the signed validity are accepted like the 65 bytes of the owner', async () => {
    const { walletAddress, built } = await build()
    const { messageToSign, userOp } = built.body
    const signature = await sign(messageToSign)
    const submission = { walletAddress, network: String(service.node.chainId), userOp }
    const other = await post('/smart-account/transaction/submit', {
      ...submission,
      signature: withValidity(signature, 0, 1_900_000_000),
    })
    expect(other).toMatchObject({ status: 400, body: { code: 'INVALID_SIGNATURE' } })
    const answer = await post('/smart-account/transaction/submit', {
      ...submission,
      signature: withValidity(signature, 0, 0),
    })
    expect(answer).toMatchObject({ status: 200, body: { success: true } })
    // Both forms submit the same operation.
    const again = await post('/smart-account/transaction/submit', { ...submission, signature })
    expect(again.body).toEqual(answer.body)
  })
})

test('behavior: sign-in options are also at the top level, as startAuthentication expects them', async () => {
  const username = 'alice'
  const urlOf = (path: string) => `${service.url}${path}?username=${username}`
  const registration = await ask(urlOf('/v3/webauthn/register/generate-options'))
  const passkey = new Authenticator(new URL(service.url).origin.replace('127.0.0.1', 'localhost'))
  const registered = await postJson(urlOf('/v3/webauthn/register/verify'), passkey.create(registration.body))
  expect(registered.status, registered.text).toBe(200)

  const { body } = await ask(urlOf('/webauthn/authenticate/generate-options'))
  const { passkeyAuthenticationOptions, ...options } = body
  expect(options).toEqual(passkeyAuthenticationOptions)
  // PublicKeyCredentialRequestOptionsJSON (WebAuthn L3 §5.1.10).
  expect(options).toMatchObject({
    challenge: expect.stringMatching(/^[\w-]{43}$/),
    rpId: 'localhost',
    timeout: expect.any(Number),
    userVerification: 'required',
    allowCredentials: [{ id: passkey.id, type: 'public-key' }],
  })
  const answer = await postJson(urlOf('/webauthn/authenticate/verify'), passkey.get(body))
  expect(answer.status, answer.text).toBe(200)
})
