import { type Call, encodeAddOwner, encodeEnableModule, readMemberChange } from '@lanyard/accounts'
import { sessionKeysAbi } from '@lanyard/onchain'
import { decodeSessionState, ruleKinds, type Session as SessionLimits } from '@lanyard/session-keys'
import { shortAddress } from '@lanyard/ui'
import {
  type Address,
  decodeFunctionData,
  encodeFunctionData,
  getAddress,
  type Hex,
  isAddressEqual,
  slice,
} from 'viem'
import { isSameCall, tryDecode } from './is-same-call.ts'

/** The effect of a SessionKeys call. */
export type SessionCall =
  | { readonly kind: 'grant-session'; readonly keyId: Hex; readonly session: SessionLimits }
  | { readonly kind: 'revoke-session'; readonly keyId: Hex }
  | { readonly kind: 'act-in-session'; readonly keyId: Hex; readonly calls: readonly Call[] }

/** Describes a SessionKeys call. Undefined if the description would not cover exactly the call's bytes. */
export function describeSessionCall(data: Hex): SessionCall | undefined {
  const call = tryDecode(() => decodeFunctionData({ abi: sessionKeysAbi, data }))
  switch (call?.functionName) {
    case 'grant': {
      const [keyId, granted] = call.args
      const isWhole =
        encodeFunctionData({ abi: sessionKeysAbi, functionName: 'grant', args: call.args }) ===
        data.toLowerCase()
      return isWhole ? describeGrant(keyId, granted) : undefined
    }
    case 'revoke':
      return { kind: 'revoke-session', keyId: call.args[0] }
    case 'execute':
      return { kind: 'act-in-session', keyId: call.args[0], calls: call.args[1] }
    default:
      return undefined
  }
}

type GrantedOnChain = Parameters<typeof decodeSessionState>[0]['session']

function describeGrant(keyId: Hex, granted: GrantedOnChain): SessionCall | undefined {
  if (granted.rules.some(({ kind }) => ruleKinds[kind] === undefined)) return undefined
  const { session } = decodeSessionState({
    id: keyId,
    nonceKey: 0n,
    operationsLeft: granted.maxOperations,
    session: granted,
    left: [],
  })
  return { kind: 'grant-session', keyId, session }
}

/** The role of SessionKeys in an account. */
export interface SessionSetUp {
  readonly kind: 'install-sessions' | 'remove-sessions'
  readonly role: 'owner' | 'module'
}

/** Describes a call by which an account adds or removes SessionKeys as an owner or a module. */
export function describeSessionSetUp(
  call: Call,
  account: Address,
  sessionKeys: Address,
): SessionSetUp | undefined {
  if (isSameCall(call, encodeAddOwner({ account, owner: sessionKeys })))
    return { kind: 'install-sessions', role: 'owner' }
  if (isSameCall(call, encodeEnableModule({ account, module: sessionKeys })))
    return { kind: 'install-sessions', role: 'module' }
  const role = removalStep(call, account, sessionKeys)
  return role && { kind: 'remove-sessions', role }
}

/** The list of the account from which a call removes the contract, leaving the threshold at 1. */
export function removalStep(
  { to, value, data }: Call,
  account: Address,
  sessionKeys: Address,
): 'owner' | 'module' | undefined {
  if (!isAddressEqual(to, account) || value !== 0n) return undefined
  const change = readMemberChange(data)
  if (change?.kind === 'remove-owner')
    return isAddressEqual(change.owner, sessionKeys) && change.threshold === 1n ? 'owner' : undefined
  if (change?.kind === 'disable-module')
    return isAddressEqual(change.module, sessionKeys) ? 'module' : undefined
  return undefined
}

/** The address behind a key id. Undefined for a P-256 key, of which the chain stores only a hash. */
export function addressOfKey(keyId: Hex): Address | undefined {
  return /^0x0{24}/.test(keyId) ? getAddress(slice(keyId, 12)) : undefined
}

/** A short form of a key for running text. */
export function shortKey(keyId: Hex): string {
  const address = addressOfKey(keyId)
  return address ? shortAddress(address) : `${keyId.slice(0, 6)}…${keyId.slice(-4)}`
}
