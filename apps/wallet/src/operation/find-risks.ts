import type { Call } from '@lanyard/accounts'
import { safeAbi } from '@lanyard/accounts'
import { type Address, decodeFunctionData, isAddressEqual, zeroAddress } from 'viem'
import { allowanceAbi } from '../calls/allowance-abi.ts'
import type { CallContext, CallDescription } from '../calls/describe-call.ts'
import { tryDecode } from '../calls/try-decode.ts'
import { findSessionRisks, type SessionRisk } from '../sessions/session-risks.ts'

/** A warning about an operation, shown before signing. */
export interface Risk {
  readonly kind:
    | 'first-payment'
    | 'zero-recipient'
    | 'contract-recipient'
    | 'unlimited-approval'
    | 'approval'
    | 'owner-grant'
    | 'account-change'
    | 'odd-name'
    | SessionRisk
  /** `high`: the account could lose everything, or the amount sent. */
  readonly level: 'high' | 'note'
  readonly address?: Address
}

interface RiskInput {
  readonly calls: readonly { readonly call: Call; readonly description: CallDescription }[]
  readonly context: CallContext
  /** Lower-case addresses that were paid before, including contacts. */
  readonly known: ReadonlySet<string>
  /** Lower-case address → name. */
  readonly names: ReadonlyMap<string, string>
}

/** An allowance from here on counts as unlimited: no token has that many units. */
const unlimited = 2n ** 128n

/** Finds the risks of calls that were decoded from the bytes to be signed. */
export function findRisks({ calls, context, known, names }: RiskInput): readonly Risk[] {
  return calls.flatMap(({ call, description }): readonly Risk[] => {
    switch (description.kind) {
      case 'transfer':
        return recipientRisks(description.to, context, known, names)
      case 'approve':
        if (context.smartBalance && isAddressEqual(description.spender, context.smartBalance.address))
          return []
        return description.amount >= unlimited
          ? [{ kind: 'unlimited-approval', level: 'high', address: description.spender }]
          : description.amount > 0n
            ? [{ kind: 'approval', level: 'note', address: description.spender }]
            : []
      case 'add-owner':
        return [{ kind: 'owner-grant', level: 'high', address: description.owner }]
      case 'grant-session':
        return findSessionRisks(description.session, context.tokens)
      case 'contract':
        return isAddressEqual(call.to, context.account) ? accountRisks(call) : allowanceRisks(call)
      default:
        return []
    }
  })
}

function recipientRisks(
  to: Address,
  { account, tokens, smartBalance, sessionKeys }: CallContext,
  known: ReadonlySet<string>,
  names: ReadonlyMap<string, string>,
): readonly Risk[] {
  if (isAddressEqual(to, zeroAddress)) return [{ kind: 'zero-recipient', level: 'high', address: to }]
  if (isAddressEqual(to, account)) return []
  const contracts = [...tokens.map(({ token }) => token), smartBalance?.address, sessionKeys]
  if (contracts.some((contract) => contract && isAddressEqual(contract, to)))
    return [{ kind: 'contract-recipient', level: 'high', address: to }]
  const name = names.get(to.toLowerCase())
  return [
    ...(name && isOddName(name) ? [{ kind: 'odd-name', level: 'high', address: to } as const] : []),
    ...(known.has(to.toLowerCase()) ? [] : [{ kind: 'first-payment', level: 'note', address: to } as const]),
  ]
}

/** Allowances on contracts that this wallet does not know, which may be tokens. */
function allowanceRisks({ data }: Call): readonly Risk[] {
  const call = tryDecode(() => decodeFunctionData({ abi: allowanceAbi, data }))
  if (!call) return []
  if (call.functionName === 'setApprovalForAll')
    return call.args[1] ? [{ kind: 'unlimited-approval', level: 'high', address: call.args[0] }] : []
  const [first, second, third] = call.args
  const [address, amount] = typeof second === 'bigint' ? [first, second] : [second, third ?? 0n]
  if (amount === 0n) return []
  return amount >= unlimited
    ? [{ kind: 'unlimited-approval', level: 'high', address }]
    : [{ kind: 'approval', level: 'note', address }]
}

/** Calls to the account itself that this wallet never plans: modules, guards, handlers, owners. */
function accountRisks({ data }: Call): readonly Risk[] {
  const call = tryDecode(() => decodeFunctionData({ abi: safeAbi, data }))
  const grants = call?.functionName === 'addOwnerWithThreshold'
  return [{ kind: grants ? 'owner-grant' : 'account-change', level: 'high' }]
}

/** Whether a name can pass for another: it looks like an address, or mixes alphabets (UTS 39 §5.1). */
export function isOddName(name: string): boolean {
  if (/^0x/i.test(name)) return true
  const scripts = [
    /\p{Script=Latin}/u,
    /\p{Script=Cyrillic}/u,
    /\p{Script=Greek}/u,
    /\p{Script=Armenian}/u,
    /\p{Script=Cherokee}/u,
  ]
  return scripts.filter((script) => script.test(name)).length > 1
}
