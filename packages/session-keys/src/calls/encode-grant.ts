import { type Call, encodeAddOwner } from '@lanyard/accounts'
import { safeAbi, sessionKeysAbi } from '@lanyard/onchain'
import { type Address, encodeFunctionData } from 'viem'
import { ruleKinds, type Session } from '../session/session.ts'
import { type SessionKey, sessionKeyId } from '../session/session-key.ts'

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
    ...(isModule ? [] : [encodeEnableModule(account, sessionKeys)]),
    { to: sessionKeys, value: 0n, data },
  ]
}

function encodeEnableModule(account: Address, module: Address): Call {
  const data = encodeFunctionData({ abi: safeAbi, functionName: 'enableModule', args: [module] })
  return { to: account, value: 0n, data }
}
