import { devAccounts, localTransport } from '@lanyard/devnet'
import { toSafeSmartAccount } from 'permissionless/accounts'
import { createPublicClient, type Hex, toHex } from 'viem'
import { entryPoint07Address } from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type AccountOwner,
  type Call,
  computeAccountAddress,
  defaultVerifiers,
  encodeCalls,
  encodeInitCode,
  encodeSignature,
  encodeWebAuthnSignature,
  getSafeOperationHash,
  unpackUserOperation,
} from '../src/index.ts'
import { parseDerSignature } from '../src/signers/passkey/signature.ts'
import { chainId, startChain } from './entry-point.ts'
import { operationOf } from './operation.ts'
import { SoftwareAuthenticator } from './software-authenticator.ts'
import { webAuthnAccountOf } from './web-authn-account.ts'

// permissionless is an independent implementation of the same accounts.

let chain: Awaited<ReturnType<typeof startChain>>
beforeAll(async () => {
  chain = await startChain()
})
afterAll(async () => {
  await chain[Symbol.asyncDispose]()
})

const call: Call = { to: '0x00000000000000000000000000000000000000ad', value: 1n, data: '0xcafe' }

const eoa = privateKeyToAccount(devAccounts[1]?.privateKey ?? '0x')
const eoaOwner: AccountOwner = { kind: 'eoa', address: eoa.address }
const authenticator = new SoftwareAuthenticator()
const passkeyOwner: AccountOwner = {
  kind: 'passkey',
  ...authenticator.publicKey,
  verifiers: defaultVerifiers,
}

/**
 * The last assertion that permissionless requested. ECDSA is randomized, so both sides encode the same one.
 */
let assertion: ReturnType<SoftwareAuthenticator['get']>
const webAuthnAccount = webAuthnAccountOf(authenticator, (made) => {
  assertion = made
})

async function peerOf(owner: AccountOwner) {
  return toSafeSmartAccount({
    client: createPublicClient({ chain: foundry, transport: localTransport(chain.rpcUrl) }),
    owners: [owner.kind === 'eoa' ? eoa : webAuthnAccount],
    version: '1.4.1',
    entryPoint: { address: entryPoint07Address, version: '0.7' },
    useMultiSendForSetup: owner.kind === 'passkey',
    safeP256VerifierAddress: toHex(defaultVerifiers, { size: 22 }),
    saltNonce: 0n,
  })
}

describe.each([
  ['EOA', eoaOwner],
  ['passkey', passkeyOwner],
])('permissionless agrees: %s', (_, owner) => {
  test('computeAccountAddress', async () => {
    expect(await (await peerOf(owner)).getAddress()).toBe(computeAccountAddress(owner))
  })

  test('encodeInitCode', async () => {
    const { factory, factoryData } = await (await peerOf(owner)).getFactoryArgs()
    expect(`${factory}${factoryData?.slice(2)}`.toLowerCase()).toBe(encodeInitCode(owner))
  })

  test.each([
    ['one call', [call]],
    ['a batch', [call, { ...call, value: 2n, data: '0x' as const }]],
  ])('encodeCalls, %s', async (_, calls) => {
    expect((await (await peerOf(owner)).encodeCalls(calls)).toLowerCase()).toBe(encodeCalls(calls))
  })

  test.each<[string, { initCode?: Hex }]>([
    ['first', {}],
    ['later', { initCode: '0x' }],
  ])('hash and signature, %s', async (_, overrides) => {
    const operation = operationOf(owner, overrides)
    // Without a `factory` key, permissionless omits the paymaster from what it signs.
    const theirs = await (await peerOf(owner)).signUserOperation({
      factory: undefined,
      ...unpackUserOperation(operation),
    })
    const hash = getSafeOperationHash(operation, { chainId })
    const signatures = owner.kind === 'eoa' ? await eoa.sign({ hash }) : encodeAssertion(hash)
    // permissionless keeps the checksummed case of the signer's address.
    expect(theirs.toLowerCase()).toBe(encodeSignature({ validAfter: 0, validUntil: 0, signatures }))
  })
})

function encodeAssertion(hash: Hex): Hex {
  // ox flips s into the lower half; the contract accepts either.
  const rs = parseDerSignature(assertion.signature)
  if (rs === undefined) throw new TypeError('node:crypto writes DER.')
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
  const signature = { r: rs.r, s: rs.s > order / 2n ? order - rs.s : rs.s }
  const result = encodeWebAuthnSignature({ hash, assertion: { ...assertion, signature } })
  if (!result.ok) throw new Error(result.message)
  return result.signature
}
