/** @module-tag all */

import { type Call, encodeAddOwner, encodeRemoveOwner, safeMessageTypedData } from '@lanyard/accounts'
import { createLanyardClient, signAccountMessage, verifyMessageOptions } from '@lanyard/client'
import { canonicalAddresses, localTransport } from '@lanyard/devnet'
import { randomPrivateKey } from '@lanyard/testing'
import { type Address, createPublicClient, type Hash, type Hex, hashMessage, hashTypedData } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { createSiweMessage, parseSiweMessage } from 'viem/siwe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { consentOf } from '../owner-consent.ts'
import type { Authenticator, RequestOptions } from '../passkeys/authenticator.ts'
import { type PasskeyService, startPasskeyService, transfer } from '../passkeys/passkey-service.ts'

/* The tests use two networks because a signature is valid on one only. viem verifies the signatures. */

let service: PasskeyService
beforeAll(async () => {
  service = await startPasskeyService({ chainIds: [31337, 31338] })
})
afterAll(() => service?.[Symbol.asyncDispose]())

const order = {
  domain: { name: 'Shop', chainId: 31337 },
  types: { Order: [{ name: 'amount', type: 'uint256' }] },
  primaryType: 'Order',
  message: { amount: '12' },
} as const
const messages = [
  ['a text', { message: 'Hello' }, hashMessage('Hello'), { message: 'hello' }],
  ['bytes', { rawMessage: '0x00ff' }, hashMessage({ raw: '0x00ff' }), { rawMessage: '0x00fe' }],
  [
    'typed data',
    { typedData: order },
    hashTypedData({ ...order, message: { amount: 12n } }),
    { typedData: { ...order, message: { amount: '13' } } },
  ],
] as const

interface MessageSignature {
  readonly signature: Hex
  readonly form: string
  readonly owner: Address
}

const networkOf = (index: number) => service.service.services.networks.get(31337 + index)
const publicClient = (index = 0) =>
  createPublicClient({
    chain: { ...foundry, id: 31337 + index },
    transport: localTransport(networkOf(index).config.rpcUrls[0]),
  })
const client = () => createLanyardClient({ baseUrl: service.service.url })
const isValid = (address: Address, hash: Hash, signature: Hex, index = 0) =>
  publicClient(index).verifyHash({ address, hash, signature })
const check = async (body: object) =>
  (await service.post<{ valid: boolean }>('/smart-account/message/check', { network: '31337', ...body })).body
    .valid
const finish = (body: object) =>
  service.post<MessageSignature>('/smart-account/message/finish', { network: '31337', ...body })

async function createWallet(key: PrivateKeyAccount = privateKeyToAccount(randomPrivateKey())) {
  const { wallet } = await client().smartAccount.create({ eoaAddress: key.address })
  const address = wallet.scw_address as Address // the service returned this address
  for (const { setBalance } of service.chains) await setBalance({ address, value: 10n ** 19n })
  return { key, address }
}

/** Sends an operation of an EOA's wallet, which deploys the wallet. */
async function operate(key: PrivateKeyAccount, walletAddress: Address, transactionDetails: unknown) {
  const built = await service.post<{ messageToSign: Hex }>('/smart-account/transaction/build', {
    ...{ network: '31337', walletAddress, transactionDetails },
  })
  const signature = await key.signMessage({ message: { raw: built.body.messageToSign } })
  const submitted = await service.post('/smart-account/transaction/submit', { walletAddress, signature })
  expect(submitted.body).toMatchObject({ success: true })
}

const toDetail = ({ to, value, data }: Call) => ({
  ...{ targetContractAddress: to, value: String(value), encodedData: data },
})

async function signByPasskey(
  { username, passkey, address }: { username: string; passkey: Authenticator; address: Address },
  what: { readonly message: string } | { readonly rawMessage: Hex } | { readonly typedData: typeof order },
  at = service,
) {
  const network = '31337'
  const { body: options } = await at.post<RequestOptions & { messageHash: Hash; deployed: boolean }>(
    '/v3/webauthn/message/generate-options',
    { username, network, ...what },
  )
  verifyMessageOptions({ options, request: what, owner: { kind: 'account', address }, network })
  const verify = () =>
    at.post<MessageSignature>(`/v3/webauthn/message/verify?username=${username}`, {
      ...passkey.get(options),
      network,
      ...what,
    })
  return { options, verify, ...(await verify()) }
}

describe.each(messages)('%s', (name, what, hash, changed) => {
  test("behavior: an EOA's wallet signs, before and after deployment", async () => {
    const { key, address } = await createWallet()
    const sign = () => signAccountMessage(client(), { signer: key, network: '31337', request: what })
    const before = await sign()
    expect(before).toMatchObject({ form: 'ERC6492', owner: key.address })
    expect(await isValid(address, hash, before.signature as Hex)).toBe(true)
    expect(await isValid(address, hash, before.signature as Hex, 1)).toBe(false)

    const prepared = await service.post<{ messageToSign: Hex; messageHash: Hash }>(
      '/smart-account/message/prepare',
      { walletAddress: address, network: '31337', ...what },
    )
    expect(prepared.body).toMatchObject({
      messageHash: hash,
      deployed: false,
      owners: [{ address: key.address, kind: 'eoa' }],
    })
    const personal = await key.signMessage({ message: { raw: prepared.body.messageToSign } })
    const finished = await finish({ walletAddress: address, ...what, signature: personal })
    expect(await isValid(address, hash, finished.body.signature)).toBe(true)

    await operate(key, address, transfer())
    const after = await sign()
    expect(after).toMatchObject({ form: 'ERC1271', owner: key.address })
    for (const { signature } of [before, after]) {
      expect(await isValid(address, hash, signature as Hex)).toBe(true)
      expect(await check({ walletAddress: address, ...what, signature })).toBe(true)
      expect(await check({ walletAddress: address, ...changed, signature })).toBe(false)
    }
    const elsewhere = { walletAddress: address, ...what, signature: after.signature, network: '31338' }
    if (name !== 'typed data') expect(await check(elsewhere)).toBe(false)
  })

  test("behavior: a passkey's wallet signs, before and after deployment", async () => {
    const user = await service.register(`signer-${name.replace(' ', '-')}`)
    const before = await signByPasskey(user, what)
    expect(before.body).toMatchObject({ form: 'ERC6492' })
    expect(before.options).toMatchObject({ messageHash: hash, deployed: false })
    expect(await isValid(user.address, hash, before.body.signature)).toBe(true)
    // The same assertion gives the same signature.
    const again = await before.verify()
    expect(again.status).toBe(200)

    await service.send(user, transfer())
    const after = await signByPasskey(user, what)
    expect(after.body).toMatchObject({ form: 'ERC1271' })
    // In its encoded form it is recognised like the signature of any other owner, and only over this message.
    const encoded = { walletAddress: user.address, signature: after.body.signature }
    expect((await finish({ ...encoded, ...what })).body).toEqual(after.body)
    expect((await finish({ ...encoded, ...changed })).body).toMatchObject({ code: 'INVALID_SIGNATURE' })
    for (const { signature } of [before.body, after.body]) {
      expect(await isValid(user.address, hash, signature)).toBe(true)
      expect(await check({ walletAddress: user.address, ...what, signature })).toBe(true)
      expect(await check({ walletAddress: user.address, ...changed, signature })).toBe(false)
    }
  })
})

test('behavior: a later owner of either kind signs typed data of viem with bigints', async () => {
  const user = await service.register('later-owners')
  const later = privateKeyToAccount(randomPrivateKey())
  const { networks } = (
    await service.post<{ networks: { network: number; transactionDetails: unknown }[] }>(
      '/smart-account/owner/add',
      {
        ...{ walletAddress: user.address, ownerAddress: later.address },
        ownerSignature: await consentOf(later, user.address),
      },
    )
  ).body
  await service.send(user, networks.find(({ network }) => network === 31337)?.transactionDetails)
  const typedData = { ...order, message: { amount: 12n } }
  const parameters = { signer: later, request: { typedData }, account: user.address }
  const { signature } = await signAccountMessage(client(), { ...parameters, network: '31337' })
  const hash = hashTypedData(typedData)
  expect(await isValid(user.address, hash, signature as Hex)).toBe(true)

  // The account is not deployed on the other network, so only the first owner can sign there.
  const elsewhere = { signer: later, account: user.address, network: '31338', request: { message: 'Hello' } }
  await expect(signAccountMessage(client(), elsewhere)).rejects.toMatchObject({ code: 'OWNER_NOT_HERE' })
})

const loginOf = (address: Address) =>
  createSiweMessage({
    domain: 'app.example',
    address,
    uri: 'https://app.example/login',
    version: '1',
    chainId: 31337,
    nonce: 'a1b2c3d4e5',
  })

test('behavior: viem verifies a SIWE message before and after deployment, only with a client of its chain', async () => {
  const { key, address } = await createWallet()
  const message = loginOf(address)
  const network = parseSiweMessage(message).chainId ?? 0
  for (const form of ['ERC6492', 'ERC1271']) {
    const signed = await signAccountMessage(client(), { signer: key, network, request: { message } })
    expect(signed.form).toBe(form)
    const signature = signed.signature as Hex
    expect(await publicClient().verifySiweMessage({ message, signature })).toBe(true)
    expect(await publicClient(1).verifySiweMessage({ message, signature })).toBe(false)
    if (form === 'ERC6492') await operate(key, address, transfer())
  }
})

test("behavior: viem verifies a SIWE message of a passkey's account before and after deployment", async () => {
  const user = await service.register('siwe-passkey')
  const message = loginOf(user.address)
  for (const form of ['ERC6492', 'ERC1271']) {
    const { body } = await signByPasskey(user, { message })
    expect(body.form).toBe(form)
    const { signature } = body
    expect(await publicClient().verifySiweMessage({ message, signature })).toBe(true)
    expect(await publicClient(1).verifySiweMessage({ message, signature })).toBe(false)
    // The signature does not cover a message of another domain.
    const other = message.replaceAll('app.example', 'app.example.net')
    expect(await publicClient().verifySiweMessage({ message: other, signature })).toBe(false)
    if (form === 'ERC6492') await service.send(user, transfer())
  }
})

test('behavior: without the P-256 precompile the Solidity verifier checks passkeys; without both the answer is INVALID_SIGNATURE', async () => {
  await using prague = await startPasskeyService({ hardfork: 'prague' })
  const user = await prague.register('no-precompile')
  const signed = await signByPasskey(user, { message: 'Hello' }, prague)
  expect(signed).toMatchObject({ status: 200, body: { form: 'ERC6492' } })
  const checked = {
    walletAddress: user.address,
    network: '31337',
    message: 'Hello',
    signature: signed.body.signature,
  }
  const check = async () =>
    (await prague.post<{ valid: boolean }>('/smart-account/message/check', checked)).body.valid
  expect(await check()).toBe(true)
  await prague.chain.setCode({ address: canonicalAddresses.p256Verifier, bytecode: '0x' })
  expect(await signed.verify()).toMatchObject({ status: 400, body: { code: 'INVALID_SIGNATURE' } })
  expect(await check()).toBe(false)
})

describe('rejected signatures', () => {
  test("error: SIGNATURE_OVER_MESSAGE for the owner's own signature", async () => {
    const { key, address } = await createWallet()
    const own = await key.signMessage({ message: 'Hello' })
    const answer = await finish({ walletAddress: address, message: 'Hello', signature: own })
    expect(answer).toMatchObject({ status: 400, body: { code: 'SIGNATURE_OVER_MESSAGE' } })
    const typed = await key.signTypedData({ ...order, message: { amount: 12n } })
    const other = await finish({ walletAddress: address, typedData: order, signature: typed })
    expect(other.body.code).toBe('SIGNATURE_OVER_MESSAGE')
  })

  test('error: OWNER_NOT_HERE for a removed owner', async () => {
    const { key, address } = await createWallet()
    const later = privateKeyToAccount(randomPrivateKey())
    const add = encodeAddOwner({ account: address, owner: later.address })
    await operate(key, address, [toDetail(add)])
    const owners = [later.address, key.address] // the Safe lists the newest owner first
    const remove = encodeRemoveOwner({ account: address, owner: key.address, owners })
    await operate(later, address, [toDetail(remove)])
    const sign = (signer: PrivateKeyAccount) =>
      signAccountMessage(client(), {
        signer,
        account: address,
        network: '31337',
        request: { message: 'Hello' },
      })
    await expect(sign(key)).rejects.toMatchObject({ code: 'OWNER_NOT_HERE' })
    expect(await sign(later)).toMatchObject({ form: 'ERC1271', owner: later.address })
  })

  test('error: INVALID_SIGNATURE for the signature of a third party, another account or another network', async () => {
    const { key, address } = await createWallet()
    const thirdParty = privateKeyToAccount(randomPrivateKey())
    const sign = (signer: PrivateKeyAccount, account: Address, chainId = 31337) =>
      signer.signTypedData(safeMessageTypedData(hashMessage('Hello'), { chainId, account }))
    for (const signature of [
      await sign(thirdParty, address),
      await sign(key, thirdParty.address),
      await sign(key, address, 31338),
      '0x',
    ]) {
      const { status, body } = await finish({ walletAddress: address, message: 'Hello', signature })
      expect([status, body.code]).toEqual([400, 'INVALID_SIGNATURE'])
    }
  })

  test('error: SIGNATURE_OVER_TEXT, SIGNATURE_COMPACT', async () => {
    const { key, address } = await createWallet()
    const { body } = await service.post<{ messageToSign: Hex }>('/smart-account/message/prepare', {
      ...{ walletAddress: address, network: '31337', message: 'Hello' },
    })
    const text = await key.signMessage({ message: body.messageToSign })
    const codeOf = async (signature: Hex) =>
      (await finish({ walletAddress: address, message: 'Hello', signature })).body.code
    expect(await codeOf(text)).toBe('SIGNATURE_OVER_TEXT')
    expect(await codeOf(`0x${text.slice(2, 130)}`)).toBe('SIGNATURE_COMPACT')
  })

  test('error: VERIFICATION_FAILED for an assertion over another message or network', async () => {
    const user = await service.register('other-message')
    const { options } = await signByPasskey(user, { message: 'Hello' })
    const assertion = user.passkey.get(options)
    for (const other of [
      { message: 'hello', network: '31337' },
      { message: 'Hello', network: '31338' },
    ]) {
      const path = `/v3/webauthn/message/verify?username=${user.username}`
      const answer = await service.post(path, { ...assertion, ...other })
      expect([answer.status, answer.body.code]).toEqual([400, 'VERIFICATION_FAILED'])
    }
  })

  test.each([
    ['nothing to sign', {}, 'message'],
    ['two messages', { message: 'Hello', rawMessage: '0x' }, 'message'],
    ['another chain', { typedData: { ...order, domain: { chainId: '0x7a6a' } } }, 'typedData.domain.chainId'],
    ['no chain id', { typedData: { ...order, domain: { chainId: {} } } }, 'typedData.domain.chainId'],
    [
      'typed data whose message does not match its types',
      { typedData: { ...order, message: {} } },
      'typedData',
    ],
    ['an unknown primary type', { typedData: { ...order, primaryType: 'Nothing' } }, 'typedData'],
    ['a text that is too long', { message: 'a'.repeat(33_000) }, 'message'],
    [
      'typed data that is slow to hash',
      {
        typedData: {
          types: {
            A: [{ name: 'b', type: 'B[]' }],
            B: [],
            ...Object.fromEntries(
              Array.from({ length: 20 }, (_, index) => [
                `C${index}`,
                [{ name: 'x'.repeat(100), type: 'uint8' }],
              ]),
            ),
          },
          primaryType: 'A',
          message: { b: Array.from({ length: 1_000 }, () => ({})) },
        },
      },
      'typedData',
    ],
  ])('error: INVALID_INPUT for %s', async (_, what, path) => {
    const { address } = await createWallet()
    for (const endpoint of ['prepare', 'check', 'finish']) {
      const body = { walletAddress: address, network: '31337', signature: '0x', ...what }
      const answer = await service.post<{ issues: { path: string }[] }>(
        `/smart-account/message/${endpoint}`,
        body,
      )
      expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_INPUT'])
      expect(answer.body.issues.map((issue) => issue.path)).toContain(path)
    }
  })

  test('behavior: bytes that are not a signature are invalid', async () => {
    const { address } = await createWallet()
    const junk = `0x${'00'.repeat(3)}${'6492'.repeat(16)}` as const
    for (const signature of ['0x', '0x1234', junk, `0x${'11'.repeat(65)}`])
      expect(await check({ walletAddress: address, message: 'Hello', signature })).toBe(false)
  })
})
