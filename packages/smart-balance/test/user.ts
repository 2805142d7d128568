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
  type SignedUserOperation,
  type UserOperation,
} from '@lanyard/accounts'
import { SoftwareAuthenticator } from '@lanyard/accounts/testing'
import { randomPrivateKey } from '@lanyard/testing'
import { type Hash, type Hex, hexToBytes } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { encodePaymasterAndData, getOrderHash, type UnsignedOrder } from '../src/index.ts'
import { operator, type TestChain } from './chains.ts'

/** An account's owner, who signs. */
export interface User {
  readonly owner: AccountOwner
  readonly account: `0x${string}`
  readonly sign: (hash: Hash) => Promise<Hex>
}

export function eoaUser(): User {
  const key = privateKeyToAccount(randomPrivateKey())
  const owner: AccountOwner = { kind: 'eoa', address: key.address }
  return { owner, account: computeAccountAddress(owner), sign: (hash) => key.sign({ hash }) }
}

export function passkeyUser(): User {
  const authenticator = new SoftwareAuthenticator()
  const owner: AccountOwner = { kind: 'passkey', ...authenticator.publicKey, verifiers: defaultVerifiers }
  return {
    owner,
    account: computeAccountAddress(owner),
    sign: async (hash) => {
      const encoded = encodeWebAuthnSignature({
        hash,
        assertion: authenticator.get({ challenge: hexToBytes(hash) }),
      })
      if (!encoded.ok) throw new TypeError(encoded.message)
      return encoded.signature
    },
  }
}

/** The account's next operation, which deploys it if it is the first. */
export async function operationOf(
  user: User,
  chain: TestChain,
  calls: readonly Call[],
): Promise<UserOperation> {
  const nonce = await chain.nonceOf(user.account)
  return {
    sender: user.account,
    nonce,
    initCode: nonce === 0n ? encodeInitCode(user.owner) : '0x',
    callData: encodeCalls(calls),
    callGasLimit: 1_000_000n,
    verificationGasLimit: 2_000_000n,
    preVerificationGas: 100_000n,
    maxFeePerGas: 10_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
    paymasterAndData: '0x',
  }
}

export async function signAsUser(
  user: User,
  chain: TestChain,
  operation: UserOperation,
): Promise<SignedUserOperation> {
  const signatures = await user.sign(getSafeOperationHash(operation, { chainId: chain.chainId }))
  return { ...operation, signature: encodeSignature({ validAfter: 0, validUntil: 0, signatures }) }
}

/** The operator signs this package's order hash. */
export async function withOrder(
  operation: UserOperation,
  chain: TestChain,
  order: UnsignedOrder,
): Promise<{ operation: UserOperation; orderHash: Hash }> {
  const orderHash = getOrderHash({ order, operation, chainId: chain.chainId })
  const operatorSignature = await operator.sign({ hash: orderHash })
  return {
    operation: { ...operation, paymasterAndData: encodePaymasterAndData({ ...order, operatorSignature }) },
    orderHash,
  }
}
