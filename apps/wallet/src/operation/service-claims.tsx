import { type Currency, callContext, describeCall, nativeOf } from '@lanyard/calls'
import { Fact, shortAddress } from '@lanyard/ui'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Address, getAddress, isAddress, isAddressEqual } from 'viem'
import { formatShortAmount } from '../amounts/amounts.ts'
import { trpc } from '../api/trpc.ts'
import { rich, t } from '../i18n/t.ts'
import { toTransactionDetails } from '../passkey/verify-operation.ts'
import { useSession } from '../sign-in/session-context.tsx'
import type { PreparedOperation } from './prepare-operation.ts'

/**
 * What the service's simulation says that contract calls change, apart from what this device has decoded. Absent if this
 * wallet can decode every call itself, or if the service cannot tell.
 */
export function ServiceClaims({ prepared }: { readonly prepared: PreparedOperation }) {
  const { account } = useSession()
  const { network, verified } = prepared
  const context = callContext(account, network)
  const { data: claims } = useQuery({
    queryKey: ['changes', verified.userOpHash],
    queryFn: async ({ signal }) => {
      const request = {
        walletAddress: account,
        network: network.chainId,
        transactionDetails: toTransactionDetails(verified.calls),
      }
      return readClaims(await trpc.smartAccount.simulate.mutate(request, { signal }))
    },
    enabled: verified.calls.some((call) => describeCall(call, context).kind === 'contract'),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  if (!claims) return null
  const { changes, omitted } = claims
  return (
    <section aria-labelledby="claims" className="grid gap-2.5 rounded-field bg-sunken p-3.5 text-sm">
      <div className="grid gap-0.5">
        <p id="claims" className="font-medium">
          {t('Your service says')}
        </p>
        <p className="text-muted">{t('This wallet can’t check it. It may be incomplete.')}</p>
      </div>
      {changes.length === 0 ? (
        <p>{t('Nothing that you have changes, apart from the fee.')}</p>
      ) : (
        <dl className="grid gap-1.5">
          {changes.map((change, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
            <Fact key={index} term={terms[change.kind]}>
              <span className="figures wrap-anywhere">
                {change.spender
                  ? rich('{amount}, by {spender}', {
                      amount: describeAsset(change, network.currencies),
                      spender: named(change.spender),
                    })
                  : describeAsset(change, network.currencies)}
              </span>
            </Fact>
          ))}
        </dl>
      )}
      {omitted > 0 && <p>{t('and {count} more', { count: omitted })}</p>}
    </section>
  )
}

const terms = { in: t('You get'), out: t('You give'), approval: t('May spend') } as const

/** An allowance from here on counts as unlimited: no token has that many units. */
const unlimited = 2n ** 128n

const named = (address: Address): ReactNode => (
  <span className="font-mono text-xs" title={address}>
    {shortAddress(address)}
  </span>
)

/** Only the network's own currencies have names: any other contract could take theirs. */
function describeAsset({ token, id, amount }: Claim, currencies: readonly Currency[]): ReactNode {
  const currency = token
    ? currencies.find((known) => known.token && isAddressEqual(known.token, token))
    : nativeOf(currencies)
  if (currency && amount !== undefined && id === undefined)
    return amount >= unlimited
      ? t('any amount of {symbol}', { symbol: currency.symbol })
      : `${formatShortAmount(amount, currency.decimals)} ${currency.symbol}`
  const contract = token && named(token)
  if (id !== undefined)
    return amount === 1n
      ? rich('NFT {id} of {contract}', { id: shortNumber(id), contract })
      : rich('{count} of NFT {id} of {contract}', {
          count: shortNumber(amount),
          id: shortNumber(id),
          contract,
        })
  return amount === undefined || amount >= unlimited
    ? rich('everything in {contract}', { contract })
    : rich('{amount} units of the unknown token {contract}', { amount: shortNumber(amount), contract })
}

/** Ids and units have up to 78 digits. */
function shortNumber(value: bigint | undefined): string {
  const digits = String(value ?? '')
  return digits.length > 18 ? `${digits.slice(0, 6)}…${digits.slice(-6)}` : digits
}

interface Claim {
  readonly kind: keyof typeof terms
  readonly token: Address | undefined
  readonly id: bigint | undefined
  readonly amount: bigint | undefined
  readonly spender: Address | undefined
}

interface Claims {
  readonly changes: readonly Claim[]
  readonly omitted: number
}

type Answer = Awaited<ReturnType<typeof trpc.smartAccount.simulate.mutate>>

/** A service that lies must not write its own sentences here: null if any member is malformed. */
function readClaims({ changes, omitted = 0 }: Answer): Claims | null {
  if (!Array.isArray(changes) || changes.length > 50 || !Number.isSafeInteger(omitted)) return null
  const read = changes.map(readClaim)
  const claims = read.filter((claim) => claim !== null)
  return claims.length === read.length ? { changes: claims, omitted } : null
}

function readClaim({
  kind,
  token,
  id,
  amount,
  spender,
}: NonNullable<Answer['changes']>[number]): Claim | null {
  const isNumber = (text: unknown) =>
    text === undefined || (typeof text === 'string' && /^\d{1,78}$/.test(text))
  const isParty = (text: unknown) => text === undefined || (typeof text === 'string' && isAddress(text))
  if (!Object.hasOwn(terms, kind) || ![id, amount].every(isNumber) || ![token, spender].every(isParty))
    return null
  const isApproval = kind === 'approval'
  if (isApproval !== (spender !== undefined) || (isApproval ? !token : amount === undefined)) return null
  return {
    kind,
    token: token && getAddress(token),
    id: id === undefined ? undefined : BigInt(id),
    amount: amount === undefined ? undefined : BigInt(amount),
    spender: spender && getAddress(spender),
  }
}
