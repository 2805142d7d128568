import {
  type Call,
  encodeAddOwner,
  encodeDisableModule,
  encodeEnableModule,
  encodeRemoveOwner,
} from '@lanyard/accounts'
import { epochsAbi, epochsAddress, sessionKeysAbi } from '@lanyard/onchain'
import { type Address, encodeFunctionData, isAddressEqual } from 'viem'
import { ruleKinds, type Session } from './session/session.ts'
import { type SessionKey, sessionKeyId } from './session/session-key.ts'

/**
 * The only call of a session operation: pass it alone to `encodeCalls` of `@lanyard/accounts`. The contract
 * makes the account execute `calls`, all or none.
 */
export function encodeSessionExecute({
  sessionKeys,
  key,
  calls,
}: {
  sessionKeys: Address
  key: SessionKey
  calls: readonly Call[]
}): Call {
  const data = encodeFunctionData({
    abi: sessionKeysAbi,
    functionName: 'execute',
    args: [sessionKeyId(key), calls],
  })
  return { to: sessionKeys, value: 0n, data }
}

export interface EncodeGrantParameters {
  readonly account: Address
  /** The SessionKeys contract. */
  readonly sessionKeys: Address
  readonly key: SessionKey
  readonly session: Session
  /** Whether the contract is already an owner and a module of the account (`isOwner`, `isModuleEnabled`). */
  readonly isOwner: boolean
  readonly isModule: boolean
}

/**
 * The account's calls that grant `session` to `key`, for one operation of an owner. With the first session,
 * the contract becomes an owner (the threshold stays 1) and a module. An earlier session of the key ends.
 */
export function encodeGrant(parameters: EncodeGrantParameters): Call[] {
  const { account, sessionKeys, key, session, isOwner, isModule } = parameters
  const rules = session.rules.map(({ kind, ...rule }) => ({ kind: ruleKinds.indexOf(kind), ...rule }))
  const data = encodeFunctionData({
    abi: sessionKeysAbi,
    functionName: 'grant',
    args: [sessionKeyId(key), { ...session, rules, allowances: session.allowances }],
  })
  return [
    ...(isOwner ? [] : [encodeAddOwner({ account, owner: sessionKeys })]),
    ...(isModule ? [] : [encodeEnableModule({ account, module: sessionKeys })]),
    { to: sessionKeys, value: 0n, data },
  ]
}

/** `SESSIONS` of Epochs, which counts an account's epochs by kind. */
const sessionsKind = 1

/**
 * The account's call that ends every session of it, by any owner, whether SessionKeys is enabled or not. It belongs into the
 * operation that removes an owner: what that owner granted would otherwise outlive them. A module change does it by itself.
 */
export const endSessionsCall: Call = {
  to: epochsAddress,
  value: 0n,
  data: encodeFunctionData({ abi: epochsAbi, functionName: 'raise', args: [sessionsKind] }),
}

export interface EncodeRevokeParameters {
  readonly account: Address
  /** The SessionKeys contract. */
  readonly sessionKeys: Address
  readonly key: SessionKey
  /**
   * Set if this is the last session and the account returns to its state before the first: the complete
   * results of `accountReads`, owners and modules, in their order, because both are linked
   * lists.
   */
  readonly remove?: { readonly owners: readonly Address[]; readonly modules: readonly Address[] }
}

/**
 * The account's calls that end the session of `key`. With `remove` they also remove the contract from the
 * account's owners and modules, if it is one of them.
 *
 * @throws AccountsError LAST_OWNER if the contract would be the account's only owner.
 */
export function encodeRevoke({ account, sessionKeys, key, remove }: EncodeRevokeParameters): Call[] {
  const data = encodeFunctionData({
    abi: sessionKeysAbi,
    functionName: 'revoke',
    args: [sessionKeyId(key)],
  })
  const calls: Call[] = [{ to: sessionKeys, value: 0n, data }]
  if (remove?.owners.some((owner) => isAddressEqual(owner, sessionKeys)))
    calls.push(encodeRemoveOwner({ account, owner: sessionKeys, owners: remove.owners }))
  const disable = remove && encodeDisableModule({ account, module: sessionKeys, modules: remove.modules })
  return disable ? [...calls, disable] : calls
}
