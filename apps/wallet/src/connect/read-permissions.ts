import { isAddress, isHex } from 'viem'
import type { SessionRequest } from '../session-keys/session-request.ts'
import { Rejection } from './rejection.ts'

/** The part of a session request that a page chooses. */
export type PermissionsRequest = Pick<SessionRequest, 'chainId' | 'key' | 'duration' | 'permissions'>

/** What a session key enforces, in the terms of ERC-7715. The provider names the same list as a capability. */
const readers: Readonly<Record<string, (data: Data) => readonly object[]>> = {
  'native-token-transfer': (data) => [
    { type: 'native-token-allowance', allowance: amountOf(data, 'allowance') },
  ],
  'native-token-periodic': (data) => [
    {
      type: 'native-token-allowance',
      allowance: amountOf(data, 'periodAmount'),
      period: data.periodDuration,
    },
  ],
  'erc20-token-transfer': (data) => [
    {
      type: 'erc20-token-allowance',
      token: addressOf(data, 'address'),
      allowance: amountOf(data, 'allowance'),
    },
  ],
  'erc20-token-periodic': (data) => [
    {
      type: 'erc20-token-allowance',
      token: addressOf(data, 'tokenAddress'),
      allowance: amountOf(data, 'periodAmount'),
      period: data.periodDuration,
    },
  ],
  'contract-call': (data) => [
    { type: 'contract-call', target: addressOf(data, 'address'), functions: data.calls },
  ],
  'gas-limit': (data) => [{ type: 'gas-fee-allowance', allowance: amountOf(data, 'limit') }],
}

/** Seconds. */
const maxDuration = 366 * 86_400

type Data = Readonly<Record<string, unknown>>

/**
 * Reads `wallet_grantPermissions` (ERC-7715). A permission, a policy or a signer that a session key cannot enforce is
 * rejected by its name, unless the page marks the permission with `required: false`: then it is left out.
 *
 * @param now - Unix seconds
 * @returns the request, and the permissions that it grants, as the page wrote them
 * @throws Refusal -32602, 5700
 */
export function readPermissions(
  parameters: unknown,
  chainId: number,
  now: number,
  parseKey: (
    text: string,
  ) => { readonly ok: true; readonly key: SessionRequest['key'] } | { readonly ok: false },
): { readonly request: PermissionsRequest; readonly granted: readonly unknown[] } {
  const { expiry, signer, permissions } = Object(parameters)
  if (!Number.isSafeInteger(expiry) || expiry <= now || expiry - now > maxDuration)
    throw new Rejection('invalidParams', '`expiry` is not a time within the next year, in Unix seconds.')
  const parsed = parseKey(keyText(signer))
  if (!parsed.ok) throw new Rejection('invalidParams', 'The key of `signer` is not valid.')
  if (!Array.isArray(permissions) || permissions.length === 0)
    throw new Rejection('invalidParams', 'There are no permissions.')
  const read = permissions.map((permission) => ({ permission, terms: termsOf(permission) }))
  const granted = read.filter(({ terms }) => terms !== undefined)
  return {
    request: {
      chainId,
      key: parsed.key,
      duration: expiry - now,
      permissions: granted.flatMap(({ terms }) => terms),
    },
    granted: granted.map(({ permission }) => permission),
  }
}

/** Undefined if it cannot be enforced and is not required. */
function termsOf(permission: unknown): readonly object[] | undefined {
  const { type, data, policies = [], required } = Object(permission)
  const unsupported = [
    ...(Object.hasOwn(readers, String(type)) ? [] : [`the permission ${String(type)}`]),
    ...(Array.isArray(policies) ? policies : [policies]).map((policy) => `the policy ${Object(policy).type}`),
  ]
  if (unsupported.length === 0) return readers[String(type)]?.(Object(data))
  if (required === false) return undefined
  throw new Rejection('unsupportedCapability', `A session key cannot enforce ${unsupported.join(' and ')}.`)
}

/** The key in the form of a session request: an address, or 0x04 ‖ x ‖ y. */
function keyText(signer: unknown): string {
  const { type, data } = Object(signer)
  const { address, type: curve, publicKey, id } = Object(data)
  if (type === 'account') return String(address ?? id)
  if (type === 'key' && (curve === 'secp256r1' || curve === 'p256')) return String(publicKey ?? id)
  if (type === 'key' && curve === 'secp256k1') return String(address ?? publicKey ?? id)
  throw new Rejection(
    'unsupportedCapability',
    `The wallet does not support the signer ${String(type)}${curve ? ` ${curve}` : ''}.`,
  )
}

/** Hex or decimal, as a decimal string. */
function amountOf(data: Data, member: string): string {
  const value = data[member]
  if (typeof value === 'string' && (isHex(value) ? value.length > 2 : /^\d+$/.test(value)))
    return String(BigInt(value))
  throw new Rejection('invalidParams', `\`${member}\` is not an amount in hex.`)
}

function addressOf(data: Data, member: string): string {
  const value = data[member]
  if (typeof value === 'string' && isAddress(value, { strict: false })) return value
  throw new Rejection('invalidParams', `\`${member}\` is not an address.`)
}
