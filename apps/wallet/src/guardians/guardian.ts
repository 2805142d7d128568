import type { EndpointOutput, endpoints } from '@lanyard/contracts'
import { escapeText, shortAddress } from '@lanyard/ui'
import { useQuery } from '@tanstack/react-query'
import { type Address, isAddressEqual } from 'viem'
import { trpc } from '../api/trpc.ts'
import { t } from '../i18n/t.ts'
import { useSession } from '../sign-in/session-context.tsx'

/** A guardian, and where they could sign today. */
export type Guardian = EndpointOutput<typeof endpoints.guardian.check>

export type GuardianProblem = NonNullable<Guardian['networks'][number]['problem']>

/** Who the guardians of an account are, and where each of them could sign today. */
export type GuardianOverview = EndpointOutput<typeof endpoints.guardian.list>

/** Milliseconds for which an answer counts as today's. */
const fresh = 30_000

/** The guardians of an account, whose owner is perhaps signed in nowhere. */
export const useGuardians = (account: Address) =>
  useQuery({
    queryKey: ['guardians', account],
    queryFn: ({ signal }) => trpc.guardian.list.query({ account }, { signal }),
    staleTime: fresh,
  })

/** Lower-case address → username of the guardians of this account who are users of the service. */
export function useGuardianNames(): ReadonlyMap<string, string> {
  const { account } = useSession()
  const { data } = useGuardians(account)
  return new Map(
    (data?.guardians ?? []).flatMap(({ guardian, username }) =>
      username ? [[guardian.toLowerCase(), escapeText(username, 64)]] : [],
    ),
  )
}

/** Where networks differ, what most of them keep; of equally many, the first. */
export function mostCommon(hashes: readonly string[]): string | undefined {
  const countOf = (hash: string) => hashes.filter((one) => one === hash).length
  const [first] = hashes.toSorted((a, b) => countOf(b) - countOf(a))
  return first
}

/** The guardians in force on a network who can sign there today. */
export function ableGuardians(
  { networks, guardians }: GuardianOverview,
  chainId: number,
): readonly Address[] {
  const set = networks.find(({ network }) => network === chainId)?.current?.guardians
  return (set?.members ?? []).filter((member) =>
    guardians.some((one) => isAddressEqual(one.guardian, member) && canSign(one, chainId)),
  )
}

/** Whether a guardian can sign on a network today. */
const canSign = ({ networks }: Guardian, chainId: number): boolean =>
  networks.some(({ network, status, problem }) => network === chainId && status === 'up' && !problem)

/** Why somebody cannot be, or could not help as, a guardian. */
export const problemTexts: Readonly<Record<GuardianProblem, string>> = {
  ACCOUNT_ITSELF: t('Your own account cannot recover itself.'),
  OWNER: t('This is an owner of your account: you would lose both at once.'),
  UNPROVEN: t('Nothing shows that this address can sign. An exchange’s address cannot.'),
  NOT_THERE: t('This contract does not exist on every network.'),
  ACCEPTS_ANYTHING: t('This contract accepts a signature that nobody made: anyone could take your account.'),
  BURNS_GAS: t('This contract cannot sign: it uses up all the gas that it gets.'),
  REPLACED: t('This passkey was removed from its own account. Ask for a new one.'),
  NOT_ENABLED: t('Your account has switched guardians off on a network.'),
}

/** Problems with which nobody is named, whatever the person says. */
const refused: readonly GuardianProblem[] = [
  'ACCOUNT_ITSELF',
  'OWNER',
  'ACCEPTS_ANYTHING',
  'BURNS_GAS',
  'REPLACED',
]

export const isRefused = (problem: GuardianProblem): boolean => refused.includes(problem)

/** The worst problem of a guardian on any network. */
export function worstProblem({ networks }: Guardian): GuardianProblem | undefined {
  const found = networks.flatMap(({ problem }) => problem ?? [])
  return found.find(isRefused) ?? found[0]
}

/** A guardian's name: the username, the person's own name for the address, or the address. */
export const guardianName = (
  { guardian, username }: Pick<Guardian, 'guardian' | 'username'>,
  contacts: ReadonlyMap<string, string>,
): string =>
  username ? escapeText(username, 64) : (contacts.get(guardian.toLowerCase()) ?? shortAddress(guardian))
