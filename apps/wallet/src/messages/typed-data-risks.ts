import type { AccountTypedData } from '@lanyard/accounts'
import { type Address, isAddress, isAddressEqual } from 'viem'
import { toInteger } from './decode-typed-data.ts'

/**
 * Ways in which typed data is more than a login.
 *
 * - `permit2`: lets a spender take tokens through Permit2
 * - `permit`: lets a spender take tokens or NFTs (ERC-2612, DAI, ERC-4494)
 * - `transfer`: moves tokens (ERC-3009)
 * - `order`: sells or buys on a market that fills it later
 * - `compact`: lets others claim what is locked in The Compact
 * - `call`: lets others make a call in the signer's name (ERC-2771, ERC-7710)
 * - `safe`: is a transaction, an operation or a message of a Safe
 * - `unlimited`: contains an amount that is unlimited in practice
 * - `otherChain`: names a chain other than the signed one
 */
export type TypedDataRisk =
  | 'permit2'
  | 'permit'
  | 'transfer'
  | 'order'
  | 'compact'
  | 'call'
  | 'safe'
  | 'unlimited'
  | 'otherChain'

/** Permit2, the same on every network: github.com/Uniswap/permit2. */
const permit2: Address = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

const permit2Types = /^Permit(Single|Batch)$|^Permit(Batch)?(Witness)?TransferFrom$/
const transferTypes = /^(Transfer|Receive)WithAuthorization$/
const compactTypes = /^(Batch|Multichain)?Compact$/
const safeTypes = /^(SafeTx|SafeOp|SafeMessage|EncryptionKey|PackedUserOperation|UserOperation)$/

/** Names of members that contain an amount. */
const amountName = /amount|value|allowance|limit|quantity|total|price/i
/** Names of members whose maximum value only means "never". */
const otherName = /deadline|expir|nonce|salt|time|until|after|before|start|end|gas|fee|counter/i

/** All warnings to show before signing, without duplicates. */
export function findRisks(
  typedData: AccountTypedData,
  { chainId }: { readonly chainId: number },
): readonly TypedDataRisk[] {
  const { domain = {}, types, primaryType, message } = typedData
  const contract = domain.verifyingContract
  const named = toInteger(domain.chainId)
  const isPermit2 =
    permit2Types.test(primaryType) ||
    (typeof contract === 'string' &&
      isAddress(contract, { strict: false }) &&
      isAddressEqual(contract, permit2))
  const isSafe = safeTypes.test(primaryType)
  const found: Record<TypedDataRisk, boolean> = {
    permit2: isPermit2,
    permit: !isPermit2 && (/permit/i.test(primaryType) || isPermit(types[primaryType] ?? [])),
    transfer: transferTypes.test(primaryType),
    order: Object.keys(types).some((name) => /order/i.test(name)),
    compact: compactTypes.test(primaryType),
    call: !isSafe && Object.values(types).some(isCall),
    safe: isSafe,
    unlimited: isUnlimited(types, primaryType, message, 16),
    otherChain: named !== undefined && named !== BigInt(chainId),
  }
  return (Object.keys(found) as TypedDataRisk[]).filter((risk) => found[risk]) // the record's own keys
}

type Types = AccountTypedData['types']
type Fields = Types[string]

/** Recognizes a permit by its members, since a token can give the struct any name. */
function isPermit(fields: Fields): boolean {
  const has = (...names: string[]) => names.every((name) => fields.some((field) => field.name === name))
  return (
    has('spender', 'value', 'deadline') ||
    has('holder', 'spender', 'allowed') ||
    has('spender', 'tokenId', 'deadline') ||
    has('operator', 'approved')
  )
}

/** Recognizes a call by its members: a target with call data, or a delegation of all calls. */
function isCall(fields: Fields): boolean {
  const has = (type: string, name: RegExp) =>
    fields.some((field) => field.type === type && name.test(field.name))
  return (
    (has('address', /^(to|target|contract)$/i) && has('bytes', /^(call)?data$/i)) ||
    has('bytes', /^functionSignature$/) ||
    (has('address', /^delegate$/) && has('address', /^delegator$/))
  )
}

function isUnlimited(types: Types, struct: string, value: unknown, depth: number): boolean {
  if (depth === 0) return false
  const fields = Object.hasOwn(types, struct) ? (types[struct] ?? []) : []
  return fields.some(({ name, type }) => {
    const member = Object(value)[name]
    const element = type.replace(/(\[\d*\])+$/, '')
    const values = Array.isArray(member) ? member.flat(4) : [member]
    return values.some(
      (one) => isUnlimitedValue(name, element, one) || isUnlimited(types, element, one, depth - 1),
    )
  })
}

/**
 * Whether the value is at least half of the type's range, which nobody owns. DAI's permit uses a boolean
 * instead.
 */
function isUnlimitedValue(name: string, type: string, value: unknown): boolean {
  if (type === 'bool') return name === 'allowed' && value === true
  const bits = Number(/^uint(\d*)$/.exec(type)?.[1] || (type === 'uint' ? 256 : 0))
  if (bits < 96 || otherName.test(name) || !amountName.test(name)) return false
  const integer = toInteger(value)
  return integer !== undefined && integer >= 2n ** BigInt(bits - 1)
}
