import { useOwners } from '../../owners/use-owners.ts'
import { useRecipientNames } from '../../recipients/use-recipient-names.ts'

/** Lower-case address → name: the account's owners by their labels, and the people that the person knows. */
export function usePartyNames(): ReadonlyMap<string, string> {
  const { data: ownership } = useOwners()
  const recipients = useRecipientNames()
  const owners = (ownership?.owners ?? []).flatMap(({ address, label }) =>
    label ? [[address.toLowerCase(), label] as const] : [],
  )
  return new Map([...owners, ...recipients])
}
