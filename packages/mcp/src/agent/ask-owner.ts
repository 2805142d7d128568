import type { Permission } from '@lanyard/session-keys'
import type { Address } from 'viem'
import { recipientsOf } from './recipients.ts'
import type { Session } from './sessions.ts'

/** What the agent would like to be allowed in addition. */
export interface Wish {
  /** Absent: the network's coin. */
  readonly token?: Address
  /** Base units. */
  readonly amount: bigint
  /** Seconds. Absent: the amount is the total. */
  readonly period?: number
  readonly to: readonly Address[]
  /** Wei that one operation may cost, for a first session. */
  readonly feePerOperation: bigint
}

const operationsOfFirstSession = 100

/**
 * The permissions to ask for: a new session ends the earlier one of the key, so it carries over what is left
 * of that session.
 */
export function permissionsFor(session: Session | undefined, wish: Wish): readonly Permission[] {
  const isWished = (token: string | undefined) => token?.toLowerCase() === wish.token?.toLowerCase()
  const kept = (session?.allowances ?? []).map((allowance) => {
    const token = allowance.token as Address | undefined
    const wished = isWished(token) ? wish : undefined
    return allowanceOf({
      ...{ token, ...amountOf(allowance, wished) },
      to: [...recipients(session, token), ...(wished?.to ?? [])],
      anyone: session !== undefined && recipientsOf(session, token).anyone,
    })
  })
  const isKept = session?.allowances.some(({ token }) => isWished(token)) ?? false
  const added = isKept
    ? []
    : [
        allowanceOf({
          token: wish.token,
          amount: wish.amount,
          period: wish.period,
          to: wish.to,
          anyone: false,
        }),
      ]
  return [...kept, ...added, ...callsOf(session), feesOf(session, wish)]
}

/** A total keeps what is left of it. A period starts again with the session, so its amount stays as it is. */
function amountOf(
  { amount, left, period }: Session['allowances'][number],
  wish: Wish | undefined,
): { readonly amount: bigint; readonly period: number | undefined } {
  if (wish?.period !== undefined) return { amount: wish.amount, period: wish.period }
  if (period === 0) return { amount: BigInt(left) + (wish?.amount ?? 0n), period: undefined }
  const [before, wanted] = [BigInt(amount), wish?.amount ?? 0n]
  return { amount: wanted > before ? wanted : before, period }
}

function allowanceOf({
  token,
  amount,
  period,
  to,
  anyone,
}: {
  token: Address | undefined
  amount: bigint
  period: number | undefined
  to: readonly Address[]
  anyone: boolean
}): Permission {
  const limits = {
    allowance: String(amount),
    ...(period !== undefined && { period }),
    ...(!anyone && { to: [...new Set(to)] }),
  }
  return token === undefined
    ? { type: 'native-token-allowance', ...limits }
    : { type: 'erc20-token-allowance', token, ...limits }
}

const recipients = (session: Session | undefined, token: string | undefined) =>
  session ? recipientsOf(session, token as Address | undefined).named : []

/** Rules of contract calls, by target and value. */
function callsOf(session: Session | undefined): readonly Permission[] {
  const rules = session?.rules.filter(({ kind }) => kind === 'call') ?? []
  const keyOf = ({ target, maxValue }: (typeof rules)[number]) => `${target} ${maxValue}`
  return [...new Set(rules.map(keyOf))].flatMap((key) => {
    const group = rules.filter((rule) => keyOf(rule) === key)
    const [first] = group
    if (first?.target === undefined) return []
    return [
      {
        type: 'contract-call' as const,
        target: first.target as Address,
        functions: group.flatMap(({ selector }) => selector ?? []),
        ...(first.maxValue !== '0' && { maxValue: first.maxValue }),
      },
    ]
  })
}

function feesOf(session: Session | undefined, { feePerOperation }: Wish): Permission {
  const operations = session?.maxOperations ?? operationsOfFirstSession
  const each = session ? BigInt(session.feePerOperation) : feePerOperation
  return { type: 'gas-fee-allowance', allowance: String(each * BigInt(operations)), operations }
}

export interface OwnerRequest {
  readonly walletUrl: string
  readonly name: string
  readonly origin: string
  readonly network: number
  /** An address, or a P-256 public key (0x04…). */
  readonly sessionKey: string
  /** Seconds from the grant. */
  readonly duration: number
  readonly permissions: readonly Permission[]
}

/** The link with which the owner grants a session in the wallet (docs/wallet.md). */
export function linkToOwner({ walletUrl, sessionKey, ...request }: OwnerRequest): string {
  const json = JSON.stringify({ v: 1, ...request, key: sessionKey })
  return `${walletUrl}/sessions/request#request=${Buffer.from(json).toString('base64url')}`
}
