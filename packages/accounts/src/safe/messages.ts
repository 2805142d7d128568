import {
  type Address,
  type Hash,
  type Hex,
  hashMessage,
  hashTypedData,
  serializeErc6492Signature,
  slice,
  type TypedDataDefinition,
  type TypedDataDomain,
} from 'viem'
import { AccountsError } from '../errors.ts'
import type { AccountOwner } from '../owner.ts'
import { encodeInitCode } from './creation.ts'
import { type AccountDeployment, defaultDeployment } from './deployment.ts'

/**
 * The 32 bytes that an owner signs for a message: `CompatibilityFallbackHandler.getMessageHashForSafe`. A
 * passkey signs it as the challenge.
 *
 * @param messageHash what the verifier passes to `isValidSignature`: {@link hashAccountMessage}
 */
export function getSafeMessageHash(messageHash: Hash, context: SafeMessageContext): Hash {
  return hashTypedData(safeMessageTypedData(messageHash, context))
}

/** `SafeMessage` of CompatibilityFallbackHandler 1.4.1 (SAFE_MSG_TYPEHASH), which Safe4337Module 0.3.0 inherits. */
const safeMessageTypes = { SafeMessage: [{ name: 'message', type: 'bytes' }] } as const

/** Where a message signature is valid: one account on one chain. */
export interface SafeMessageContext {
  readonly chainId: number
  readonly account: Address
}

/**
 * The EIP-712 message that an owner signs so that the account signs a message; give it to a wallet's `signTypedData`.
 *
 * @param messageHash what the verifier passes to `isValidSignature`: {@link hashAccountMessage}
 */
export function safeMessageTypedData(
  messageHash: Hash,
  { chainId, account }: SafeMessageContext,
): TypedDataDefinition<typeof safeMessageTypes, 'SafeMessage'> {
  return {
    domain: { chainId, verifyingContract: account },
    types: safeMessageTypes,
    primaryType: 'SafeMessage',
    message: { message: messageHash }, // abi.encode(bytes32) is those 32 bytes
  }
}

/** What an account signs: a text, bytes, or EIP-712 typed data. Never 32 bytes that are already a hash. */
export type AccountMessage =
  /** Signed as EIP-191 text (`personal_sign`). */
  | { readonly message: string }
  /** Bytes in hex, signed by the same rule. */
  | { readonly rawMessage: Hex }
  | { readonly typedData: AccountTypedData }

/** EIP-712 typed data in JSON form: integers may be decimal or hex strings. */
export interface AccountTypedData {
  readonly domain?: Readonly<Record<string, unknown>> | undefined
  readonly types: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>
  readonly primaryType: string
  readonly message: Readonly<Record<string, unknown>>
}

/**
 * The 32 bytes that a verifier passes to ERC-1271's `isValidSignature`: EIP-191's hash of a text or of bytes, or
 * EIP-712's digest.
 *
 * @throws AccountsError MALFORMED for typed data that does not fit its types
 */
export function hashAccountMessage(what: AccountMessage): Hash {
  if ('message' in what) return hashMessage(what.message)
  if ('rawMessage' in what) return hashMessage({ raw: what.rawMessage })
  const { domain = {}, types, primaryType, message } = what.typedData
  try {
    // viem infers types from literals; it checks these values against `types` at run time.
    return hashTypedData({ domain: toDomain(domain), types, primaryType, message } as never)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n', 1)[0] : String(cause)
    throw new AccountsError('MALFORMED', `The typed data does not match its types: ${reason}`)
  }
}

/** Without an `EIP712Domain` type, viem omits a chain id that is a string, which changes the digest. */
function toDomain(domain: Readonly<Record<string, unknown>>): TypedDataDomain {
  const { chainId, ...rest } = domain
  if (chainId === undefined || chainId === null) return rest
  return { ...rest, chainId: BigInt(chainId as string | number | bigint) } // throws on anything else
}

/**
 * A signature of an account that is not deployed yet (ERC-6492): abi.encode(factory, factory call data,
 * signature) ‖ 32 magic bytes. Never wrap for a deployed account: a verifier that supports only ERC-1271
 * rejects it.
 *
 * @param parameters.owner the account's first owner, the only one who can sign before deployment
 * @param parameters.signature what `isValidSignature` takes once the account is deployed
 * @throws AccountsError as {@link encodeInitCode}
 */
export function wrapErc6492Signature({
  owner,
  signature,
  deployment = defaultDeployment,
}: {
  readonly owner: AccountOwner
  readonly signature: Hex
  readonly deployment?: AccountDeployment
}): Hex {
  const initCode = encodeInitCode(owner, deployment)
  return serializeErc6492Signature({ address: slice(initCode, 0, 20), data: slice(initCode, 20), signature })
}
