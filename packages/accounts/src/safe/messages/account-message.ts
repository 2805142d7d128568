import { type Hash, type Hex, hashMessage, hashTypedData, type TypedDataDomain } from 'viem'
import { AccountsError } from '../../errors.ts'

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
