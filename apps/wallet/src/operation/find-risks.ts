import { type Call, readMemberChange } from '@lanyard/accounts'
import type { CallContext, CallDescription } from '@lanyard/calls'
import { findAssetFunction, tryDecode } from '@lanyard/calls'
import { type Address, decodeFunctionData, isAddressEqual, zeroAddress } from 'viem'
import { findSessionRisks, type SessionRisk } from '../calls/session-risks.ts'
import { haveSameEnds } from '../recipients/look-alike.ts'

/** A warning about an operation, shown before signing. */
export interface Risk {
  readonly kind:
    | 'first-payment'
    | 'look-alike'
    | 'zero-recipient'
    | 'contract-recipient'
    | 'unlimited-approval'
    | 'approval'
    | 'power'
    | 'moves-assets'
    | 'batch'
    | 'owner-grant'
    | 'account-change'
    | 'odd-name'
    | SessionRisk
  /** `high`: the account could lose everything, or the amount sent. */
  readonly level: 'high' | 'note'
  readonly address?: Address | undefined
}

interface RiskInput {
  readonly calls: readonly { readonly call: Call; readonly description: CallDescription }[]
  readonly context: CallContext
  /** Lower-case addresses that were paid before, including contacts. */
  readonly known: ReadonlySet<string>
  /** Lower-case address → name. */
  readonly names: ReadonlyMap<string, string>
  /** What the account holds of a token on the network; undefined if that is unknown. */
  readonly held?: (token: Address) => bigint | undefined
}

/** An allowance from here on counts as unlimited: no token has that many units. */
const unlimited = 2n ** 128n

/** Finds the risks of calls that were decoded from the bytes to be signed. */
export function findRisks({ calls, context, known, names, held }: RiskInput): readonly Risk[] {
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
        return findSessionRisks(description.session, context.tokens, held)
      case 'contract':
        return isAddressEqual(call.to, context.account) ? accountRisks(call) : assetRisks(call)
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
  const isKnown = known.has(to.toLowerCase())
  const looksKnown = [account, ...known].some((one) => haveSameEnds(one, to))
  return [
    ...(name && isOddName(name) ? [{ kind: 'odd-name', level: 'high', address: to } as const] : []),
    ...(!isKnown && looksKnown ? [{ kind: 'look-alike', level: 'high', address: to } as const] : []),
    ...(isKnown ? [] : [{ kind: 'first-payment', level: 'note', address: to } as const]),
  ]
}

/** Calls of contracts that may hold the account's tokens, NFTs or positions. */
function assetRisks({ data }: Call): readonly Risk[] {
  const known = findAssetFunction(data)
  if (!known) return []
  const { abi, effect } = known
  if (effect === 'move') return [{ kind: 'moves-assets', level: 'note' }]
  if (effect === 'batch') return [{ kind: 'batch', level: 'high' }]
  const args = tryDecode(() => decodeFunctionData({ abi: [abi], data }))?.args
  // A contract may accept arguments that this wallet cannot decode.
  if (!args) return [{ kind: 'power', level: 'high' }]
  if (effect === 'power') {
    const switches = args.filter((value) => typeof value === 'boolean')
    return switches.length > 0 && !switches.includes(true) ? [] : [{ kind: 'power', level: 'high' }]
  }
  const address = args.findLast((value): value is Address => typeof value === 'string')
  const amount = args.find((value) => typeof value === 'bigint') ?? 0n
  if (amount === 0n) return []
  return amount >= unlimited
    ? [{ kind: 'unlimited-approval', level: 'high', address }]
    : [{ kind: 'approval', level: 'note', address }]
}

/** Calls to the account itself that this wallet never plans: modules, guards, handlers, owners. */
function accountRisks({ data }: Call): readonly Risk[] {
  const grants = readMemberChange(data)?.kind === 'add-owner'
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
