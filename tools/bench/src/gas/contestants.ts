import { createRequire } from 'node:module'
import {
  type AccountOwner,
  type Call,
  computeAccountAddress,
  defaultVerifiers,
  delegatedDeployment,
  encodeCalls,
  encodeInitCode,
  encodeSignature,
  encodeWebAuthnSignature,
  getSafeOperationHash,
  stubSignature,
  toDelegatedAccount,
  type UserOperation,
  unpackUserOperation,
} from '@lanyard/accounts'
import { canonicalAddresses } from '@lanyard/devnet'
import { toSafeSmartAccount, toSimpleSmartAccount } from 'permissionless/accounts'
import {
  type Address,
  concat,
  encodeAbiParameters,
  getCreate2Address,
  type Hash,
  type Hex,
  type SignedAuthorization,
  stringToHex,
  toHex,
  zeroHash,
} from 'viem'
import { entryPoint07Address } from 'viem/account-abstraction'
import { foundry } from 'viem/chains'
import type { Bundler } from './bundler.ts'
import { assertWithPasskey, eoa, webAuthnAccount } from './owners.ts'

/** An account of one implementation, with an owner that signs deterministically. */
interface Contestant {
  readonly sender: Address
  /** factory ‖ factory data. */
  readonly initCode: Hex
  encodeCalls(calls: readonly Call[]): Promise<Hex>
  /** A stub as long as the real signature, used to compute preVerificationGas. */
  readonly stubSignature: Hex
  sign(operation: UserOperation): Promise<Hex>
  /** Default: v0.7. */
  readonly entryPoint?: Address
  /** What the first operation is sent with. Default: nothing. */
  authorize?(): Promise<SignedAuthorization>
}

/** Creates the account on a chain. It may deploy contracts that it needs. */
export type Enter = (chain: Bundler) => Promise<Contestant>

/** Our own account. */
export const lanyard =
  (owner: AccountOwner): Enter =>
  async () => ({
    sender: computeAccountAddress(owner),
    initCode: encodeInitCode(owner),
    encodeCalls: async (calls) => encodeCalls(calls),
    stubSignature: stubSignature(owner),
    async sign(operation) {
      const hash = getSafeOperationHash(operation, { chainId: foundry.id })
      const signatures = owner.kind === 'eoa' ? await eoa.sign({ hash }) : signWithPasskey(hash)
      return encodeSignature({ validAfter: 0, validUntil: 0, signatures })
    },
  })

function signWithPasskey(hash: Hash): Hex {
  const { metadata, signature } = assertWithPasskey(hash)
  const result = encodeWebAuthnSignature({
    hash,
    assertion: {
      authenticatorData: metadata.authenticatorData,
      clientDataJSON: stringToHex(metadata.clientDataJSON),
      signature,
    },
  })
  if (!result.ok) throw new TypeError(result.message)
  return result.signature
}

/** The EOA itself, delegated to Simple7702Account by its first operation. */
export const delegated: Enter = async () => {
  const account = toDelegatedAccount(eoa.address)
  const context = { chainId: foundry.id }
  return {
    sender: account.getAddress(),
    initCode: account.encodeInitCode(),
    entryPoint: account.entryPoint,
    encodeCalls: async (calls) => account.encodeCalls(calls),
    stubSignature: account.stubSignature({}),
    sign: (operation) => eoa.sign({ hash: account.hashOperation(operation, context) }),
    authorize: () => eoa.signAuthorization({ ...context, address: delegatedDeployment.delegate, nonce: 0 }),
  }
}

/** The same Safe, created by permissionless with its defaults: its setup goes through MultiSend. */
export const permissionless =
  (owner: AccountOwner): Enter =>
  async ({ client }) => {
    const account = await toSafeSmartAccount({
      client,
      owners: [owner.kind === 'eoa' ? eoa : webAuthnAccount],
      version: '1.4.1',
      entryPoint: { address: entryPoint07Address, version: '0.7' },
      // Its default verifier for passkeys does not use the precompile, which adds over 200,000 gas and would
      // compare chains instead.
      safeP256VerifierAddress: toHex(defaultVerifiers, { size: 22 }),
      saltNonce: 0n,
      nonceKey: 0n,
    })
    const { factory, factoryData } = await account.getFactoryArgs()
    if (!factory || !factoryData) throw new TypeError('An account that is not deployed has a factory')
    return {
      sender: await account.getAddress(),
      initCode: concat([factory, factoryData]),
      encodeCalls: (calls) => account.encodeCalls(calls),
      stubSignature: stubSignature(owner),
      // Without a `factory` key, it would leave the paymaster out of the signed data.
      sign: (operation) =>
        account.signUserOperation({ factory: undefined, ...unpackUserOperation(operation) }),
    }
  }

const require = createRequire(import.meta.url)

/** The reference account of the authors of ERC-4337: one EOA owner, no modules. */
export const simpleAccount: Enter = async ({ client }) => {
  // Reads a hardhat artifact.
  const { bytecode } = require('@account-abstraction/contracts/artifacts/SimpleAccountFactory.json') as {
    bytecode: Hex
  }
  const initCode = concat([bytecode, encodeAbiParameters([{ type: 'address' }], [entryPoint07Address])])
  const from = canonicalAddresses.deterministicDeployer
  const hash = await client.sendTransaction({ to: from, data: concat([zeroHash, initCode]) })
  await client.waitForTransactionReceipt({ hash })

  const account = await toSimpleSmartAccount({
    client,
    owner: eoa,
    entryPoint: { address: entryPoint07Address, version: '0.7' },
    factoryAddress: getCreate2Address({ from, salt: zeroHash, bytecode: initCode }),
    nonceKey: 0n,
  })
  const { factory, factoryData } = await account.getFactoryArgs()
  if (!factory || !factoryData) throw new TypeError('An account that is not deployed has a factory')
  return {
    sender: await account.getAddress(),
    initCode: concat([factory, factoryData]),
    encodeCalls: (calls) => account.encodeCalls(calls),
    stubSignature: `0x${'ec'.repeat(64)}1c`,
    sign: (operation) => account.signUserOperation(unpackUserOperation(operation)),
  }
}
